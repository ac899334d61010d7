import { expect, test } from 'vitest';

import { addOptionalValues } from '../../contract/execute/add-optional-values.js';
import { loadApi } from '../../entry/specmill.js';
import type { Call } from '../../contract/types.js';
import { findForeignApi } from './servers/servers.js';

/** Optional parameters of a list by name, all with the same value. */
async function listWith(names: readonly string[]): Promise<Call> {
  const api = await loadApi(findForeignApi('billing').spec);
  const operation = api.operations.find(({ id }) => id === 'ListCustomers');
  if (operation === undefined) throw new Error('The spec has no ListCustomers.');
  const parameters = operation.parameters.filter(({ name }) => names.includes(name)).map((one) => [one, 'x'] as const);
  return { operation, parameters: new Map(parameters) };
}

const namesIn = ({ parameters }: Call): string[] => [...parameters.keys()].map(({ name }) => name);

test('a call keeps all optional parameters but the one that the server refuses', async () => {
  const full = await listWith(['limit', 'starting_after', 'ending_before', 'email']);
  const sent: string[][] = [];
  const widest = await addOptionalValues({ ...full, parameters: new Map() }, full, async (call) => {
    sent.push(namesIn(call));
    return namesIn(call).includes('starting_after') ? undefined : call;
  });
  expect(namesIn(widest).sort()).toEqual(['email', 'ending_before', 'limit']);
  expect(sent.length).toBeLessThanOrEqual(6);
});

test('a call stays as it was accepted if the server refuses each optional parameter', async () => {
  const full = await listWith(['limit', 'email']);
  const widest = await addOptionalValues({ ...full, parameters: new Map() }, full, async () => undefined);
  expect(namesIn(widest)).toEqual([]);
});
