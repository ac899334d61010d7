import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';

import { describe, expect, it, onTestFinished, vi } from 'vitest';

import type { ExitStatus } from '../../cli/io.js';
import { runCli } from '../../cli/run-cli.js';
import { captureIo, runCaptured } from '../support/run-captured.js';
import { sampleSpec } from '../support/sample-spec.js';
import { tempFolder, writeTo } from '../support/temp-folder.js';

interface RunningCommand {
  readonly texts: { readonly out: string; readonly err: string };
  /** By name, as the line of JSON has them. */
  readonly urls: Readonly<Record<string, string>>;
  readonly stop: () => Promise<ExitStatus>;
}

/** Runs the command until it says that it is ready. */
async function runMock(cwd: string, ...argv: string[]): Promise<RunningCommand> {
  const controller = new AbortController();
  const { io, texts } = captureIo(cwd, controller.signal);
  const status = runCli(['mock', ...argv], io);
  const stop = (): Promise<ExitStatus> => {
    controller.abort();
    return status;
  };
  onTestFinished(() => void stop());
  await vi.waitFor(() => expect(texts.out + texts.err).not.toBe(''), { timeout: 20_000 });
  expect(texts.err).toBe('');
  const line = texts.out.startsWith('{')
    ? (JSON.parse(texts.out) as { mocks: { name: string; url: string }[] })
    : { mocks: [] };
  return { texts, stop, urls: Object.fromEntries(line.mocks.map(({ name, url }) => [name, url])) };
}

const CONFIG = 'apis: { pets: { spec: pets.yaml, output: out/pets }, birds: { spec: pets.yaml, output: out/birds } }\n';

function project(): string {
  return tempFolder({ 'specmill.config.yaml': CONFIG, 'pets.yaml': sampleSpec() });
}

describe('specmill mock', () => {
  it('serves the APIs that --mount names on one port, each below its path', async () => {
    const { urls } = await runMock(project(), '--json', '--port', '0', '--mount', 'pets=/p', '--mount', 'birds=/b/1');
    const origin = new URL(urls['pets'] ?? '').origin;
    expect(urls).toEqual({ pets: `${origin}/p`, birds: `${origin}/b/1` });
    expect(await (await fetch(`${origin}/b/1/__specmill/health`)).json()).toMatchObject({ api: 'birds' });
  });

  it.each([
    [['--mount', 'pets=/p', '--mount', 'brids=/b'], /no API named "brids"/],
    [['pets', '--mount', 'birds=/b'], /--mount names birds, which this command does not serve\./],
    [['pets', 'birds', '--mount', 'pets=/b'], /mount has no path for birds: add birds=\/PATH/],
    [['pets', 'birds', '--mount', 'pets=/b', '--mount', 'birds=/b/'], /--mount gives \/b to two APIs/],
    [['pets', '--tls-cert', 'none.pem', '--tls-key', 'none.pem'], /none\.pem The certificate cannot be read/],
  ])('refuses %j', async (argv, message) => {
    const { status, err } = await runCaptured(project(), 'mock', ...argv);
    expect([status, err]).toEqual([2, expect.stringMatching(message)]);
  });

  it('serves a large spec before all of it was read, and prints the diagnostics later', async () => {
    const responses = { 200: { description: 'OK', content: { 'application/json': { schema: { type: 'strung' } } } } };
    const paths = Array.from({ length: 100 }, (_, index) => [
      `/p${index}`,
      { get: { operationId: `g${index}`, responses } },
    ]);
    const spec = { openapi: '3.1.0', info: { title: 'Large', version: '1' }, paths: Object.fromEntries(paths) };
    const folder = tempFolder({ 'large.json': JSON.stringify(spec) });
    const { texts } = await runMock(folder, 'large.json', '--port', '0', '--json');
    await vi.waitFor(() => expect(texts.err).toMatch(/warning The keyword "type"/), { timeout: 20_000 });
  });

  it('serves the APIs of the configuration, prints a table, and exits 0 on SIGTERM', async () => {
    const { texts, stop } = await runMock(project(), '--port', '0');
    expect(texts.out).toMatch(
      /^API +URL +title\npets +http:\/\/127\.0\.0\.1:\d+ +Pets\nbirds +http:\/\/127\.0\.0\.1:\d+ +Pets\n/,
    );
    const url = /http\S+/.exec(texts.out)?.[0] ?? '';
    await vi.waitFor(() => expect(texts.out).toContain(`\nPets: ${url}/__specmill/\n  GET    ${url}/pets/{id}\n`));
    expect((await fetch(`${url}/__specmill/health`)).status).toBe(200);
    expect(await stop()).toBe(0);
    await expect(fetch(`${url}/__specmill/health`)).rejects.toThrow('fetch failed');
  });

  it.each([
    [[], /\d\d:\d\d:\d\d pets GET \/nowhere 404 \d+ ms/],
    [
      ['--log', 'json'],
      /\{"at":"[^"]+","api":"pets","sandbox":"default","method":"GET","path":"\/nowhere","status":404,/,
    ],
  ])('logs each call in one line: %j', async (flags, line) => {
    const { texts } = await runMock(project(), 'pets', '--port', '0', ...flags);
    await fetch(`${/http\S+/.exec(texts.out)?.[0]}/nowhere`);
    await vi.waitFor(() => expect(texts.out).toMatch(line));
  });

  it('prints the table alone with --quiet', async () => {
    const { texts, stop } = await runMock(project(), 'pets', '--port', '0', '--quiet');
    await fetch(`${/http\S+/.exec(texts.out)?.[0]}/nowhere`);
    await stop();
    expect(texts.out.split('\n')).toHaveLength(3);
  });

  it('prints one line of JSON when it is ready', async () => {
    const { texts, urls } = await runMock(project(), 'birds', '--port', '0', '--json');
    expect(texts.out.split('\n')).toHaveLength(2);
    expect(Object.keys(urls)).toEqual(['birds']);
  });

  it('gives the ports from --port in the order of the arguments', async () => {
    const free = await freePort();
    const { urls } = await runMock(project(), 'birds', 'pets', '--port', String(free), '--json');
    expect(urls).toEqual({ birds: `http://127.0.0.1:${free}`, pets: `http://127.0.0.1:${free + 1}` });
  });

  it('serves any spec', async () => {
    const { urls } = await runMock(project(), '--spec', 'pets.yaml', '--port', '0', '--json');
    const response = await fetch(`${urls['api']}/pets/1`, { headers: { prefer: 'dynamic=true' } });
    expect(response.status).toBe(200);
  });

  it('serves the packaged APIs if there is no configuration', async () => {
    const { urls } = await runMock(tempFolder(), 'signing', 'dictionary', '--port', '0', '--json');
    expect((await fetch(`${urls['signing']}/api/v2/getcase?id=1`)).status).toBe(401);
    expect((await fetch(`${urls['dictionary']}/dictionary/lookup`)).status).toBe(405);
  });

  it('applies the options of the command line', async () => {
    const cwd = project();
    writeTo(cwd, 'list.yaml', '- key: k\n');
    const flags = [
      '--seed',
      '7',
      '--validate',
      'warn',
      '--latency',
      '30ms',
      '--credentials',
      'list.yaml',
      '--callbacks',
      'any',
      '--no-rate-limit',
      '--stateless',
      '--watch',
    ];
    const { urls } = await runMock(cwd, 'pets', '--port', '0', '--json', ...flags);
    const start = performance.now();
    await fetch(`${urls['pets']}/pets/1`);
    expect(performance.now() - start).toBeGreaterThanOrEqual(25);
  });

  it('reloads a changed spec and keeps its state; an unreadable one leaves the previous version', async () => {
    const cwd = project();
    const { texts, urls } = await runMock(cwd, 'pets', '--port', '0', '--json');
    const url = urls['pets'] ?? '';
    const state = { collections: { kept: [{ id: '1', version: 1, value: 1 }] } };
    await fetch(`${url}/__specmill/state`, { method: 'PUT', body: JSON.stringify(state) });
    writeTo(cwd, 'pets.yaml', sampleSpec({ title: 'Cats' }));
    await vi.waitFor(() => expect(texts.err).toContain('reloaded pets (state kept)'), { timeout: 10_000 });
    expect(await (await fetch(`${url}/__specmill/health`)).json()).toMatchObject({ title: 'Cats' });
    expect(await (await fetch(`${url}/__specmill/state`)).json()).toMatchObject(state);
    writeTo(cwd, 'pets.yaml', 'nonsense: true');
    await vi.waitFor(() => expect(texts.err).toContain('neither OpenAPI'), { timeout: 10_000 });
    expect(await (await fetch(`${url}/__specmill/health`)).json()).toMatchObject({ title: 'Cats' });
    writeTo(cwd, 'pets.yaml', sampleSpec({ title: 'Dogs' }));
    await vi.waitFor(
      async () => expect(await (await fetch(`${url}/__specmill/health`)).json()).toMatchObject({ title: 'Dogs' }),
      { timeout: 10_000 },
    );
  });

  it.each<[string, string[], RegExp]>([
    ['an API that another mock serves', ['rate-limits'], /served and enforced by the mock of notifications/],
    ['an unknown API', ['pet'], /no API named "pet"\. Did you mean pets/],
    ['an invalid port', ['--port', 'x'], /--port must be a whole number/],
    ['a port that cannot be', ['pets', '--port', '70000'], /port must be a whole number from 0 to 65535/],
    ['a bad choice', ['--validate', 'maybe'], /--validate must be one of off, warn, error/],
    ['a bad duration', ['pets', '--latency', 'soon'], /The option latency must be a duration/],
    [
      'credentials that are not there',
      ['pets', '--credentials', 'none.yaml'],
      /credentials cannot be read: there is no such file/,
    ],
    ['a spec that is not there', ['--spec', 'none.yaml'], /none\.yaml/],
    ['a vendor with an unknown part', ['pets', '--vendor', 'acme,heder=x'], /The vendor has no part "heder"/],
  ])('refuses %s with exit 2', async (_name, argv, message) => {
    const { status, out, err } = await runCaptured(project(), 'mock', ...argv);
    expect([status, out]).toEqual([2, '']);
    expect(err).toMatch(message);
  });

  it('refuses a busy port with exit 2, and serves nothing then', async () => {
    const server = createServer();
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    onTestFinished(() => void server.close());
    const { port } = server.address() as AddressInfo;
    const { status, err } = await runCaptured(project(), 'mock', 'pets', '--port', String(port));
    expect([status, err]).toEqual([
      2,
      `specmill: Port ${port} of 127.0.0.1 is taken by another program. Choose another with --port.\n`,
    ]);
  });
});

/** A port that is free, as the one after it is. */
async function freePort(): Promise<number> {
  for (;;) {
    await using server = await listen(0);
    const { port } = server.address() as AddressInfo;
    try {
      await using _next = await listen(port + 1);
      return port;
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'EADDRINUSE' && port < 65_535) throw error;
    }
  }
}

async function listen(port: number): Promise<Server> {
  const server = createServer();
  server.listen(port, '127.0.0.1');
  await once(server, 'listening');
  return server;
}
