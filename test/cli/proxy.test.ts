import { existsSync, mkdirSync, readFileSync } from 'node:fs';
import path from 'node:path';

import { describe, expect, it, onTestFinished, vi } from 'vitest';
import { validateXML } from 'xmllint-wasm';

import type { ExitStatus } from '../../cli/io.js';
import { runCli } from '../../cli/run-cli.js';
import type { ProxyReport } from '../../entry/mock.js';
import { type EchoServer, startEchoServer } from '../support/echo-server.js';
import { captureIo, runCaptured } from '../support/run-captured.js';
import { sampleSpec } from '../support/sample-spec.js';
import { tempFolder } from '../support/temp-folder.js';

interface RunningCommand {
  readonly cwd: string;
  readonly texts: { readonly out: string; readonly err: string };
  readonly url: string;
  readonly server: EchoServer;
  readonly stop: () => Promise<ExitStatus>;
}

/** Runs the command until it says that it is ready, in front of a server whose pets have no name. */
async function runProxy(...argv: string[]): Promise<RunningCommand> {
  const cwd = tempFolder({ 'pets.yaml': sampleSpec() });
  const server = await startEchoServer((request, response) =>
    request.method === 'POST'
      ? response.writeHead(204).end()
      : response.setHeader('content-type', 'application/json').end('{"age":1}'),
  );
  onTestFinished(() => server[Symbol.asyncDispose]());
  const controller = new AbortController();
  const { io, texts } = captureIo(cwd, controller.signal);
  const status = runCli(['proxy', '--spec', 'pets.yaml', '--upstream', server.url, '--port', '0', ...argv], io);
  const stop = (): Promise<ExitStatus> => {
    controller.abort();
    return status;
  };
  onTestFinished(() => void stop());
  await vi.waitFor(() => expect(texts.out + texts.err).not.toBe(''), { timeout: 20_000 });
  expect(texts.err).toBe('');
  return { cwd, texts, server, stop, url: /http:\/\/127\.0\.0\.1:\d+/.exec(texts.out)?.[0] ?? '' };
}

const MISSING_NAME = "must have required property 'name'";

describe('specmill proxy', () => {
  it('prints violations as they come and a report at the end, and exits 1 with some', async () => {
    const { texts, url, server, stop } = await runProxy();
    expect(texts.out).toBe(`api: ${url} forwards to ${server.url}; Ctrl-C stops the proxy and prints the report\n`);
    for (const id of ['1', '2', '%1b[31m']) await (await fetch(`${url}/pets/${id}`)).text();
    await (await fetch(`${url}/cats`)).text();
    expect(await stop()).toBe(1);
    expect(texts.err.split('\n')).toEqual([
      `GET /pets/1 → 200: response /body ${MISSING_NAME}`,
      `GET /pets/2 → 200: response /body ${MISSING_NAME}`,
      `GET /pets/%1b[31m → 200: response /body ${MISSING_NAME}`,
      'GET /cats → 200: request path must be a documented path',
      '',
    ]);
    expect(texts.out.split('\n').slice(1)).toEqual([
      '',
      '1. getPet → 200: response /body, 3 times',
      `   ${MISSING_NAME}`,
      '   first in GET /pets/1',
      '',
      '2. GET /cats → 200: request path',
      '   must be a documented path',
      '',
      `2 distinct violations, in 4 of 4 calls to ${server.url}`,
      '',
    ]);
  });

  it('exits 0 without violations', async () => {
    const { texts, url, server, stop } = await runProxy();
    expect((await fetch(`${url}/owners`, { method: 'POST' })).status).toBe(204);
    expect(await stop()).toBe(0);
    expect(texts.out).toContain(`No violations in 1 call to ${server.url}\n`);
  });

  it('writes recording and report, and with --json one line when it is ready and one at the end', async () => {
    const { cwd, texts, url, server, stop } = await runProxy(
      '--json',
      '--record',
      'traffic.har',
      '--report',
      'json=report.json',
    );
    expect(texts.out).toBe(`${JSON.stringify({ proxy: { name: 'api', url, upstream: server.url } })}\n`);
    await (await fetch(`${url}/pets/1`)).text();
    expect(existsSync(path.join(cwd, 'traffic.har'))).toBe(false);
    expect(await stop()).toBe(1);
    const [, line = '', ...rest] = texts.out.split('\n');
    const report = JSON.parse(line) as ProxyReport;
    expect([rest, texts.err]).toEqual([[''], '']);
    expect(report).toMatchObject({ calls: 1, violations: [{ operationId: 'getPet', count: 1 }] });
    expect(JSON.parse(readFileSync(path.join(cwd, 'report.json'), 'utf8'))).toEqual(report);
    expect(JSON.parse(readFileSync(path.join(cwd, 'traffic.har'), 'utf8'))).toMatchObject({ log: { entries: [{}] } });
  });

  it('writes HTML and JUnit reports, in which hostile paths stay text', async () => {
    const { cwd, url, stop } = await runProxy('--report', 'html=out/page.html', '--report', 'junit=out/junit.xml');
    await (await fetch(`${url}/pets/1`)).text();
    await (await fetch(`${url}/cats?<script>alert(1)</script>"'&]]>`)).text();
    expect(await stop()).toBe(1);
    const page = readFileSync(path.join(cwd, 'out/page.html'), 'utf8');
    expect(page).toContain('2 violations</p>');
    expect(page).not.toMatch(/<script|<img/);
    const xml = readFileSync(path.join(cwd, 'out/junit.xml'), 'utf8');
    const schema = readFileSync(path.join(import.meta.dirname, '../contract/specs/junit.xsd'), 'utf8');
    expect((await validateXML({ xml, schema })).errors).toEqual([]);
    expect(xml).toMatch(/tests="(\d+)" failures="2"/);
    expect(xml).toContain('<skipped message="not called"/>');
  });

  it('responds with an error to violations with --errors', async () => {
    const { url, stop } = await runProxy('--errors', '--timeout', '5s');
    expect((await fetch(`${url}/cats`)).status).toBe(404);
    expect((await fetch(`${url}/pets/1`)).status).toBe(502);
    expect(await stop()).toBe(1);
  });

  it('exits 2 after the report if the recording cannot be written', async () => {
    const { cwd, texts, stop } = await runProxy('--record', 'traffic.har');
    mkdirSync(path.join(cwd, 'traffic.har', 'x'), { recursive: true });
    expect(await stop()).toBe(2);
    expect(texts.out).toContain('No violations in 0 calls');
    expect(texts.err).toMatch(
      /^specmill: traffic\.har The recording cannot be written: .* The calls so far are in traffic\.har\.\d+\.partial\.\n$/,
    );
  });

  it.each<[string, string[], RegExp]>([
    ['no upstream', ['signing'], /Missing --upstream URL/],
    ['an invalid upstream', ['signing', '--upstream', 'localhost:80'], /The upstream must be a URL such as/],
    [
      'no API',
      ['--upstream', 'http://x'],
      /Missing API: give a name of the configuration, or the path or URL of a spec/,
    ],
    ['an unknown API', ['signin', '--upstream', 'http://x'], /no API named "signin"\. Did you mean signing/],
    ['a spec that is not there', ['--spec', 'none.yaml', '--upstream', 'http://x'], /none\.yaml/],
    ['an invalid port', ['signing', '--upstream', 'http://x', '--port', 'x'], /--port must be a whole number/],
    [
      'a report of no kind',
      ['signing', '--upstream', 'http://x', '--report', 'x'],
      /--report is written junit=FILE, html=FILE or json=FILE/,
    ],
    [
      'a bad duration',
      ['signing', '--upstream', 'http://x', '--timeout', 'soon'],
      /The option timeout must be a duration/,
    ],
  ])('refuses %s with exit 2', async (_name, argv, message) => {
    const { status, out, err } = await runCaptured(tempFolder(), 'proxy', ...argv);
    expect([status, out]).toEqual([2, '']);
    expect(err).toMatch(message);
  });

  it('refuses a busy port with exit 2', async () => {
    const server = await startEchoServer();
    onTestFinished(() => server[Symbol.asyncDispose]());
    const { port } = new URL(server.url);
    const cwd = tempFolder({ 'pets.yaml': sampleSpec() });
    const { status, err } = await runCaptured(
      cwd,
      'proxy',
      '--spec',
      'pets.yaml',
      '--upstream',
      server.url,
      '--port',
      port,
    );
    expect([status, err]).toEqual([
      2,
      `specmill: Port ${port} of 127.0.0.1 is taken by another program. Choose another with --port.\n`,
    ]);
  });
});
