import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { readFileSync } from 'node:fs';
import path from 'node:path';

import { beforeAll, describe, expect, onTestFinished, test } from 'vitest';

import {
  type ContractReport,
  runContract,
  toAnnotations,
  toHtml,
  toJunit,
  toSarif,
  toText,
} from '../../entry/contract.js';
import { loadApi } from '../../model/load-api.js';
import { runCaptured } from '../support/run-captured.js';
import { tempFolder } from '../support/temp-folder.js';

/** ESC, BEL, NEL and another C1 control, bidi overrides and isolates, separators of lines, and characters without a width. */
const EVIL = 'a\u001b[2Jb\u0007\u0085\u009b31m\u202e\u2066\u2028\u2029\u200b\ufeff\u00ad\u061c\u{e0001}\rz';
/** Characters that a terminal or an editor obeys instead of showing them, and line feeds inside of a value. */
const OBEYED = /[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u2028\u2029]|\p{Cf}/u;

const SPEC = path.join(import.meta.dirname, 'specs/library.yaml');

/** Says EVIL in each body, as text, JSON and the names of its members, and in each header that HTTP can carry. */
function answer(method: string): { status: number; headers: Record<string, string>; body: string } {
  const json = JSON.stringify({
    [EVIL]: EVIL,
    id: EVIL,
    title: EVIL,
    violations: [{ pointer: `/${EVIL}`, message: EVIL }],
  });
  const headers = { etag: '"\u009b31m\u0085"', 'content-type': 'application/json' };
  if (method === 'POST') return { status: 201, headers: { ...headers, location: '/books/\u009b' }, body: json };
  if (method === 'PATCH') return { status: 500, headers: { 'content-type': 'text/plain' }, body: EVIL };
  if (method === 'DELETE') return { status: 418, headers: { 'content-type': 'text/x-\u009b' }, body: EVIL };
  return { status: 200, headers, body: json };
}

const send: typeof fetch = async (input, init) => {
  const { status, headers, body } = answer(new Request(input, init).method);
  return new Response(body, { status, headers });
};

/** A report with EVIL in each text. */
function poisoned<Value>(value: Value): Value {
  if (typeof value === 'string') return `${value}${EVIL}` as Value;
  if (Array.isArray(value)) return value.map((item: unknown) => poisoned(item)) as Value;
  if (typeof value !== 'object' || value === null) return value;
  const keep = new Set(['severity', 'failOn', 'startedAt', 'method', 'stopped']);
  const members = Object.entries(value).map(([name, member]) => [name, keep.has(name) ? member : poisoned(member)]);
  return Object.fromEntries(members) as Value;
}

describe('control characters of a server and a spec are in no report', () => {
  let report: ContractReport;
  beforeAll(async () => {
    report = await runContract({ api: await loadApi(SPEC), url: 'http://library.mock', fetch: send, maxExamples: 20 });
  });

  const formats: readonly [string, (report: ContractReport) => string][] = [
    ['text', (one) => toText(one).join('\n')],
    ['GitHub', (one) => toAnnotations(one).join('\n')],
    ['HTML', toHtml],
    ['JUnit', toJunit],
    ['SARIF', toSarif],
  ];

  test.each(formats)('%s', (_name, render) => {
    expect(report.findings.length).toBeGreaterThan(5);
    expect(JSON.stringify(report.findings)).toContain(String.raw`\u001b[2J`);
    for (const one of [report, poisoned(report)]) expect(render(one)).not.toMatch(OBEYED);
  });

  test('SARIF is JSON with the same text', () => {
    const evil = poisoned(report);
    const { runs } = JSON.parse(toSarif(evil)) as { runs: { results: { ruleId: string }[] }[] };
    expect(runs[0]?.results[0]?.ruleId).toBe(evil.findings[0]?.check);
  });

  test('shell commands, printed tests and the command that repeats the run', () => {
    for (const { curl, test: code } of report.findings) expect(`${curl}${code}`).not.toMatch(OBEYED);
    expect(report.repeat).not.toMatch(OBEYED);
  });
});

test.each([
  ['text', []],
  ['JSON', ['--json']],
  ['annotations', ['--report', 'github']],
])('the command prints no control character of a server as %s', async (_name, flags) => {
  const server = createServer((request, response) => {
    const { status, headers, body } = answer(request.method ?? 'GET');
    request.resume().on('end', () => response.writeHead(status, headers).end(body));
  });
  onTestFinished(() => void server.close());
  await new Promise<void>((resolve) => void server.listen(0, '127.0.0.1', resolve));
  const folder = tempFolder();
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const argv = ['contract', '--spec', SPEC, '--url', url, '--max-examples', '5', '--report', 'json=out.json'];
  const run = await runCaptured(folder, ...argv, ...flags);
  const file = readFileSync(path.join(folder, 'out.json'), 'utf8');
  expect(`${run.out}${run.err}${file}`).not.toMatch(OBEYED);
  expect((JSON.parse(file) as ContractReport).findings.length).toBeGreaterThan(3);
});
