import type { Api } from '../../model/api.js';
import type { SourceLocation } from '../../model/diagnostics/diagnostic.js';
import { appendPointer, resolvePointer, splitPointer } from '../../model/document/pointer.js';
import { showJson } from '../../model/exact-json.js';
import { getOrInsert } from '../../model/maps.js';
import type { Schema } from '../../model/schema-types.js';
import { stringifyExactJson } from '../../runtime/json-integers.js';
import { parseMediaType } from '../../runtime/parsed-media-type.js';
import type { ValidationError } from '../../schema/compile-validator.js';
import { type PlacedSchema, placedSchemasAt } from '../../schema/placed-schemas.js';
import { readHeader } from '../messages.js';
import {
  compileResponses,
  type FindResponseSpec,
  type ResponseMedia,
  type ResponseSpec,
} from '../response/response-spec.js';
import {
  findHeaderProblems,
  findResponseMedia,
  findTextProblems,
  findValueProblems,
  isBodyDescribed,
} from '../response/response-violations.js';
import { createRedact, type Redact } from '../secrets/redaction.js';
import type { FoldedObservation, MediaTally, ObservationKind, ResponseTally } from './observation.js';
import type { ObservedCall } from './observed-call.js';
import { schemaPlace } from './schema-place.js';
import { WriteLog } from './write-log.js';
import { addToShape, count, newShape, type ShapeRoom } from './shape.js';

/** The most places of a spec, and the most parts of values, of which counts are kept. */
const MOST_PLACES = 2_000;
const MOST_SHAPES = 20_000;
const MOST_MEDIA_TYPES = 10;
const MOST_HEADERS = 50;
const MOST_UNKNOWN_VALUES = 50;
const MOST_OPERATIONS = 20;
const MOST_EXAMPLE = 120;

export interface ObservationOptions {
  /** Removes further secrets from a text that is shown. */
  readonly hide?: (text: string) => string;
  /** Whether a value was sent by a test that the server should have refused. */
  readonly isPlanted?: (value: unknown) => boolean;
}

/** An error of a value, and the part of the spec that describes the value. */
interface FoundError {
  readonly error: ValidationError;
  readonly value: unknown;
  readonly schema: Schema;
  readonly at: SourceLocation;
  /** What `pointer` of the observation begins with: the name of a header. */
  readonly prefix: string;
  readonly show: () => string;
}

/** Statuses that a wrong base URL or credential, or a gateway, gives for every operation. */
const OF_ALL_OPERATIONS: ReadonlySet<number> = new Set([401, 403, 404, 405, 429]);

/** Whether a response with a status below 500 shows that the server has the operation. */
export function showsOperation(status: number): boolean {
  return !OF_ALL_OPERATIONS.has(status);
}

/**
 * Folds what responses show against the map of an API: counts by operation, status and media type, and observations by
 * place in the spec. Its memory has a limit, whatever passes: it keeps counts and shapes, one example for each place, and no bodies.
 */
export class ObservationLog {
  readonly api: Api;
  readonly responses: Map<string, ResponseTally> = new Map();
  readonly folded: Map<string, FoldedObservation> = new Map();
  readonly room: ShapeRoom = { left: MOST_SHAPES, omitted: 0 };
  readonly writes: WriteLog;
  /** The ids of operations that the server has, by a response to any request. */
  readonly reached: Set<string> = new Set();
  calls = 0;
  readonly #redact: Redact;
  readonly #options: ObservationOptions;
  readonly #specs = new Map<string, FindResponseSpec>();

  constructor(api: Api, options: ObservationOptions = {}) {
    this.api = api;
    this.#redact = createRedact(api);
    this.#options = options;
    this.writes = new WriteLog(api, ({ operation, headers }, value, side) => {
      // The body of a request is known to be JSON.
      const ownHeaders = side === 'request' ? { 'content-type': 'application/json' } : headers;
      return this.#redact.body(value, { operationId: operation.id, side, headers: ownHeaders });
    });
  }

  /** Counts a response. A server that fails shows nothing about its spec. */
  add(call: ObservedCall): void {
    if (call.status < 200 || call.status >= 500) return;
    if (showsOperation(call.status)) this.reached.add(call.operation.id);
    if (!call.isValid && (call.status < 400 || this.#specOf(call) === undefined)) return;
    this.calls += 1;
    const tally = this.#tallyOf(call);
    tally.calls += 1;
    tally.last = call.at;
    if (call.body.kind === 'none') tally.empty += 1;
    const seen = new Set<string>();
    this.#addHeaders(call, tally, seen);
    this.#addBody(call, tally, seen);
    this.writes.add(call);
  }

  #specOf({ operation, status }: ObservedCall): ResponseSpec | undefined {
    const context = { api: this.api, report: undefined };
    return getOrInsert(this.#specs, operation.id, () => compileResponses(operation, context))(status);
  }

  #tallyOf(call: ObservedCall): ResponseTally {
    const { operation, status, at } = call;
    return getOrInsert(this.responses, `${status} ${operation.id}`, () => ({
      operation,
      status,
      spec: this.#specOf(call),
      calls: 0,
      empty: 0,
      first: at,
      last: at,
      media: new Map(),
      headers: new Map(),
    }));
  }

  #addHeaders(call: ObservedCall, { spec, headers }: ResponseTally, seen: Set<string>): void {
    for (const name of Object.keys(call.headers)) {
      const value = readHeader(call, name);
      if (value === undefined || (!headers.has(name) && headers.size >= MOST_HEADERS)) continue;
      const known = getOrInsert(headers, name, () => ({ name, calls: 0, shape: newShape() }));
      known.calls += 1;
      addToShape(known.shape, /^-?\d{1,15}$/.test(value) ? Number(value) : value, this.room);
    }
    if (spec === undefined) return;
    for (const { header, error } of findHeaderProblems(call.headers, spec)) {
      if (header === undefined || error === undefined) continue;
      const name = header.name.toLowerCase();
      const at = { file: header.source.file, pointer: appendPointer(header.source.pointer, 'schema') };
      const show = (): string => String(this.#redact.headers({ [name]: readHeader(call, name) })[name]);
      this.#fold(call, { error, value: readHeader(call, name), schema: header.schema, at, prefix: name, show }, seen);
    }
  }

  #addBody(call: ObservedCall, tally: ResponseTally, seen: Set<string>): void {
    const { body, headers, isHead } = call;
    const sent = readHeader(call, 'content-type');
    if (isHead || body.kind === 'none' || sent === undefined) return;
    const mediaType = parseMediaType(sent)?.essence;
    if (mediaType === undefined || (!tally.media.has(mediaType) && tally.media.size >= MOST_MEDIA_TYPES)) return;
    const known = getOrInsert(tally.media, mediaType, (): MediaTally => {
      const text = body.kind === 'json' ? showJson(this.#redactBody(call, body.value)) : this.#redactText(call);
      return { mediaType, calls: 0, shape: newShape(), example: this.#shorten(text) };
    });
    known.calls += 1;
    if (body.kind === 'json') addToShape(known.shape, body.value, this.room);
    else addToShape(known.shape, '', this.room);
    const media = tally.spec === undefined ? undefined : findResponseMedia(headers, tally.spec);
    if (media !== undefined && isBodyDescribed(media, headers)) this.#addErrors(call, media, seen);
  }

  #addErrors(call: ObservedCall, media: ResponseMedia, seen: Set<string>): void {
    const { body, headers } = call;
    const { schema } = media.media;
    if (schema === undefined || body.kind === 'none' || body.kind === 'unknown') return;
    const problems =
      body.kind === 'json' ? findValueProblems(body.value, media) : findTextProblems(body.text, media, headers);
    const value = body.kind === 'json' ? body.value : body.text;
    const errors = problems.flatMap(({ error }) => error ?? []);
    const choices = new Set(errors.filter(isOfChoice).map(({ pointer }) => pointer));
    for (const error of errors) {
      // A value of another type is a matter of the list of alternatives, not of one of them.
      if (error.keyword === 'type' && choices.has(error.pointer)) continue;
      const show = (): string => {
        const shown = body.kind === 'json' ? this.#redactBody(call, value) : this.#redactText(call);
        return showJson(resolvePointer(shown, error.pointer));
      };
      const found = { error, value: resolvePointer(value, error.pointer), schema, at: schemaPlace(media.media) };
      this.#fold(call, { ...found, prefix: '', show }, seen);
    }
  }

  #redactBody({ operation, headers }: ObservedCall, value: unknown): unknown {
    return this.#redact.body(value, { operationId: operation.id, side: 'response', headers });
  }

  #redactText({ operation, headers, body }: ObservedCall): string {
    if (body.kind !== 'text') return '';
    return this.#redact.text(body.text, { operationId: operation.id, side: 'response', headers });
  }

  #shorten(text: string): string {
    const shown = this.#options.hide?.(text) ?? text;
    return shown.length > MOST_EXAMPLE ? `${shown.slice(0, MOST_EXAMPLE)} …` : shown;
  }

  #fold(call: ObservedCall, found: FoundError, seen: Set<string>): void {
    const { error, value, prefix } = found;
    if (isHidden(value)) return;
    const placed = placedSchemasAt(found.schema, found.at, splitPointer(error.pointer), this.api);
    const named = nameObservation(error, value, placed);
    if (named === undefined || (named.kind !== 'null' && this.#options.isPlanted?.(value) === true)) return;
    const { kind, member, owner } = named;
    const key = stringifyExactJson([
      kind,
      kind === 'null' ? '' : error.keyword,
      member,
      owner.at.file,
      owner.at.pointer,
    ]);
    if (!this.folded.has(key) && this.folded.size >= MOST_PLACES) {
      this.room.omitted += 1;
      return;
    }
    const fold = getOrInsert(this.folded, key, () => ({
      ...{ kind, keyword: error.keyword, member, at: owner.at, schema: owner.schema },
      pointer: prefix + error.pointer.replaceAll(/\/\d+(?=\/|$)/g, '/*'),
      ...{ calls: 0, values: 0, first: call.at, last: call.at },
      example: { operation: call.operation, status: call.status, text: this.#shorten(found.show()) },
      ...{ operations: new Set<string>(), shape: newShape(), unknown: new Map<string, number>() },
    }));
    fold.values += 1;
    fold.last = call.at;
    addToShape(fold.shape, kind === 'member' ? memberOf(value, member) : value, this.room);
    if (fold.operations.size < MOST_OPERATIONS) fold.operations.add(call.operation.id);
    if (kind === 'enum') countUnknown(fold, value, seen, key);
    if (seen.has(key)) return;
    seen.add(key);
    fold.calls += 1;
  }
}

function isOfChoice({ keyword }: ValidationError): boolean {
  return keyword === 'anyOf' || keyword === 'oneOf';
}

/** A recording may hide values, which then break their schemas. */
function isHidden(value: unknown): boolean {
  return typeof value === 'string' && value.includes('REDACTED');
}

function countUnknown({ unknown }: FoldedObservation, value: unknown, seen: Set<string>, key: string): void {
  if (typeof value !== 'string' && typeof value !== 'number' && typeof value !== 'boolean') return;
  const own = `${key} ${showJson(value)}`;
  if (seen.has(own) || (!unknown.has(value) && unknown.size > MOST_UNKNOWN_VALUES)) return;
  seen.add(own);
  count(unknown, value);
}

function memberOf(value: unknown, member: string | undefined): unknown {
  return resolvePointer(value, appendPointer('', member ?? ''));
}

interface NamedObservation {
  readonly kind: ObservationKind;
  readonly member: string | undefined;
  readonly owner: PlacedSchema;
}

/** Keywords by which a schema does not allow null. */
const CONSTRAINTS = ['$ref', 'type', 'enum', 'anyOf', 'oneOf', 'allOf', 'const'] as const;

/** Names the kind of an error, and the schema that would change. */
function nameObservation(
  { keyword, params }: ValidationError,
  value: unknown,
  placed: readonly PlacedSchema[],
): NamedObservation | undefined {
  const stating = placed.find(({ schema }) => Object.hasOwn(schema, keyword));
  if (value === null) {
    const owner = placed.find(({ schema }) => CONSTRAINTS.some((one) => Object.hasOwn(schema, one)));
    return owner === undefined ? undefined : { kind: 'null', member: undefined, owner };
  }
  if (keyword === 'required') {
    const member = String(params['missingProperty']);
    const owner = placed.find(({ schema }) => schema.required?.includes(member) === true);
    return owner === undefined ? undefined : { kind: 'missing', member, owner };
  }
  if (stating === undefined) return undefined;
  if (keyword === 'additionalProperties' || keyword === 'unevaluatedProperties') {
    const member = String(params['additionalProperty'] ?? params['unevaluatedProperty']);
    return { kind: 'member', member, owner: stating };
  }
  return { kind: keyword === 'enum' ? 'enum' : 'rule', member: undefined, owner: stating };
}
