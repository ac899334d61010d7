import { beforeEach, expect, test } from 'vitest';

import { client, control, createCase } from './worker-sandbox.js';

beforeEach(() => control('POST', 'reset'));

test('a service that fails once is called again', async () => {
  await control('PUT', 'faults', [{ operationId: 'findcases', status: 500, times: 1 }]);
  await expect(client.findcases()).resolves.toMatchObject({ status: 200 });
});

test('a call without retries fails with the documented status', async () => {
  await control('PUT', 'faults', [{ operationId: 'findcases', status: 500, times: 1 }]);
  await expect(client.findcases({}, { retry: false })).rejects.toMatchObject({ status: 500 });
});

test('what was called is in the journal', async () => {
  await createCase('Lease of Harbour Street 12');
  expect(await control('GET', 'requests')).toMatchObject([{ operationId: 'createcase', status: 200 }]);
});
