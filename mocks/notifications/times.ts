/** ISO 8601 in UTC, without a fraction where there is none. */
export function toIsoTime(time: number): string {
  return new Date(time).toISOString().replace('.000Z', 'Z');
}

/** A date of HTTP. */
export function toHttpDate(seconds: number): string {
  return new Date(seconds * 1_000).toUTCString();
}

const DAY = '(?:Mon|Tue|Wed|Thu|Fri|Sat|Sun)';
const MONTH = '(?:Jan|Feb|Mar|Apr|May|Jun|Jul|Aug|Sep|Oct|Nov|Dec)';
const TIME = '[0-9]{2}:[0-9]{2}:[0-9]{2}';
/** The three forms that a date of HTTP may have (RFC 9110, 5.6.7). */
const HTTP_DATES: readonly RegExp[] = [
  new RegExp(`^${DAY}, [0-9]{2} ${MONTH} [0-9]{4} ${TIME} GMT$`),
  new RegExp(`^${DAY}[a-z]*, [0-9]{2}-${MONTH}-[0-9]{2} ${TIME} GMT$`),
  new RegExp(`^${DAY} ${MONTH} [ 0-9][0-9] ${TIME} [0-9]{4}$`),
];

/** Epoch seconds of a date of HTTP; `undefined` where it is none, which is then ignored. */
export function readHttpDate(text: string): number | undefined {
  if (!HTTP_DATES.some((form) => form.test(text))) return undefined;
  const time = Date.parse(text.endsWith('GMT') ? text : `${text} GMT`);
  return Number.isNaN(time) ? undefined : time / 1_000;
}
