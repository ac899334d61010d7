import { setHeader } from './headers.js';
import { type PairWriter, type Writers, writePairs } from './serialize.js';

/** Adds cookies to a request. A browser ignores this: there the cookies of the page are sent. */
export function addCookies(headers: Headers, values: unknown, writers?: Writers<PairWriter>): void {
  const cookies = [...(headers.get('cookie')?.split('; ') ?? []), ...writePairs(values, writers)];
  if (cookies.length > 0) setHeader(headers, 'cookie', cookies.join('; '));
}
