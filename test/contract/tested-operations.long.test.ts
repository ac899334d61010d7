import path from 'node:path';

import { describe, expect, test } from 'vitest';

import { type ContractOptions, type ContractReport, runContract, toJunit, toText } from '../../entry/contract.js';
import { startMock } from '../../entry/mock.js';
import { loadApi } from '../../entry/specmill.js';
import { testServer } from './servers/measure-servers.js';
import { findForeignApi } from './servers/servers.js';

const LIBRARY = path.join(import.meta.dirname, 'specs/library.yaml');

describe('a run that tested nothing', () => {
  const refused: typeof fetch = async () => Response.json({ error: 'Log in first' }, { status: 401 });
  const runWith = async (options: Partial<ContractOptions>): Promise<ContractReport> =>
    runContract({
      api: await loadApi(findForeignApi('tickets').spec),
      url: 'http://127.0.0.1:9/v1',
      maxExamples: 5,
      ...options,
    });

  test('a run that tested nothing says so first, with the likely reason, in text and JUnit', async () => {
    const report = await runWith({ fetch: refused });
    expect(report.findings).toEqual([]);
    expect(report.nothingTested).toContain('a valid credential is needed');
    expect(toText(report)[0]).toMatch(/^Nothing was tested: .*401/);
    expect(toJunit(report)).toContain('<failure');
    expect(report.unreached.map(({ operationId }) => operationId)).toContain('listTickets');
  });

  test('a run tested nothing if its first response asks to wait longer than the run may', async () => {
    const busy: typeof fetch = async () => new Response(null, { status: 429, headers: { 'retry-after': '600' } });
    const report = await runWith({ fetch: busy });
    expect([report.stopped, report.requests]).toEqual(['rate-limit', 3]);
    expect(report.nothingTested).toMatch(/^no operation succeeded before /);
    expect(toText(report).join('\n')).toContain('0 findings in 3 requests, ');
  });

  test('the coverage of keywords ignores requests that were refused for their credential', async () => {
    const { coverage } = await runWith({ fetch: refused });
    expect(Object.values(coverage.keywords).reduce((sum, { broken }) => sum + broken, 0)).toBe(0);
  });
});

describe('the operations of a run', () => {
  const requested = async (options: Partial<ContractOptions>): Promise<string[]> => {
    const { coverage } = await testServer(findForeignApi('tickets'), undefined, {
      phases: ['examples'],
      // No project is created, so that its deletion may only concern those that were there before.
      touchExisting: true,
      ...options,
    });
    return coverage.operations.filter(({ requests }) => requests > 0).map(({ operationId }) => operationId);
  };

  test('the operations of a run are those that are included and not excluded', async () => {
    expect(await requested({ includeOperations: ['path:/projects*'], excludeOperations: ['method:post'] })).toEqual([
      'listProjects',
      'getProject',
      'deleteProject',
    ]);
    await expect(requested({ includeOperations: ['operation:nothing'] })).rejects.toThrow('No operation fits');
    await expect(requested({ includeOperations: ['projects'] })).rejects.toThrow('is not written tag:');
  });

  test('the operations of a run leave the server unchanged if they only read', async () => {
    const { coverage } = await testServer(findForeignApi('warehouse'), undefined, { readOnly: true });
    const methods = new Set(coverage.operations.filter(({ requests }) => requests > 0).map(({ method }) => method));
    expect([...methods]).toEqual(['GET']);
  });
});

test.each<[string, Partial<ContractOptions>, readonly string[]]>([
  ['only reads', { readOnly: true }, ['GET', 'HEAD']],
  ['includes only GET', { includeOperations: ['method:get'] }, ['GET']],
  [
    'excludes DELETE and PATCH',
    { excludeOperations: ['method:delete', 'method:patch'] },
    ['GET', 'HEAD', 'POST', 'PUT'],
  ],
])('a run that %s sends no other method, not even an undocumented one', async (_what, options, allowed) => {
  const sent = new Set<string>();
  await using mock = await startMock('library', { spec: LIBRARY, items: 2 });
  const fetch: typeof mock.fetch = async (input, init) => {
    sent.add(init?.method ?? 'GET');
    return mock.fetch(input, init);
  };
  const { findings } = await runContract({ spec: LIBRARY, url: mock.url, fetch, maxExamples: 2, ...options });
  expect(findings).toEqual([]);
  expect([...sent].toSorted()).toEqual(allowed);
});

test('items that existed before the run are neither changed nor deleted', async () => {
  const api = findForeignApi('warehouse');
  const server = await api.start();
  const read = async (): Promise<{ items: readonly { readonly id: number }[] }> => {
    const response = await fetch(`${server.url}/products?perPage=100`, { headers: api.headers ?? {} });
    return (await response.json()) as { items: readonly { readonly id: number }[] };
  };
  try {
    const before = await read();
    await runContract({ api: await loadApi(api.spec), url: server.url, headers: api.headers ?? {}, maxExamples: 2 });
    const after = await read();
    for (const item of before.items) expect(after.items.find(({ id }) => id === item.id)).toEqual(item);
  } finally {
    await server.close();
  }
}, 120_000);

test('accepted findings are omitted', async () => {
  const baseline = [{ check: 'no server error', operationId: 'getProduct' }];
  const { findings } = await testServer(findForeignApi('warehouse'), 'unknown-id-500', {
    baseline,
    includeOperations: ['operation:getProduct'],
  });
  expect(
    findings.filter(({ operationId, check }) => operationId === 'getProduct' && check === 'no server error'),
  ).toEqual([]);
}, 120_000);
