import { isSuccess } from '../../http/messages.js';
import { decodeLeniently } from '../../model/document/pointer.js';
import { isRecord } from '../../model/document/records.js';
import { getOrInsert } from '../../model/maps.js';
import type { Operation } from '../../model/api.js';
import type { Case, Exchange } from '../types.js';

/** A valid request that the server refused. */
export interface Refusal {
  readonly tried: Case;
  readonly exchange: Exchange;
  /** The largest request that got it: it has the most members. */
  readonly largest: Case;
  readonly largestSize: number;
  /** What the server said; empty if nothing. */
  readonly message: string;
  /** How often it said so, whatever the values in its sentence. */
  readonly count: number;
}

/** The longest sentence of a server that is kept. */
const MAX_MESSAGE = 200;
/** Different sentences of one operation that are counted. */
const MAX_SENTENCES = 100;

/** What servers said when they refused valid requests. */
export class RefusalLog {
  /** By operation, then by the sentence without its values. */
  readonly #refusals = new Map<Operation, Map<string, Refusal>>();

  add(tried: Case, exchange: Exchange): void {
    const { call, expectation } = tried;
    const isOwn = call.method === undefined && call.isAnonymous !== true && call.isOther !== true;
    if (!isOwn || expectation.kind !== 'valid' || isSuccess(exchange)) return;
    const known = getOrInsert(this.#refusals, call.operation, () => new Map<string, Refusal>());
    const message = serverSentence(exchange);
    const key = withoutSentValues(message, exchange);
    const before = known.get(key);
    if (before === undefined && known.size >= MAX_SENTENCES) return;
    const size = sizeOf(exchange);
    const smallest = before !== undefined && sizeOf(before.exchange) <= size ? before : { tried, exchange, message };
    const largest =
      before !== undefined && before.largestSize >= size
        ? { largest: before.largest, largestSize: before.largestSize }
        : { largest: tried, largestSize: size };
    known.set(key, { ...smallest, ...largest, count: (before?.count ?? 0) + 1 });
  }

  /** The most frequent refusal of an operation, with the smallest request that got it. */
  mostFrequent(operation: Operation): Refusal | undefined {
    const all = [...(this.#refusals.get(operation)?.values() ?? [])];
    // What the server explains is worth more than an empty response.
    return all.toSorted(
      (one, other) => Number(other.message !== '') - Number(one.message !== '') || other.count - one.count,
    )[0];
  }
}

function sizeOf({ request }: Exchange): number {
  return request.url.length + (request.body?.length ?? 0);
}

/** A sentence without numbers and without the values that it repeats from its request. */
export function withoutSentValues(sentence: string, { request: { url, body = '' } }: Exchange): string {
  const sent = `${decodeLeniently(url)} ${body}`;
  const isSent = (text: string): boolean => text.length > 0 && sent.includes(text);
  return sentence
    .replaceAll(/"[^"]*"|'[^']*'|`[^`]*`/g, (quoted) => (isSent(quoted.slice(1, -1)) ? '?' : quoted))
    .replaceAll(/\d+/g, '?');
}

const MESSAGE_NAMES = [
  'message',
  'detail',
  'error_description',
  'errorMessage',
  'description',
  'error',
  'title',
  'msg',
];
const MAX_DEPTH = 4;

/** What a server said in the body of a refusal, at most 200 characters; empty if nothing. */
export function serverSentence({ json, text, status }: Pick<Exchange, 'json' | 'text' | 'status'>): string {
  if (status === 0) return '';
  const found = json === undefined ? text : (messageIn(json, 0) ?? text);
  const line = found
    .slice(0, 10 * MAX_MESSAGE)
    .replaceAll(/\s+/g, ' ')
    .trim();
  return line.length > MAX_MESSAGE ? `${line.slice(0, MAX_MESSAGE - 1)}…` : line;
}

function messageIn(value: unknown, depth: number): string | undefined {
  if (typeof value === 'string') return value.trim() === '' ? undefined : value;
  if (depth > MAX_DEPTH) return undefined;
  if (Array.isArray(value)) return messageIn(value[0], depth + 1);
  if (!isRecord(value)) return undefined;
  // The list of single errors says more than the general sentence beside it.
  for (const name of ['errors', 'violations', 'details', ...MESSAGE_NAMES]) {
    const found = Object.hasOwn(value, name) ? messageIn(value[name], depth + 1) : undefined;
    if (found !== undefined && /\p{L}/u.test(found)) return found;
  }
  return undefined;
}
