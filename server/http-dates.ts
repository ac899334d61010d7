import { createHash } from 'node:crypto';

import { stringifyExactJson } from '../runtime/json-integers.js';
import { HttpError } from '../http/http-error.js';
import { parseMediaType } from '../http/parsed-media-type.js';
import { type MockRequest, readHeader } from '../http/messages.js';
import { DecodeError } from '../http/request/decode-error.js';
import { splitMultipart } from '../http/request/multipart.js';
import type { HandlerContext } from './handler-api.js';
import { type Item, withoutMembers } from './infer/json-path.js';
import { readToken, writeToken } from './cut-page.js';
import { compareValues } from './stores/predicates.js';

type Headers = Pick<MockRequest, 'headers'>;

/** A part of a multipart body. */
export interface BodyPart {
  readonly contentType: string | undefined;
  readonly bytes: Uint8Array;
}

/** Returns the parts of a multipart body in their order. @throws HttpError 400 for an invalid body */
export function readParts(bytes: Uint8Array, contentType: string): readonly BodyPart[] {
  try {
    const boundary = parseMediaType(contentType)?.parameters.get('boundary');
    return splitMultipart(bytes, boundary).map((part) => ({
      contentType: part.headers.get('content-type'),
      bytes: part.bytes,
    }));
  } catch (error) {
    if (!(error instanceof DecodeError)) throw error;
    const violation = { in: 'body', pointer: '', message: error.message } as const;
    throw new HttpError(400, 'The body cannot be read.', { violations: [violation] });
  }
}

/** Formats epoch milliseconds as ISO 8601 in UTC, without a fraction of a second if it is zero. */
export function toIsoTime(time: number): string {
  return new Date(time).toISOString().replace('.000Z', 'Z');
}

/** Formats epoch milliseconds as an HTTP date, such as `Sun, 06 Nov 1994 08:49:37 GMT`. */
export function toHttpDate(time: number): string {
  return new Date(time).toUTCString();
}

const DAY = '(?:Mon|Tue|Wed|Thu|Fri|Sat|Sun)';
const MONTH = '(?:Jan|Feb|Mar|Apr|May|Jun|Jul|Aug|Sep|Oct|Nov|Dec)';
const TIME = '[0-9]{2}:[0-9]{2}:[0-9]{2}';
/** The three forms of an HTTP date (RFC 9110, section 5.6.7). */
const HTTP_DATES: readonly RegExp[] = [
  new RegExp(`^${DAY}, [0-9]{2} ${MONTH} [0-9]{4} ${TIME} GMT$`),
  new RegExp(`^${DAY}[a-z]*, [0-9]{2}-${MONTH}-[0-9]{2} ${TIME} GMT$`),
  new RegExp(`^${DAY} ${MONTH} [ 0-9][0-9] ${TIME} [0-9]{4}$`),
];

/** Parses an HTTP date into epoch milliseconds; `undefined` for any other text. */
export function parseHttpDate(text: string): number | undefined {
  if (!HTTP_DATES.some((form) => form.test(text))) return undefined;
  const time = Date.parse(text.endsWith('GMT') ? text : `${text} GMT`);
  return Number.isNaN(time) ? undefined : time;
}

/** Whether `If-Modified-Since` is not before `changedAt` (epoch milliseconds), so that 304 is due. */
export function isNotModifiedSince(request: Headers, changedAt: number): boolean {
  const header = readHeader(request, 'if-modified-since');
  const since = header === undefined ? undefined : parseHttpDate(header);
  return since !== undefined && changedAt <= since;
}

/** Makes an entity tag, without quotes. The same JSON value always gives the same tag. */
export function makeEtag(content: unknown): string {
  return createHash('sha256').update(stringifyExactJson(content)).digest('base64url').slice(0, 22);
}

/** Quotes an entity tag for the header `ETag`. */
export function quoteEtag(etag: string): string {
  return `"${etag}"`;
}

/**
 * Whether `If-Match` or `If-None-Match` names an entity tag: with or without quotes, in a list, or as `*`.
 * `undefined` if the header is absent.
 */
export function matchesEtag(request: Headers, name: 'if-match' | 'if-none-match', etag: string): boolean | undefined {
  const header = readHeader(request, name);
  if (header === undefined || header === '') return undefined;
  const tags = new Set(header.split(',').map((tag) => tag.trim().replaceAll(/^(?:W\/)?"|"$/g, '')));
  return tags.has('*') || tags.has(etag);
}

export interface PageRequest<Item, Key> {
  /** The most items on a page. */
  readonly size: number;
  /** The token of the page. Absent or empty: the first page. */
  readonly token?: string | undefined;
  /** The list that tokens belong to, such as its path: a token of another list is not valid. */
  readonly list: string;
  /** The sort key, unique for each item. It is part of the token. */
  readonly keyOf: (item: Item) => Key;
  /** The order of the items by their keys. Default: ascending. */
  readonly compare?: (one: Key, other: Key) => number;
}

export interface Page<Item> {
  readonly items: readonly Item[];
  /** `undefined` on the last page. */
  readonly nextToken: string | undefined;
}

/**
 * Cuts one page out of sorted items. A token holds the key of the previous page's last item, so pages do not shift when
 * items are added or deleted in between. Returns `undefined` if the token is not from this list.
 */
export function cutPage<Item, Key>(items: readonly Item[], request: PageRequest<Item, Key>): Page<Item> | undefined {
  const { size, token = '', list, keyOf, compare = compareValues } = request;
  const after = token === '' ? undefined : readToken(token, list);
  if (token !== '' && after === undefined) return undefined;
  // Tokens are written here with a key of `keyOf`.
  const rest = after === undefined ? items : items.filter((item) => compare(keyOf(item), after.key as Key) > 0);
  const page = rest.slice(0, size);
  const last = page.at(-1);
  const hasMore = last !== undefined && rest.length > page.length;
  return { items: page, nextToken: hasMore ? writeToken(list, keyOf(last)) : undefined };
}

/**
 * Hashes values to a number from 0 to 2^32 - 1, for ids and choices that must be the same in every call. Pass
 * `context.options.seed` as the first value to get other numbers for each seed.
 */
export function numberOf(...values: readonly unknown[]): number {
  return createHash('sha256').update(stringifyExactJson(values)).digest().readUInt32BE(0);
}

/** Runs tasks of a sandbox that have the same key one after another, so that their steps do not interleave. */
export async function inTurn<T>(
  { memory }: Pick<HandlerContext, 'memory'>,
  key: string,
  work: () => Promise<T>,
): Promise<T> {
  const ends = memory('works in turn', () => new Map<string, Promise<unknown>>());
  const result = (ends.get(key) ?? Promise.resolve()).then(work);
  const end = result.catch(() => {});
  ends.set(key, end);
  try {
    return await result;
  } finally {
    if (ends.get(key) === end) ends.delete(key);
  }
}

/** Copies an object without the members for which `isOmitted` returns true. */
export function omitMembers<Value extends object>(value: Value, isOmitted: (name: string) => boolean): Partial<Value> {
  // Safe cast: members were only left out.
  return withoutMembers(value as Item, isOmitted) as Partial<Value>;
}
