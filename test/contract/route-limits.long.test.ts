import { expect, test } from 'vitest';

import { type ContractOptions, type ContractReport, runContract, toText } from '../../entry/contract.js';
import { documentWith, loadDocument } from '../support/load-document.js';

const responses = { 200: { description: 'Done.' }, 400: { description: 'Refused.' } };
const size = { name: 'size', in: 'query', required: true, schema: { type: 'integer', minimum: 1, maximum: 9 } };
const NAMES = ['login', 'health', 'users', 'teams', 'roles'];
const PATHS = Object.fromEntries(
  NAMES.map((name) => [`/${name}`, { get: { operationId: name, parameters: [size], responses } }]),
);

interface LimitedRun {
  readonly report: ContractReport;
  /** The paths of all requests, in their order. */
  readonly sent: readonly string[];
}

/** Runs against a server that limits some requests. */
async function runLimited(
  isLimited: (name: string, count: number) => boolean,
  seconds: number,
  options: Partial<ContractOptions> = {},
): Promise<LimitedRun> {
  const sent: string[] = [];
  const api = await loadDocument(documentWith(PATHS));
  const report = await runContract({
    api,
    url: 'http://limited.mock',
    phases: ['examples', 'negative'],
    maxTime: '30s',
    ...options,
    fetch: async (input) => {
      const { pathname, searchParams } = new URL(input instanceof Request ? input.url : input);
      if (pathname === '/') return new Response();
      const name = pathname.slice(1);
      sent.push(name);
      const headers = { 'retry-after': String(seconds), 'x-ratelimit-limit': '10' };
      if (isLimited(name, sent.filter((one) => one === name).length))
        return new Response(null, { status: 429, headers });
      return new Response(null, { status: /^[1-9]$/.test(searchParams.get('size') ?? '') ? 200 : 400 });
    },
  });
  return { report, sent };
}

test('a limit of one operation beyond the end of the run leaves the others their time', async () => {
  const { report, sent } = await runLimited((name) => name === 'login', 600);
  expect(report.stopped).toBeUndefined();
  expect(report.findings.filter(({ operationId }) => operationId === 'login')).toEqual([]);
  expect(report.reach.notSent).toEqual(['login']);
  expect(report.reach.succeeded).toEqual(['health', 'users', 'teams', 'roles']);
  expect(sent.filter((name) => name === 'login')).toHaveLength(1);
  expect(toText(report)[0]).toBe('4 of 5 operations succeeded; 1 not sent (rate limit).');
  expect(report.reach.reasons['login']).toBe('rate limit: 10 requests, reset after 601 s');
  expect(report.notes).toContain(
    'login was put aside for a while: the server limits it (10 requests, reset after 601 s).',
  );
});

test('a limited operation goes on after its reset, with each of its cases, and others go on meanwhile', async () => {
  const free = await runLimited(() => false, 3);
  const { report, sent } = await runLimited((name, count) => name === 'login' && count === 6, 3);
  expect([free.sent.at(-1), sent.at(-1)]).toEqual(['roles', 'login']);
  const seenBy = (one: ContractReport): object | undefined =>
    one.coverage.operations.find(({ operationId }) => operationId === 'login')?.statuses;
  expect(seenBy(report)).toEqual({ ...seenBy(free.report), 429: 1 });
  expect(report.stopped).toBeUndefined();
});

test('a limit of the whole server is noticed after three operations', async () => {
  const { report, sent } = await runLimited((_, count) => count > 1, 600);
  expect(report.stopped).toBe('rate-limit');
  expect(sent).toHaveLength(NAMES.length + 3);
});

test('a run whose every operation is limited ends for the limit', async () => {
  const { report, sent } = await runLimited(() => true, 600, {
    includeOperations: ['operation:login', 'operation:health'],
  });
  expect({ stopped: report.stopped, sent }).toEqual({ stopped: 'rate-limit', sent: ['login', 'health'] });
});
