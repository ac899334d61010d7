import type { HeaderMap, MockRequest } from '../../http/messages.js';
import { readHttpDate, toHttpDate } from './times.js';

/** Seconds between two polls (x-assumption of the header). */
const POLL_INTERVAL = 60;

export function pollHeaders(modified: number): HeaderMap {
  return { 'last-modified': toHttpDate(modified), 'x-poll-interval': String(POLL_INTERVAL) };
}

/** Whether the caller has seen all of it: nothing is newer than its `If-Modified-Since`. */
export function isUnchanged({ headers }: Pick<MockRequest, 'headers'>, modified: number): boolean {
  const [header] = [headers['if-modified-since']].flat();
  const since = header === undefined ? undefined : readHttpDate(header);
  return since !== undefined && modified <= since;
}
