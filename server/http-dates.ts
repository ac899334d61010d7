import { type MockRequest, readHeader } from '../http/messages.js';

/** No format of a date shows years before 0000 or after 9999. Epoch milliseconds. */
const EARLIEST = Date.parse('0000-01-01T00:00:00Z');
export const LATEST: number = Date.UTC(9999, 11, 31, 23, 59, 59, 999);

/** Returns the closest time that formats of dates can show. */
export function toShownTime(time: number): number {
  return Math.min(Math.max(time, EARLIEST), LATEST);
}

/** Parses a date-time of RFC 3339 into epoch milliseconds. A leap second is the second after it. */
export function parseIsoTime(text: string): number {
  const [, hours, fraction] = /^(.{10}T..:..):60(.*)$/i.exec(text) ?? [];
  return hours === undefined ? Date.parse(text) : Date.parse(`${hours}:59${fraction}`) + 1_000;
}

/**
 * Formats epoch milliseconds as ISO 8601 in UTC, without a fraction of a second if it is zero. Times beyond the year
 * 9999 are the end of it.
 */
export function toIsoTime(time: number): string {
  return new Date(toShownTime(time)).toISOString().replace('.000Z', 'Z');
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
export function isNotModifiedSince(request: Pick<MockRequest, 'headers'>, changedAt: number): boolean {
  const header = readHeader(request, 'if-modified-since');
  const since = header === undefined ? undefined : parseHttpDate(header);
  return since !== undefined && changedAt <= since;
}
