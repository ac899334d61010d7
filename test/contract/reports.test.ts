import path from 'node:path';

import { beforeAll, describe, expect, test } from 'vitest';

import { type ContractReport, checkResponse, runContract, toHtml, toJunit, toText } from '../../entry/contract.js';
import { startMock } from '../../entry/mock.js';
import { loadApi } from '../../model/load-api.js';
import { runPastedTest } from '../support/run-pasted-test.js';
import { type Mutant, plantMutant } from './mutants.js';

const SPEC = path.join(import.meta.dirname, 'specs/library.yaml');
const EVIL = '</pre></script><img src=x onerror=alert(1)>{{constructor}}]]>\u0000\u001b[31m\u202e"\'`${1}\u2028\ud800';

/** A book that is not as the spec says, with text that would like to be more than text; and a change that fails. */
const HOSTILE: Mutant = {
  name: 'hostile',
  respond: async ({ request, path: at, pass }) => {
    if (request.method === 'PATCH')
      return new Response(EVIL, { status: 500, headers: { 'content-type': 'text/plain' } });
    if (request.method !== 'GET' || !at.startsWith('/books/')) return pass();
    return Response.json({ id: 7, title: EVIL, pages: EVIL }, { headers: { etag: '"1"' } });
  },
};

let mock: Awaited<ReturnType<typeof startMock>>;
let faulty: typeof fetch;
let report: ContractReport;

beforeAll(async () => {
  mock = await startMock(await loadApi(SPEC), { noRateLimit: true });
  faulty = plantMutant(HOSTILE, mock.fetch);
  const phases = ['examples', 'boundary', 'negative'] as const;
  report = await runContract({ spec: SPEC, url: mock.url, fetch: faulty, seed: 3, phases, maxExamples: 20 });
});

describe('hostile text stays text', () => {
  test('hostile text stays text on the page, which loads and runs nothing', () => {
    const page = toHtml(report);
    expect(page).toContain('&lt;img');
    expect(page).not.toMatch(/<(?:img|script|link|iframe)|\son\w+=|https?:\/\/(?!library\.mock)/);
    expect(page).toContain("default-src 'none'");
    expect(page).not.toMatch(/[\u0000\u001b\u202e]/);
  });

  test('hostile text stays text in JUnit', () => {
    expect(toJunit(report)).not.toMatch(/<img|\]\]>|[\u0000-\u0008\u000b-\u001f\ufffe\uffff\u202e]|\p{Cs}/u);
  });
});

describe('each report shows the findings', () => {
  test('the page shows the verdict, the findings, how to repeat them, and the coverage', () => {
    const page = toHtml(report);
    expect(page).toContain(`${report.findings.length} findings</p>`);
    for (const { message } of report.findings.slice(0, 1)) expect(page).toContain(message.replaceAll('"', '&quot;'));
    expect(page).toContain('curl -sS -i -g');
    expect(page).toContain('--seed 3 --phase examples,boundary,negative --max-examples 20');
    expect(page.match(/<tr(?: class="unreached")?><td>/g)).toHaveLength(report.coverage.operations.length);
  });

  test('JUnit has as many cases and failures as it counts', () => {
    const xml = toJunit(report);
    const count = (text: string): number => xml.split(text).length - 1;
    expect(xml).toContain(` tests="${count('<testcase ')}" failures="${count('<failure ')}" errors="0"`);
    const failed = new Set(report.findings.map(({ operationId, check }) => `${operationId}: ${check}`));
    expect(count('<failure ')).toBe(failed.size);
    const names = [...xml.matchAll(/<testcase [^>]*name="([^"]*)"/g)].map(([, name]) => name);
    expect(new Set(names).size).toBe(names.length);
  });

  test('the text shows the findings, then the coverage of operations, statuses and keywords, then how to repeat the run', () => {
    const text = toText(report).join('\n');
    expect(text.indexOf('Coverage')).toBeGreaterThan(text.lastIndexOf('curl -sS'));
    expect(text).toMatch(/^ {2}changeBook +(?:4\d\d×\d+ )?500×\d+/m);
    expect(text).toMatch(/maxLength \d+\/\d+/);
    expect(text).toMatch(/^Again: specmill contract --spec \S+library\.yaml --url http:\/\/library\.mock\/ --seed 3/m);
  });
});

test('the command that repeats a run has the options of the run, and no secret', async () => {
  const { repeat } = await runContract({
    spec: SPEC,
    url: 'http://library.mock',
    fetch: async () => new Response(null, { status: 503 }),
    phases: ['examples'],
    timeLimit: 1_500,
    maxTime: '20s',
    includeOperations: ['path:/books*'],
    readOnly: true,
    insecure: false,
    otherHeaders: { authorization: 'Bearer secret' },
  });
  expect(repeat).toMatch(/ --time-limit 1500ms --max-time 20s --include 'path:\/books\*' --read-only --other-header /);
  expect(repeat).toMatch(/ 'authorization: '"\$OTHER_AUTHORIZATION"$/);
});

async function runTest(code: string, send: typeof fetch): Promise<void> {
  await runPastedTest(code, { fetch: send, checkResponse, process });
}

describe('the test of a finding', () => {
  test('the test of a finding fails on the server with the fault, and passes on one without it', async () => {
    expect(report.findings.length).toBeGreaterThan(2);
    for (const { test: code } of report.findings) {
      await expect(runTest(code, faulty)).rejects.toThrow(/expected/);
      await expect(runTest(code, mock.fetch)).resolves.toBeUndefined();
    }
  });
});

describe('a single response', () => {
  const check = (response: Response, operation = 'getBook'): ReturnType<typeof checkResponse> =>
    checkResponse({ spec: SPEC, operation, response });

  test('a single response is checked against the spec', async () => {
    const headers = { etag: '"1"' };
    expect(await check(Response.json({ id: '1', title: 'Kytice', pages: 180 }, { headers }))).toEqual([]);
    expect(await check(Response.json({ id: '1', title: 'Kytice', pages: 0 }))).toEqual([
      expect.objectContaining({ check: 'response headers', message: 'The header ETag is missing.' }),
      expect.objectContaining({ check: 'response schema', pointer: '/pages' }),
    ]);
    expect(await check(new Response(null, { status: 418 }))).toEqual([
      expect.objectContaining({ check: 'documented status' }),
    ]);
  });

  test('a single response needs an operation of the spec', async () => {
    await expect(check(new Response(), 'getBok')).rejects.toThrow('no operation "getBok". Did you mean getBook?');
  });
});
