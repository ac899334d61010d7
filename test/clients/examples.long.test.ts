import { execFile } from 'node:child_process';
import { cpSync, mkdtempSync, rmSync, symlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { promisify } from 'node:util';

import { afterAll, beforeAll, expect, it } from 'vitest';

import { startMock } from '../../entry/mock.js';

const root = path.join(import.meta.dirname, '../..');
const run = promisify(execFile);
let folder: string;

/** The programs, in a folder that has the libraries. */
beforeAll(() => {
  folder = mkdtempSync(path.join(tmpdir(), 'specmill-clients-'));
  cpSync(path.join(root, 'examples/clients'), folder, { recursive: true });
  symlinkSync(path.join(import.meta.dirname, 'node_modules'), path.join(folder, 'node_modules'));
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const books = { engineConfig: 'books.config.json', engineSchema: 'books.sql', data: 'books.yaml' };

/** The files that options name are those of the examples. */
function optionsOf(options: object): object {
  return Object.fromEntries(
    Object.entries(options).map(([name, value]) => [
      name,
      name === 'vendor' ? value : path.join(root, 'examples/clients', value),
    ]),
  );
}

const github = { vendor: 'github' };
const google = { vendor: 'google,header=goog' };

const RUNTIMES: Readonly<Record<string, readonly string[]>> = {
  '.mjs': [process.execPath],
  '.rb': ['ruby'],
  '.go': ['go', 'run'],
};
/** Where Debian puts the sources of Go's libraries. */
const env = { ...process.env, GO111MODULE: 'off', GOPATH: '/usr/share/gocode' };

it.each([
  ['octokit.mjs', 'notifications', github, ['notifications: 200 true']],
  ['octokit.rb', 'notifications', github, ['notifications: 0, 200']],
  ['bigquery.mjs', 'tables', { vendor: 'google' }, ['table: p:d.boats']],
  ['bigquery.go', 'tables', { vendor: 'google' }, ['table: p:d.boats, 2 columns', 'listed: boats']],
  ['genai.mjs', 'generation', google, ['text: string', 'embeddings: 8, 8']],
  ['ai-sdk.mjs', 'generation', google, ['text: string, stop', 'stream: true', 'embeddings: 2']],
  ['langchain.mjs', 'generation', google, ['text: string', 'embeddings: 2']],
  ['genkit.mjs', 'generation', google, ['text: string', 'embedding: true']],
  ['apollo.mjs', 'engine', books, ['books: Harbours']],
  ['urql.mjs', 'engine', books, ['book: Winds']],
  ['mcp.mjs', 'engine', books, ['tools: true', 'records: text']],
] as const)(
  'the program examples/clients/%s works against the mock of %s',
  async (program, api, options, printed) => {
    await using mock = await startMock(api, { port: 0, ...optionsOf(options) });
    const [runtime, ...words] = RUNTIMES[path.extname(program)] ?? [];
    const { stdout } = await run(runtime ?? '', [...words, path.join(folder, program), mock.url], { env });
    expect(stdout.trim().split('\n')).toEqual(printed);
  },
  240_000,
);

it('gh lists notifications over HTTPS, with the paths of an enterprise server', async () => {
  const [cert, key] = [path.join(folder, 'cert.pem'), path.join(folder, 'key.pem')];
  await run('openssl', [
    ...['req', '-x509', '-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:prime256v1', '-nodes', '-days', '2'],
    ...['-subj', '/CN=localhost', '-addext', 'subjectAltName=DNS:localhost', '-keyout', key, '-out', cert],
  ]);
  const tls = { tlsCert: cert, tlsKey: key, mount: ['notifications=/api/v3'] };
  await using mock = await startMock('notifications', { port: 0, vendor: 'github', ...tls });
  const address = `localhost:${new URL(mock.url).port}`;
  const { stdout } = await run('bash', [path.join(folder, 'gh.sh'), address, cert]);
  expect(stdout.trim()).toBe('notifications: 0');
});
