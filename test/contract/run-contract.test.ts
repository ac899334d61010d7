import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { mkdtemp } from 'node:fs/promises';
import { tmpdir } from 'node:os';

import { expect, test } from 'vitest';

import { PHASES, runContract } from '../../entry/contract.js';
import { startMock } from '../../entry/mock.js';
import { loadApi } from '../../model/load-api.js';
import { loadDocument } from '../support/load-document.js';
import { runCaptured } from '../support/run-captured.js';
import { serveFetch } from '../support/serve-fetch.js';
import { TEXT, listOf, object, smallSpec } from '../support/small-spec.js';
import { findMutant, plantMutant } from './mutants.js';

const SPEC = path.join(import.meta.dirname, 'specs/library.yaml');

// The mocks of all APIs of ours follow their specs: own-apis.long.test.ts.
test('the path of a spec names the API, as on the command line', async () => {
  const api = await loadApi(SPEC);
  await using mock = await startMock(api, { noRateLimit: true });
  const options = { url: mock.url, fetch: mock.fetch, phases: ['examples'] as const, cwd: path.dirname(SPEC) };
  const report = await runContract({ ...options, api: 'library.yaml' });
  expect(report.operations).toBe(api.operations.length);
  expect(report.repeat).toContain('--spec library.yaml');
  await expect(runContract({ ...options, api: 'library' })).rejects.toThrow(/no API named "library"/);
});

test('a seed repeats the run exactly', async () => {
  const book = object({ id: { ...TEXT, readOnly: true }, title: TEXT, pages: { type: 'integer' } }, ['title']);
  const api = await loadDocument(
    smallSpec({
      'GET /books listBooks': { returns: listOf(book), query: { limit: { type: 'integer', minimum: 1 } } },
      'POST /books createBook': { takes: book, returns: book, status: 201 },
      'GET /books/{id} getBook': { returns: book },
      'DELETE /books/{id} deleteBook': { status: 204 },
    }),
  );
  const sent = async (): Promise<string[]> => {
    await using mock = await startMock(api, { noRateLimit: true });
    const lines: string[] = [];
    const watch: typeof fetch = (input, init) => {
      lines.push(JSON.stringify([init?.method, input, init?.body]));
      return mock.fetch(input, init);
    };
    await runContract({ api, url: mock.url, fetch: watch, seed: 42, maxExamples: 2 });
    return lines;
  };
  expect(await sent()).toEqual(await sent());
});

test('redirects are not followed, and made-up credentials are sent to this machine only', async () => {
  const api = await loadApi(SPEC);
  const hosts = new Set<string>();
  const credentials = new Set<string | null>();
  const redirect: typeof fetch = async (input, init) => {
    const request = new Request(input, init);
    hosts.add(new URL(request.url).host);
    credentials.add(request.headers.get('authorization'));
    expect(request.redirect).toBe('manual');
    return new Response(null, { status: 302, headers: { location: 'http://elsewhere.example.net/' } });
  };
  const report = await runContract({ api, url: 'https://api.example.com', fetch: redirect, maxExamples: 2 });
  expect([...hosts]).toEqual(['api.example.com']);
  // Beside none, only what no scheme knows.
  expect([...credentials].filter((one) => one !== null && !one.startsWith('Specmill-Unknown'))).toEqual([]);
  expect(report.findings.some(({ check }) => check === 'documented status')).toBe(true);
});

test('the command prints the findings, and how to reproduce them', async () => {
  const server = createServer((_, response) =>
    response.writeHead(500, { 'content-type': 'text/html' }).end('<b>crash</b>'),
  );
  await new Promise<void>((resolve) => void server.listen(0, '127.0.0.1', resolve));
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const folder = await mkdtemp(path.join(tmpdir(), 'specmill-contract-'));
  const reports = ['junit', 'html', 'json'].flatMap((kind) => ['--report', `${kind}=report.${kind}`]);
  const run = await runCaptured(folder, 'contract', '--spec', SPEC, '--url', url, '--phase', 'examples', ...reports);
  server.close();
  // It has findings, but no operation succeeded.
  expect(run.status).toBe(2);
  expect(run.out).toContain('no server error: createBook (500)');
  expect(run.out).toContain('curl -sS -i -g');
  const read = (kind: string): Promise<string> => readFile(path.join(folder, `report.${kind}`), 'utf8');
  expect(await read('html')).toContain('&lt;b&gt;crash');
  expect(await read('html')).not.toContain('<b>crash');
  expect(await read('junit')).toContain('<failure type="error"');
  expect(JSON.parse(await read('json'))).toMatchObject({
    seed: 1,
    findings: expect.arrayContaining([expect.objectContaining({ status: 500 })]),
  });
});

test('exits 2 at a wrong base path, because nothing succeeds, and 1 at the right one', async () => {
  await using mock = await startMock('library', { spec: SPEC, port: 0, noRateLimit: true });
  // At another path every response is 404, which some operations do not document: these are findings.
  await using server = await serveFetch(plantMutant(findMutant('a mistyped number'), mock.fetch), mock.url);
  const argv = ['contract', SPEC, '--phase', 'examples', '--url'];
  const wrong = await runCaptured(tmpdir(), ...argv, `${server.url}/wrong`);
  expect(wrong.err).toMatch(/^Nothing was tested: no operation succeeded/m);
  expect(wrong.out).toContain('documented status');
  expect(wrong.status).toBe(2);
  expect((await runCaptured(tmpdir(), ...argv, `${server.url}/v1`)).status).toBe(1);
});

test('a run fails with exit 2 if the server asks to wait for years', async () => {
  const server = createServer((_, response) => response.writeHead(429, { 'retry-after': '99999999999' }).end());
  await new Promise<void>((resolve) => void server.listen(0, '127.0.0.1', resolve));
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const run = await runCaptured(tmpdir(), 'contract', '--spec', SPEC, '--url', url);
  server.close();
  expect(run.status).toBe(2);
  expect(run.err).toMatch(/^Nothing was tested: .*asked to wait/m);
});

test.each([
  ['no url', ['signing']],
  ['no api', ['--url', 'http://127.0.0.1:1']],
  ['no server at the address', ['--spec', SPEC, '--url', 'http://127.0.0.1:1']],
  ['an unknown phase', ['--spec', SPEC, '--url', 'http://127.0.0.1:1', '--phase', 'chaos']],
  ['a bad header', ['--spec', SPEC, '--url', 'http://127.0.0.1:1', '--header', 'nothing']],
  ['a bad report', ['--spec', SPEC, '--url', 'http://127.0.0.1:1', '--report', 'pdf=x']],
  [
    'a report that cannot be written',
    ['--spec', SPEC, '--url', 'http://127.0.0.1:1', '--report', `html=${SPEC}/x.html`],
  ],
  ['a concurrency of 0', ['--spec', SPEC, '--url', 'http://127.0.0.1:1', '--concurrency', '0']],
  ['a bad time limit', ['--spec', SPEC, '--url', 'http://127.0.0.1:1', '--time-limit', '1 day']],
  ['a bad time', ['--spec', SPEC, '--url', 'http://127.0.0.1:1', '--max-time', 'soon']],
])('refuses the option: %s', async (_, argv) => {
  const run = await runCaptured(tmpdir(), 'contract', ...argv);
  expect(run.status).toBe(2);
  expect(run.err).toMatch(/^specmill: .+\.\n$/);
});

test('a run waits for a rate limit and continues', async () => {
  const api = await loadApi(SPEC);
  await using mock = await startMock(api, { noRateLimit: true });
  let refusals = 0;
  const limited: typeof fetch = async (input, init) => {
    if (refusals < 2 && (init?.method ?? 'GET') === 'POST') {
      refusals += 1;
      return new Response('{"message":"wait"}', { status: 429, headers: { 'retry-after': '0' } });
    }
    return mock.fetch(input, init);
  };
  const report = await runContract({ api, url: mock.url, fetch: limited, phases: ['examples'] });
  expect(report.findings).toEqual([]);
  const hard: typeof fetch = async () => new Response(null, { status: 429, headers: { 'retry-after': '3600' } });
  expect((await runContract({ api, url: mock.url, fetch: hard })).stopped).toBe('rate-limit');
});

test.each(PHASES)('a run with the phase %s only finds nothing without a fault', async (phase) => {
  const api = await loadApi(SPEC);
  await using mock = await startMock(api, { noRateLimit: true });
  const report = await runContract({ api, url: mock.url, fetch: mock.fetch, phases: [phase], maxExamples: 3 });
  expect(report.findings).toEqual([]);
});
