import { execFile } from 'node:child_process';
import { createHmac } from 'node:crypto';
import { copyFileSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { promisify } from 'node:util';

import { afterAll, beforeAll, expect, test } from 'vitest';

import { generate } from '../../generator/generate.js';
import { type EchoServer, type ReceivedRequest, startEchoServer } from '../support/echo-server.js';
import { OutputFolder } from '../support/output-folder.js';

const root = path.join(import.meta.dirname, '../..');
const page = readFileSync(path.join(root, 'docs/client.md'), 'utf8');

/** The examples of the page, by the number of their line. */
const examples = [...page.matchAll(/^```ts\n(.*?)^```$/gms)].map((match) => ({
  line: page.slice(0, match.index).split('\n').length,
  text: match[1] ?? '',
}));

const folder = new OutputFolder();
let server: EchoServer;
let outcomes: Promise<Readonly<Record<string, string>>>;
afterAll(async () => {
  folder[Symbol.dispose]();
  await server[Symbol.asyncDispose]();
});

const TOKEN = 'docs-token';
const ORDER = { id: '1', item: 'tea', placedAt: '2026-11-22T10:00:00Z', number: 42 };
let attempts = 0;

/** A shop that is not ours: it fails the first creation, and guards one order. */
function respond({ method, url, headers }: ReceivedRequest): readonly [number, unknown, string?] {
  const { pathname, searchParams } = new URL(url, 'http://x');
  if (pathname === '/token') return [200, { access_token: TOKEN, expires_in: 3600 }];
  if (pathname === '/orders/events')
    return [200, `id: 1\ndata: ${JSON.stringify(ORDER)}\n\ndata: [DONE]\n\n`, 'text/event-stream'];
  if (pathname.endsWith('/invoice')) return method === 'PUT' ? [204, ''] : [200, '%PDF', 'application/pdf'];
  if (pathname === '/orders/lost') return [404, { message: 'There is no such order.' }];
  if (pathname === '/orders/invalid') return [200, { id: 1 }];
  if (pathname === '/orders/secret' && headers.authorization !== `Bearer ${TOKEN}`) return [401, {}];
  if (pathname !== '/orders') return [200, ORDER];
  if (method === 'POST') return (attempts += 1) === 1 ? [503, {}] : [201, ORDER];
  const skip = Number(searchParams.get('skip'));
  return [200, [0, 1, 2, 3, 4].slice(skip, skip + 2).map((id) => ({ ...ORDER, id: String(id) }))];
}

beforeAll(async () => {
  server = await startEchoServer((request, response) => {
    const [status, body, type = 'application/json'] = respond(request);
    response.writeHead(status, status === 204 ? {} : { 'content-type': type });
    response.end(status === 204 ? undefined : typeof body === 'string' ? body : JSON.stringify(body));
  });
  copyFileSync(path.join(root, 'test/docs/shop.yaml'), path.join(folder.folder, 'shop.yaml'));
  for (const [output, options] of [
    ['shop', {}],
    ['grouped', { group: 'tags' }],
    ['typed', { dates: 'Date', int64: 'bigint', ids: 'branded' }],
  ] as const) {
    const shop = { spec: 'shop.yaml', output: `generated/${output}`, ...options };
    const { apis } = await generate({ cwd: folder.folder, config: { apis: { shop } } });
    if (apis[0]?.status === 'failed') throw apis[0].error ?? new Error(apis[0].diagnostics[0]?.message);
  }
  const setup = `declare const console: { log(...values: unknown[]): void };\nconst [baseUrl, token]: [string, string] = ['${server.url}', '${TOKEN}'];\nconsole.log(baseUrl, token);`;
  for (const { line, text } of examples) {
    const [imports = '', ...code] = text.split('\n\n');
    folder.write(`line-${line}.ts`, [imports, setup, ...code].join('\n\n'));
  }
  outcomes = runExamples();
}, 60_000);

test('every example has at most ten lines', () => {
  expect(examples.length).toBeGreaterThan(15);
  expect(
    examples.filter(
      ({ text }) => text.split('\n').filter((line) => line !== '' && !line.startsWith('import')).length > 10,
    ),
  ).toEqual([]);
});

test('every example compiles under the strictest flags', () => {
  expect(folder.typeCheck()).toBe('');
});

/** Runs the modules one after the other, and prints the error of each. */
const RUN_ALL = `
const outcomes = {};
const log = console.log;
console.log = () => {};
for (const file of process.argv.slice(1)) outcomes[file] = await import('./' + file).then(() => '', String);
log(JSON.stringify(outcomes));
`;

async function runExamples(): Promise<Readonly<Record<string, string>>> {
  const files = examples.filter(({ line }) => !isWebhook(line)).map(({ line }) => `line-${line}.mjs`);
  for (const file of files) folder.write(file, await folder.bundle(file.replace('.mjs', '.ts')));
  const words = ['--input-type=module', '-e', RUN_ALL, ...files];
  const { stdout } = await promisify(execFile)(process.execPath, words, { cwd: folder.folder });
  return JSON.parse(stdout) as Record<string, string>;
}

/** Whether an example receives requests, which the test below sends. */
function isWebhook(line: number): boolean {
  return page.split('\n').slice(line).join('\n').startsWith('import { parseWebhook');
}

test.each(examples.map(({ line }) => line))('the example in line %i of docs/client.md runs', async (line) => {
  if (!isWebhook(line)) {
    expect((await outcomes)[`line-${line}.mjs`]).toBe('');
    return;
  }
  const { receive } = await folder.run<{ receive: (request: Request) => Promise<Response> }>(`line-${line}.ts`);
  const body = JSON.stringify(ORDER);
  const signature = createHmac('sha256', TOKEN).update(body).digest('hex');
  const request = (value: string): Request =>
    new Request('http://me', {
      method: 'POST',
      body,
      headers: { 'x-signature': value, 'content-type': 'application/json' },
    });
  expect((await receive(request(`sha256=${signature}`))).status).toBe(204);
  expect((await receive(request('sha256=00'))).status).toBe(401);
});
