import type { ResponseHeaders, Exchange } from '../../types.js';

/** Used if the server gives no delay. Milliseconds. */
const DEFAULT_DELAY = 1_000;
/** Added because clocks and timers are not exact. Milliseconds. */
const MARGIN = 5;

/**
 * Returns how long a server asks to wait, in milliseconds; `undefined` if it sets no limit. 403 and 503 are limits only
 * if they say how long.
 */
export function limitDelay({ status, headers }: Pick<Exchange, 'status' | 'headers'>): number | undefined {
  if (status !== 429 && status !== 403 && status !== 503) return undefined;
  const asked = retryAfter(headers) ?? (status === 503 ? undefined : untilReset(headers));
  const delay = asked ?? (status === 429 ? DEFAULT_DELAY : undefined);
  return delay === undefined ? undefined : Math.max(0, delay) + MARGIN;
}

/** `Retry-After` (RFC 9110, 10.2.3): seconds, or a date. */
function retryAfter(headers: ResponseHeaders): number | undefined {
  const text = headers.get('retry-after')?.trim();
  if (text === undefined || text === '') return undefined;
  if (/^\d+(?:\.\d+)?$/.test(text)) return Number(text) * 1_000;
  const moment = Date.parse(text);
  return Number.isNaN(moment) ? undefined : moment - serverTime(headers);
}

/** From this value on, a number is a time in seconds since 1970; below, it is a number of seconds to wait. */
const FIRST_MOMENT = 1_000_000_000;

/** Reads `RateLimit-Reset` and its variants: seconds to wait, or a time in seconds since 1970. */
function untilReset(headers: ResponseHeaders): number | undefined {
  for (const prefix of ['ratelimit-', 'x-ratelimit-', 'x-rate-limit-']) {
    const reset = Number(headers.get(`${prefix}reset`) ?? Number.NaN);
    if (headers.get(`${prefix}remaining`)?.trim() !== '0' || Number.isNaN(reset)) continue;
    return reset < FIRST_MOMENT ? reset * 1_000 : reset * 1_000 - serverTime(headers);
  }
  return undefined;
}

/** The server's time, which may differ from ours. Milliseconds since 1970. */
function serverTime(headers: ResponseHeaders): number {
  const moment = Date.parse(headers.get('date') ?? '');
  return Number.isNaN(moment) ? Date.now() : moment;
}
