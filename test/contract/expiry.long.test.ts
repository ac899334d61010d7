import { runInNewContext } from 'node:vm';

import { expect, test } from 'vitest';

import { type ContractReport, runContract, toText } from '../../entry/contract.js';
import { startMock } from '../../entry/mock.js';
import { type Mutant, plantMutant, received } from './mutants.js';

/** Shows what it has shown once, whatever has become of it. */
const STALE: Mutant = {
  name: 'what has expired is still shown',
  respond: async ({ request, path, pass, memory }) => {
    const response = await pass();
    if (request.method !== 'GET' || !/\/cachedContents\/[^/]+$/.test(path)) return response;
    const known = memory.get(path);
    if (response.status === 404 && known !== undefined && !memory.has(`deleted ${path}`))
      return Response.json(JSON.parse(known));
    if (!response.ok) return response;
    const text = await response.text();
    memory.set(path, text);
    return received(response, { body: text });
  },
};

/** The same, but what was deleted is gone. */
const ONLY_EXPIRED: Mutant = {
  name: STALE.name,
  respond: async (seen) => {
    if (seen.request.method === 'DELETE') seen.memory.set(`deleted ${seen.path}`, '');
    return STALE.respond(seen);
  },
};

async function runWith(mutant: Mutant | undefined, hasClock = true): Promise<ContractReport> {
  await using mock = await startMock('generation', { noRateLimit: true });
  const planted = mutant === undefined ? mock.fetch : plantMutant(mutant, mock.fetch);
  const hidden: typeof fetch = async (input, init) =>
    new Request(input, init).url.includes('/__specmill/') ? new Response(null, { status: 404 }) : planted(input, init);
  const started = Date.now();
  const report = await runContract({
    api: 'generation',
    url: mock.url,
    fetch: hasClock ? planted : hidden,
    webSocket: mock.webSocket,
    phases: ['stateful'],
  });
  // The clock is where it was, but for the time that the run took.
  const { now } = await mock.clock.get();
  expect(Math.abs(Date.parse(now) - Date.now())).toBeLessThan(Date.now() - started + 1_000);
  return report;
}

async function runTest(code: string, send: typeof fetch): Promise<void> {
  let body: (() => Promise<void>) | undefined;
  const define = (_name: string, run: () => Promise<void>): void => void (body = run);
  runInNewContext(code, { test: define, expect, fetch: send, process });
  await body?.();
}

test('a run finds nothing in our mock, which removes expired items', async () => {
  const report = await runWith(undefined);
  expect(report.findings).toEqual([]);
  expect(report.notes).toEqual([]);
});

test('finds an expired item that is still shown, and the reproduction shows it again', async () => {
  const { findings } = await runWith(ONLY_EXPIRED);
  const finding = findings.find(({ check }) => check === 'gone after expiry');
  expect(finding).toMatchObject({ operationId: 'getCachedContent', pointer: '/expireTime', status: 200 });
  expect(findings).toHaveLength(1);
  await using mock = await startMock('generation', { noRateLimit: true });
  await expect(runTest(finding?.test ?? '', plantMutant(ONLY_EXPIRED, mock.fetch))).rejects.toThrow('expected');
  await mock.reset();
  await expect(runTest(finding?.test ?? '', mock.fetch)).resolves.toBeUndefined();
});

test('a server without a clock is not asked to wait, and the report says so', async () => {
  const report = await runWith(undefined, false);
  expect(report.findings).toEqual([]);
  expect(report.notes).toEqual([expect.stringMatching(/cachedContents.* was not tested/)]);
  expect(toText(report).join('\n')).toContain(report.notes[0]);
});
