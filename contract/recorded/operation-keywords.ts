import { parseJsonText } from '../../model/document/json-text.js';
import type { Api, MediaType, Operation, Parameter } from '../../model/api.js';
import { kindOf, type ParsedMediaType, parseMediaType } from '../../runtime/parsed-media-type.js';
import { findDocumentedMedia } from '../../http/documented-media.js';
import { compileRequestReader, type RequestReader } from '../../http/request/read-request.js';
import { splitTarget } from '../../http/routing/router.js';
import { isRecord, mapRecord } from '../../model/document/records.js';
import type { Schema } from '../../model/schema-types.js';
import { compileValidator } from '../../schema/compile-validator.js';
import { type KeywordPlace, isErrorAt, keywordPlaces, reachesPlace } from '../../schema/keyword-places.js';
import type { RecordedCall } from './recorded-call.js';

/** A keyword of an operation's request schemas, and whether recorded requests reached it. */
export interface CountedPlace {
  readonly keyword: string;
  /** Such as `query limit` or `body/name`. */
  readonly place: string;
  /** Whether a request had a value there. */
  exercised: boolean;
  /** Whether a request broke it. */
  broken: boolean;
}

/** The keywords of one schema. */
interface Part {
  readonly schema: Schema;
  readonly places: readonly (KeywordPlace & { readonly counted: CountedPlace })[];
}

/** The reader's member for the parameters of each place. */
const GROUPS = { path: 'path', query: 'query', querystring: 'query', header: 'headers', cookie: 'cookies' } as const;

/** The keywords of an operation's requests, and which of them recorded requests exercised. */
export class OperationKeywords {
  readonly #operation: Operation;
  readonly #api: Api;
  readonly #reader: RequestReader;
  readonly #parameters: ReadonlyMap<Parameter, Part>;
  readonly #bodies: ReadonlyMap<MediaType, Part>;
  /** Required parameters and the required body. */
  readonly #required: ReadonlyMap<Parameter | 'body', CountedPlace>;

  constructor(operation: Operation, api: Api) {
    this.#operation = operation;
    this.#api = api;
    this.#reader = compileRequestReader(operation, { api, report: undefined });
    this.#parameters = new Map(operation.parameters.map((one) => [one, this.#partOf(one.schema, nameOf(one))]));
    this.#bodies = new Map(
      (operation.body?.content ?? []).map((media) => [media, this.#partOf(media.schema ?? true, 'body')]),
    );
    const needed = operation.parameters.filter((one) => one.required && one.in !== 'path');
    this.#required = new Map<Parameter | 'body', CountedPlace>([
      ...needed.map((one) => [one, newPlace('required', nameOf(one))] as const),
      ...(operation.body?.required === true ? [['body', newPlace('required', 'body')] as const] : []),
    ]);
  }

  /** All keywords, whether or not a request reached them. */
  get places(): readonly CountedPlace[] {
    const parts = [...this.#parameters.values(), ...this.#bodies.values()];
    return [...this.#required.values(), ...parts.flatMap(({ places }) => places.map(({ counted }) => counted))];
  }

  /** Counts a recorded request. */
  add(call: RecordedCall, path: ReadonlyMap<string, string>): void {
    const { query } = splitTarget(call.target);
    const { input, violations } = this.#reader.read({ path, query, headers: call.headers, bytes: new Uint8Array() });
    for (const [parameter, part] of this.#parameters) {
      const group = input[GROUPS[parameter.in]] as Readonly<Record<string, unknown>> | undefined;
      const value = group !== undefined && Object.hasOwn(group, parameter.name) ? group[parameter.name] : undefined;
      const isUnreadable = value === undefined && violations.some((one) => isAbout(one.pointer, parameter.name));
      const isMissing = value === undefined && !(isUnreadable && isSent(parameter, query, call.headers));
      this.#note(this.#required.get(parameter), isMissing);
      if (value !== undefined) this.#check(part, value);
      else if (!isMissing) for (const { counted } of part.places) this.#note(typeOf(counted), true);
    }
    this.#addBody(call);
  }

  #addBody({ headers, body }: RecordedCall): void {
    if (this.#operation.body === undefined) return;
    this.#note(this.#required.get('body'), body === undefined && isEmpty(headers));
    const given = parseMediaType([headers['content-type'] ?? []].flat()[0] ?? 'application/json');
    if (body === undefined || given === undefined) return;
    const part = this.#bodyOf(given);
    if (part === undefined) return;
    const value = typeof body === 'string' ? this.#readText(body, headers, kindOf(given)) : reviveFiles(body);
    if (value !== undefined) this.#check(part, value);
  }

  #bodyOf(given: ParsedMediaType): Part | undefined {
    const found = findDocumentedMedia(this.#operation.body?.content ?? [], given);
    return found && this.#bodies.get(found.media);
  }

  /** A journal has parsed bodies, and text if parsing failed; a HAR file has text only. */
  #readText(text: string, headers: RecordedCall['headers'], kind: string): unknown {
    if (kind === 'json') return parseJsonText(text);
    return this.#reader.readBody?.(new TextEncoder().encode(text), headers).value;
  }

  #check({ schema, places }: Part, value: unknown): void {
    const errors = compileValidator(this.#api, schema, { direction: 'request' })(value);
    for (const place of places) {
      if (!reachesPlace(value, place)) continue;
      this.#note(
        place.counted,
        errors.some((error) => isErrorAt(error, place)),
      );
    }
  }

  #note(counted: CountedPlace | undefined, isBroken: boolean): void {
    if (counted === undefined) return;
    counted.exercised = true;
    counted.broken ||= isBroken;
  }

  #partOf(schema: Schema, name: string): Part {
    const places = keywordPlaces(schema, { api: this.#api, direction: 'request' });
    return {
      schema,
      places: places.map((one) => ({
        ...one,
        counted: newPlace(one.keyword, [name, ...one.path].join('/')),
      })),
    };
  }
}

function newPlace(keyword: string, place: string): CountedPlace {
  return { keyword, place, exercised: false, broken: false };
}

function nameOf({ in: place, name }: Parameter): string {
  return `${place} ${name}`;
}

/** The `type` keyword of a parameter, which an unreadable value breaks. */
function typeOf(counted: CountedPlace): CountedPlace | undefined {
  return counted.keyword === 'type' && !counted.place.includes('/') ? counted : undefined;
}

function isAbout(pointer: string, name: string): boolean {
  return pointer.split('/')[1]?.toLowerCase() === name.toLowerCase();
}

/** Whether a parameter was sent, readable or not. */
function isSent({ in: place, name }: Parameter, query: string, headers: RecordedCall['headers']): boolean {
  if (place === 'query') return new URLSearchParams(query).has(name);
  if (place === 'header') return headers[name.toLowerCase()] !== undefined;
  return place === 'path';
}

/** Whether a request had no body. The journal records only the size of binary bodies. */
function isEmpty(headers: RecordedCall['headers']): boolean {
  const length = [headers['content-length'] ?? []].flat()[0];
  return (length === undefined || length === '0') && headers['transfer-encoding'] === undefined;
}

/** Restores the files of a form as empty ones: a journal records only their size. */
function reviveFiles(body: unknown): unknown {
  if (!isRecord(body)) return body;
  return mapRecord(body, (member) => (isRecord(member) && Object.hasOwn(member, '$bytes') ? new Uint8Array() : member));
}
