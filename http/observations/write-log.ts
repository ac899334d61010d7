import type { Api, Operation } from '../../model/api.js';
import type { SourceLocation } from '../../model/diagnostics/diagnostic.js';
import { isRecord, type RawRecord } from '../../model/document/records.js';
import { showJson } from '../../model/exact-json.js';
import { placedSchemasAt } from '../../schema/placed-schemas.js';
import { isSuccess } from '../messages.js';
import { schemaPlace } from './schema-place.js';
import type { ObservedCall } from './observed-call.js';

/** The most members that are compared. */
const MOST_PLACES = 500;
/** So many calls, with so many different values, show that the server does not take a member. */
const ENOUGH_CALLS = 3;
const ENOUGH_VALUES = 2;

/** What responses show of a member that requests send. */
export interface WrittenMember {
  readonly at: SourceLocation;
  readonly name: string;
  readonly operation: Operation;
  readonly status: number;
  calls: number;
  /** Whether a response showed what was sent, or something made of it. */
  isTaken: boolean;
  /** Some of the values that were sent, as JSON. */
  readonly sent: Set<string>;
  /** Epoch milliseconds. */
  readonly first: number;
  last: number;
  readonly example: string;
}

/** Redacts the body of a request or a response. */
export type RedactBody = (call: ObservedCall, value: unknown, side: 'request' | 'response') => unknown;

/** Compares what requests send with what their responses show: members that a server always sets itself. */
export class WriteLog {
  readonly #api: Api;
  readonly #redact: RedactBody;
  readonly #members = new Map<string, WrittenMember>();

  constructor(api: Api, redact: RedactBody) {
    this.#api = api;
    this.#redact = redact;
  }

  add(call: ObservedCall): void {
    const { operation, sent, body } = call;
    if (!isSuccess(call) || !isRecord(sent) || body.kind !== 'json') return;
    const shown = findShown(sent, body.value);
    if (shown === undefined) return;
    for (const [name, value] of Object.entries(sent)) {
      const other = Object.hasOwn(shown, name) ? shown[name] : undefined;
      if (!isComparable(value) || !isComparable(other)) continue;
      const known = this.#memberOf(call, name, [sent, shown]);
      if (known === undefined || known.operation !== operation) continue;
      known.calls += 1;
      known.last = call.at;
      known.isTaken ||= isMadeOf(value, other);
      if (known.sent.size < ENOUGH_VALUES) known.sent.add(showJson(value));
    }
  }

  /** Members whose values never depended on what was sent. */
  get setByServer(): WrittenMember[] {
    return [...this.#members.values()].filter(
      ({ calls, isTaken, sent }) => calls >= ENOUGH_CALLS && !isTaken && sent.size >= ENOUGH_VALUES,
    );
  }

  #memberOf(call: ObservedCall, name: string, bodies: readonly [RawRecord, RawRecord]): WrittenMember | undefined {
    const { operation, status, at: time } = call;
    const media = operation.body?.content.find(
      ({ mediaType, schema }) => /json/i.test(mediaType) && schema !== undefined,
    );
    if (media?.schema === undefined) return undefined;
    const [place] = placedSchemasAt(media.schema, schemaPlace(media), [name], this.#api);
    const around = placedSchemasAt(media.schema, schemaPlace(media), [], this.#api);
    // A server that requires a member uses it.
    if (around.some(({ schema }) => schema.required?.includes(name) === true)) return undefined;
    // What a reference leads to may be used elsewhere, and siblings of references count only since OpenAPI 3.1.
    if (place === undefined || place.schema.$ref !== undefined || isMarked(place.schema)) return undefined;
    const key = `${place.at.file}#${place.at.pointer}`;
    const known = this.#members.get(key);
    if (known !== undefined) return known;
    if (this.#members.size >= MOST_PLACES) return undefined;
    const [sent, shown] = [
      this.#redact(call, bodies[0], 'request'),
      this.#redact(call, bodies[1], 'response'),
    ] as readonly RawRecord[];
    const made: WrittenMember = {
      ...{ at: place.at, name, operation, status, calls: 0, isTaken: false, sent: new Set<string>() },
      ...{ first: time, last: time, example: `sent ${showJson(sent?.[name])}, shown ${showJson(shown?.[name])}` },
    };
    this.#members.set(key, made);
    return made;
  }
}

function isMarked({ readOnly, writeOnly }: { readonly readOnly?: boolean; readonly writeOnly?: boolean }): boolean {
  return readOnly === true || writeOnly === true;
}

function isComparable(value: unknown): value is string | number {
  return typeof value === 'string' || typeof value === 'number';
}

/** The part of a response that shows the item: the body, or a member of it, that shares most members with what was sent. */
function findShown(sent: RawRecord, value: unknown): RawRecord | undefined {
  if (!isRecord(value)) return undefined;
  const shared = (one: RawRecord): number => Object.keys(sent).filter((name) => Object.hasOwn(one, name)).length;
  const candidates = [value, ...Object.values(value).filter(isRecord)];
  const best = candidates.toSorted((one, other) => shared(other) - shared(one))[0];
  // With one shared name of many, the two may be about different things.
  return best !== undefined && shared(best) * 2 >= Object.keys(sent).length ? best : undefined;
}

/** Whether a value may be made of another: in another case, escaped, trimmed, rounded, shortened, or the same time. */
function isMadeOf(sent: string | number, shown: string | number): boolean {
  const [one, other] = [String(sent).trim().toLowerCase(), String(shown).trim().toLowerCase()];
  if (one === other || one.includes(other) || other.includes(one)) return true;
  const words = one.split(/[^\p{L}\p{N}]+/u).filter(({ length }) => length > 2);
  if (words.some((word) => other.includes(word))) return true;
  if (Number(one) === Number(other)) return true;
  if (typeof sent === 'number' && typeof shown === 'number') return Math.abs(sent - shown) < 1;
  const [time, otherTime] = [Date.parse(one), Date.parse(other)];
  return !Number.isNaN(time) && Math.abs(time - otherTime) < 60_000;
}
