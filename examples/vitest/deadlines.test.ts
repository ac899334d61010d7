import { beforeEach, expect, test } from 'vitest';

import { client, control, createCase } from './worker-sandbox.js';

beforeEach(() => control('POST', 'reset'));

test('a case without a signature expires at its deadline', async () => {
  const id = await createCase('Lease of Harbour Street 12');
  await client.sendcase({ body: { id } });
  // The clock of this sandbox only: the other workers stay where they are.
  await control('PUT', 'clock', { advance: 'P15D' });
  const { data } = await client.getcase({ query: { id } });
  expect(data.Status).toBe('Expired');
});

test('a case that all have signed does not', async () => {
  const id = await createCase('Lease of Harbour Street 14');
  await client.sendcase({ body: { id } });
  await control('POST', 'actions/sign', { caseId: id, partyId: 'ingrid' });
  await control('PUT', 'clock', { advance: 'P15D' });
  const { data } = await client.getcase({ query: { id } });
  expect(data.Status).toBe('Finished');
});
