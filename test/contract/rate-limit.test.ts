import { expect, test } from 'vitest';

import { limitDelay } from '../../contract/execute/http/retry-after.js';

const DATE = 'Thu, 01 Jan 2026 00:00:00 GMT';
const NOW = Date.parse(DATE) / 1_000;

const cases: readonly (readonly [string, number, Readonly<Record<string, string>>, number | undefined])[] = [
  ['seconds', 429, { 'retry-after': '3' }, 3_000],
  ['a moment, by the clock of the server', 429, { 'retry-after': 'Thu, 01 Jan 2026 00:00:07 GMT' }, 7_000],
  ['a 503 that says until when', 503, { 'retry-after': '2' }, 2_000],
  ['a 503 that does not', 503, {}, undefined],
  ['a 403 that says until when', 403, { 'retry-after': '2' }, 2_000],
  ['a 403 for any other reason', 403, { 'x-ratelimit-remaining': '7', 'x-ratelimit-reset': `${NOW + 9}` }, undefined],
  ['nothing left until a moment', 403, { 'x-ratelimit-remaining': '0', 'x-ratelimit-reset': `${NOW + 9}` }, 9_000],
  ['nothing left for some seconds', 429, { 'ratelimit-remaining': '0', 'ratelimit-reset': '4' }, 4_000],
  [
    'Retry-After before the reset',
    429,
    { 'retry-after': '1', 'ratelimit-remaining': '0', 'ratelimit-reset': '4' },
    1_000,
  ],
  ['a 429 that says nothing', 429, {}, 1_000],
  ['a 429 that says nonsense', 429, { 'retry-after': 'soon' }, 1_000],
  ['a moment that is past', 429, { 'retry-after': 'Wed, 31 Dec 2025 00:00:00 GMT' }, 0],
  ['no limit', 200, { 'retry-after': '5' }, undefined],
];

test.each(cases)('reads the wait of a rate limit: %s', (_, status, headers, wanted) => {
  const delay = limitDelay({ status, headers: new Headers({ date: DATE, ...headers }) });
  if (wanted === undefined) expect(delay).toBeUndefined();
  else expect(delay).toBe(wanted + 5);
});
