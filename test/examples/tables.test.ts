import { expect, test } from 'vitest';

import { runExample } from './run-example.js';

test('the example creates, reads and changes tables', async () => {
  expect(await runExample('tables/keep-tables.ts')).toEqual([
    'tables: books, orders, returns',
    'updated in 2 tries: What customers have ordered, {"team":"sales"}',
    'refused: 412',
    'expired: now false, in two hours true',
  ]);
});
