import { countOf } from '../counts.js';
import { quoteAll } from '../quote-text.js';
import { showLast, showSenders } from '../senders.js';
import type { DiffReport, ReportedChange } from './diff-report.js';

/**
 * `3 breaking changes; 1 affects 214 of 10,000 recorded calls. 2 of the calls match no operation.` Empty if there was no
 * recording.
 */
export function describeTraffic({ counts, traffic }: DiffReport): string[] {
  if (traffic === undefined) return [];
  const { calls, unknown, affecting } = traffic;
  const all = `${showNumber(calls)} recorded ${calls === 1 ? 'call' : 'calls'}`;
  const { changes, calls: affected } = affecting.breaking;
  const verb = changes === 1 ? '1 affects' : `${changes} affect`;
  const effect = changes === 0 ? `none affects any of ${all}` : `${verb} ${showNumber(affected)} of ${all}`;
  const first =
    counts.breaking === 0 ? `No breaking changes; ${all}` : `${countOf(counts.breaking, 'breaking change')}; ${effect}`;
  const rest = unknown === 0 ? '' : ` ${showNumber(unknown)} of the calls match no operation of the two specs.`;
  return [`${first}.${rest}`];
}

/**
 * `affects 214 recorded calls, the last on 2026-01-31 at 10:00:00 UTC, of "shop/1.2" (200) and "curl/8" (14)`. Empty if there
 * was no recording.
 *
 * @param showText - formats the texts of a recording.
 */
export function showAffected({ traffic }: ReportedChange, showText: (text: string) => string = quoteAll): string[] {
  if (traffic === undefined) return [];
  const { calls, last, clients } = traffic;
  if (calls === 0) return ['affects no recorded call'];
  const senders = showSenders(clients, showText);
  return [`affects ${showNumber(calls)} recorded ${calls === 1 ? 'call' : 'calls'}${showLast(last)} of ${senders}`];
}

function showNumber(count: number): string {
  return count.toLocaleString('en-US');
}
