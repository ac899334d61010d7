import { beforeEach, expect, test } from 'vitest';

import { client, control, createCase } from './worker-sandbox.js';

beforeEach(() => control('POST', 'reset'));

test('a search finds the cases of this test, and of no other', async () => {
  for (const name of ['Spring lease', 'Summer lease', 'Boat']) await createCase(name);
  const names = new Set<string | undefined>();
  for await (const { Name } of client.findcasesItems({ query: { Search: 'lease' } })) names.add(Name);
  expect(names).toEqual(new Set(['Spring lease', 'Summer lease']));
});

test('after a reset there is nothing', async () => {
  const { data } = await client.findcases();
  expect(data).toEqual([]);
});
