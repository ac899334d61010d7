import { type MockRequest, readHeader } from '../http/messages.js';

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
export function isNotModifiedSince(request: Pick<MockRequest, 'headers'>, changedAt: number): boolean {
  const header = readHeader(request, 'if-modified-since');
  const since = header === undefined ? undefined : parseHttpDate(header);
  return since !== undefined && changedAt <= since;
}
