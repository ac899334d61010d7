import { expect, test } from 'vitest';

import { runExample } from './run-example.js';

test('the example waits until a rate limit is over', async () => {
  expect(await runExample('rate-limits/stay-within-limits.ts')).toEqual([
    'a write costs 5 points, an endpoint has 900 in 60 s',
    'at first: 0 of 5000 used, 5000 left',
    'refused: 403, retry-after 60',
    'careless: 180 of 5000 used, 4820 left',
    'waiting 60 s',
    'careful: 181 of 5000 used, 4819 left',
  ]);
});
