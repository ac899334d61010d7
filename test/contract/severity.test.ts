import { createServer, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import path from 'node:path';
import { readFileSync } from 'node:fs';

import { beforeEach, describe, expect, onTestFinished, test } from 'vitest';

import {
  type ContractReport,
  runContract,
  toAnnotations,
  toHtml,
  toJunit,
  toSarif,
  toText,
} from '../../entry/contract.js';
import { CHECKS } from '../../contract/types.js';
import { severityOf } from '../../contract/findings/severity.js';
import { runCaptured } from '../support/run-captured.js';
import { tempFolder } from '../support/temp-folder.js';

const BOOK = {
  type: 'object',
  required: ['title'],
  properties: {
    id: { type: 'string', readOnly: true },
    title: { type: 'string', minLength: 2 },
    pages: { type: 'integer', minimum: 1 },
    isOut: { type: 'boolean' },
    serial: { type: 'string', description: 'Assigned by the server.' },
  },
};
const json = { 'application/json': { schema: { $ref: '#/components/schemas/Book' } } };
const SPEC = {
  openapi: '3.1.0',
  info: { title: 'books', version: '1' },
  paths: {
    '/books': {
      post: {
        operationId: 'addBook',
        requestBody: { required: true, content: json },
        responses: { 201: { description: 'ok', content: json }, 400: { description: 'no' } },
      },
    },
  },
  components: { schemas: { Book: BOOK } },
};

type Book = Record<string, unknown>;
const REFUSED = new Response('{}', { status: 400, headers: { 'content-type': 'application/json' } });

/** A server that refuses only what `isRefused` names, and what is no JSON. */
function serve(isRefused: (book: Book) => boolean, headers: Record<string, string> = { allow: 'POST' }): typeof fetch {
  return async (input, init) => {
    const request = new Request(input, init);
    if (request.method !== 'POST') return new Response('', { status: 405, headers });
    const text = await request.text();
    const book: unknown = text.startsWith('{') && text !== '{"specmill": ' ? JSON.parse(text) : undefined;
    const isJson = request.headers.get('content-type') === 'application/json';
    if (book === undefined || !isJson || isRefused(book as Book)) return REFUSED.clone();
    return Response.json({ id: '1', title: 'Kytice' }, { status: 201 });
  };
}

/** What is wrong with a book, by the rules of the spec. */
function faultsOf({ title, pages, isOut, serial }: Book): string[] {
  return [
    ...(typeof title !== 'string' ? ['title'] : title.length < 2 ? ['short title'] : []),
    ...(pages === undefined || (Number.isInteger(pages) && Number(pages) > 0)
      ? []
      : [pages === null ? 'null pages' : pages === true ? 'true pages' : typeof pages === 'string' ? 'text' : 'pages']),
    ...(isOut === undefined || typeof isOut === 'boolean' ? [] : [isOut === null ? 'null isOut' : 'isOut']),
    ...(serial === undefined || typeof serial === 'string' ? [] : ['serial']),
  ];
}

const lenient = (...accepted: string[]): typeof fetch =>
  serve((book) => faultsOf(book).some((fault) => !accepted.includes(fault)));

async function find(send: typeof fetch, failOn?: 'error' | 'note'): Promise<ContractReport> {
  const spec = path.join(tempFolder({ 'books.json': JSON.stringify(SPEC) }), 'books.json');
  const phases = ['examples', 'negative'] as const;
  const skip = [{ check: 'written as sent' }];
  // A method that the collection does not have is sent only if its items may be changed.
  const options = { touchExisting: true, ...(failOn ? { failOn } : {}) };
  return runContract({ spec, url: 'http://books.mock', fetch: send, phases, skip, ...options });
}

describe('severity', () => {
  test('each check has a severity', () => {
    for (const check of CHECKS) expect(['error', 'warning', 'note']).toContain(severityOf({ check }));
  });

  test.each([
    ['null for an optional member', lenient('null pages', 'null isOut'), ['note /pages', 'note /isOut']],
    ['true for 1', lenient('true pages'), ['note /pages']],
    [
      'a text that is not a number, after true and null',
      lenient('true pages', 'null pages', 'text'),
      ['warning /pages'],
    ],
    ['a text that is too short', lenient('short title'), ['warning /title']],
    ['a missing member and other types of it', lenient('title'), ['warning /title']],
    ['a number below its bound', lenient('pages'), ['warning /pages']],
  ])('a finding has its severity if the server accepts %s', async (_what, send, expected) => {
    const { findings } = await find(send);
    const found = findings.flatMap(({ severity, pointer, alsoAt = [] }) =>
      [pointer, ...alsoAt.map((place) => place.pointer)].map((one) => `${severity} ${one.replace('body', '')}`),
    );
    expect(new Set(found)).toEqual(new Set(expected));
    expect(new Set(findings.map(({ check }) => check))).toEqual(new Set(['invalid input refused']));
  });

  test('a 405 without Allow is a note', async () => {
    const { findings } = await find(serve((book) => faultsOf(book).length > 0, {}));
    expect(findings.map(({ check, severity }) => `${severity}: ${check}`)).toEqual(['note: unsupported method']);
  });

  test('a member that the server sets according to its description is a note if readOnly is missing', async () => {
    const id = [{ name: 'id', in: 'path', required: true, schema: { type: 'string' } }];
    const get = { operationId: 'getBook', parameters: id, responses: { 404: { description: 'no' } } };
    const document = { ...SPEC, paths: { ...SPEC.paths, '/books/{id}': { get } } };
    const spec = path.join(tempFolder({ 'books.json': JSON.stringify(document) }), 'books.json');
    const books: typeof fetch = async (input, init) => {
      const request = new Request(input, init);
      if (request.method !== 'POST') return new Response('', { status: 405, headers: { allow: 'POST' } });
      const book = (await request.json()) as Book;
      return Response.json({ ...book, id: '1', serial: 'S-1' }, { status: 201 });
    };
    const { findings } = await runContract({ spec, url: 'http://books.mock', fetch: books, phases: ['examples'] });
    expect(findings.map(({ check, severity, pointer }) => `${severity}: ${check} ${pointer}`)).toEqual([
      'note: written as sent /serial',
    ]);
  });
});

describe('reports', () => {
  /** It accepts null and a short title, and fails with an empty list. */
  const send: typeof fetch = async (input, init) => {
    const request = new Request(input, init);
    if (request.method === 'POST' && (await request.clone().text()).includes('"title":[]'))
      return new Response('', { status: 500 });
    return lenient('null pages', 'short title')(request);
  };

  let report: ContractReport;
  beforeEach(async () => {
    report ??= await find(send);
  });

  test('reports list the worst findings first', () => {
    expect([...new Set(report.findings.map(({ severity }) => severity))]).toEqual(['error', 'warning', 'note']);
    const lines = toText(report);
    expect(lines.filter((line) => /^\d+\. /.test(line)).map((line) => line.split(': ').slice(0, 2).join(': '))).toEqual(
      report.findings.map(({ severity, check }, index) => `${index + 1}. ${severity}: ${check}`),
    );
    expect(lines.join('\n')).toContain('3 findings (1 error, 1 warning, 1 note)');
  });

  test('SARIF, GitHub and HTML have the severity of each finding', () => {
    const { runs } = JSON.parse(toSarif(report)) as { runs: { results: { level: string }[] }[] };
    expect(runs[0]?.results.map(({ level }) => level)).toEqual(['error', 'warning', 'note']);
    const levels = toAnnotations(report).map((line) => line.split(' ')[0]);
    expect(levels).toEqual(['::error', '::warning', '::notice', '::notice']);
    expect([...toHtml(report).matchAll(/<article id="finding-\d+" class="(\w+)"/g)].map(([, level]) => level)).toEqual([
      'error',
      'warning',
      'note',
    ]);
  });

  test.each([
    ['error', 1],
    ['warning', 2],
    ['note', 3],
  ] as const)('JUnit has a failure only for findings of severity %s or worse', (failOn, failures) => {
    const separate = report.findings.map((finding) => ({ ...finding, operationId: `${finding.severity}Of` }));
    const [operation] = report.coverage.operations;
    if (operation === undefined) throw new Error('The run has an operation.');
    const operations = separate.map(({ operationId }) => ({ ...operation, operationId }));
    const xml = toJunit({ ...report, failOn, findings: separate, coverage: { operations, keywords: {} } });
    expect([...xml.matchAll(/<failure type="(\w+)"/g)].map(([, type]) => type)).toEqual(
      ['error', 'warning', 'note'].slice(0, failures),
    );
    expect(xml.match(/<skipped message="(?:error|warning|note): /g) ?? []).toHaveLength(3 - failures);
  });
});

function sendTo(response: ServerResponse): (own: Response) => Promise<ServerResponse> {
  return async (own) => response.writeHead(own.status, Object.fromEntries(own.headers)).end(await own.text());
}

test.each([
  [[], 0],
  [['--fail-on', 'error'], 0],
  [['--fail-on', 'note'], 1],
])('the command with %j exits with %i if the server is only lenient', async (flags, status) => {
  const answer = lenient('null pages');
  const server = createServer((request, response) => {
    const chunks: Buffer[] = [];
    request.on('data', (chunk: Buffer) => chunks.push(chunk));
    request.on('end', () => {
      const { method = 'GET', headers } = request;
      const type = { 'content-type': headers['content-type'] ?? '' };
      const body = method === 'GET' || method === 'HEAD' ? null : Buffer.concat(chunks);
      void answer('http://books.mock/books', { method, headers: type, body }).then(sendTo(response));
    });
  });
  onTestFinished(() => void server.close());
  await new Promise<void>((resolve) => void server.listen(0, '127.0.0.1', resolve));
  const folder = tempFolder({
    'books.json': JSON.stringify(SPEC),
    'specmill.config.json': JSON.stringify({
      apis: { books: { spec: 'books.json', output: 'out', contract: { skip: [{ check: 'written as sent' }] } } },
    }),
  });
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const argv = ['contract', 'books', '--url', url, '--phase', 'examples,negative', '--report', 'json=out.json'];
  const run = await runCaptured(folder, ...argv, ...flags);
  expect({ status: run.status, err: run.err }).toEqual({ status, err: '' });
  const report = JSON.parse(readFileSync(path.join(folder, 'out.json'), 'utf8')) as ContractReport;
  expect(report.findings.map(({ severity }) => severity)).toEqual(['note']);
});
