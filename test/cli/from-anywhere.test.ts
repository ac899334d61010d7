import { readFileSync } from 'node:fs';
import path from 'node:path';

import { afterAll, beforeAll, describe, expect, it, onTestFinished, vi } from 'vitest';

import { runCli } from '../../cli/run-cli.js';
import { UrlWatcher } from '../../cli/watch-generate.js';
import { type EchoServer, startEchoServer } from '../support/echo-server.js';
import { captureIo, runCaptured } from '../support/run-captured.js';
import { sampleSpec } from '../support/sample-spec.js';
import { tempFolder } from '../support/temp-folder.js';

let server: EchoServer;
const text = sampleSpec();

beforeAll(async () => {
  server = await startEchoServer((request, response) => {
    if (request.url === '/private.yaml' && request.headers['x-key'] !== 'k') response.writeHead(403).end();
    else if (request.url === '/page') response.end('<html>Log in</html>');
    else {
      const etag = `"${text.length}"`;
      if (request.headers['if-none-match'] === etag) response.writeHead(304).end();
      else response.writeHead(200, { etag }).end(text);
    }
  });
});

afterAll(async () => server[Symbol.asyncDispose]());

describe('generate', () => {
  it('generate takes the path or URL of a spec as its argument', async () => {
    const folder = tempFolder({ 'pets.yaml': sampleSpec() });
    for (const spec of ['pets.yaml', `${server.url}/pets.yaml`]) {
      const run = await runCaptured(folder, 'generate', spec, '--out', 'out', '--only', 'types');
      expect(run).toMatchObject({ status: 0, err: '' });
      expect(run.out).toMatch(/^pets /m);
      expect(readFileSync(path.join(folder, 'out/types.ts'), 'utf8')).toContain('A pet.');
    }
  });

  it('generate gives each of several specs its own folder', async () => {
    const folder = tempFolder({ 'pets.yaml': sampleSpec(), 'birds.yaml': sampleSpec() });
    const run = await runCaptured(folder, 'generate', './pets.yaml', 'birds.yaml', '--out', 'out', '--only', 'types');
    expect(run).toMatchObject({ status: 0, err: '' });
    expect(readFileSync(path.join(folder, 'out/birds/types.ts'), 'utf8')).toContain('A pet.');
  });

  it('generate reads a spec from the URL of the configuration, with its headers', async () => {
    const spec = `${server.url}/private.yaml`;
    const config = { apis: { pets: { spec, output: 'out', headers: { 'x-key': 'k' } } } };
    const folder = tempFolder({ 'specmill.config.json': JSON.stringify(config) });
    expect(await runCaptured(folder, 'generate', '--only', 'types')).toMatchObject({ status: 0, err: '' });
  });

  it('generate sends --header when it fetches a spec, and names it if a credential is missing', async () => {
    const args = ['generate', `${server.url}/private.yaml`, '--out', 'out', '--only', 'types'];
    const refused = await runCaptured(tempFolder(), ...args);
    expect(refused.status).toBe(2);
    expect(refused.err).toContain("its server responded 403 Forbidden; send a credential with --header 'Name: value'.");
    expect((await runCaptured(tempFolder(), ...args, '--header', 'X-Key: k')).status).toBe(0);
  });

  it('generate refuses an HTML page in one sentence', async () => {
    const run = await runCaptured(tempFolder(), 'generate', '--spec', `${server.url}/page`, '--out', 'out');
    expect(run.status).toBe(2);
    expect(run.err).toContain('its server responded with an HTML page; give the address of the document itself.');
  });

  it('generate follows references below --root', async () => {
    const spec = sampleSpec({ schemas: "    Failure: { $ref: '../common/error.yaml' }\n" });
    const folder = tempFolder({ 'apis/pets/pets.yaml': spec, 'apis/common/error.yaml': 'type: object\n' });
    const args = ['generate', 'apis/pets/pets.yaml', '--out', 'out', '--only', 'types'];
    const refused = await runCaptured(folder, ...args);
    expect(refused.status).toBe(2);
    expect(refused.err).toContain('--root DIR allows a folder above it');
    expect(await runCaptured(folder, ...args, '--root', 'apis')).toMatchObject({ status: 0, err: '' });
  });
});

describe('polling of a URL', () => {
  it('polling sends the entity tag, so that an unchanged document is not sent again', async () => {
    const controller = new AbortController();
    const polls = () => server.received.filter(({ url }) => url === '/polled.yaml');
    const waiting = new UrlWatcher(5).waitForChange(
      [{ url: `${server.url}/polled.yaml`, headers: {} }],
      controller.signal,
    );
    await vi.waitFor(() => expect(polls().length).toBeGreaterThan(2));
    controller.abort();
    expect(await waiting).toBe(false);
    expect(
      polls()
        .slice(1)
        .every(({ headers }) => headers['if-none-match'] !== undefined),
    ).toBe(true);
  });
});

describe('other commands', () => {
  it('validate takes the path or URL of a spec', async () => {
    const folder = tempFolder({ 'pet.json': '{ "id": 1 }', 'pets.yaml': sampleSpec() });
    for (const spec of ['./pets.yaml', `${server.url}/pets.yaml`]) {
      const run = await runCaptured(folder, 'validate', `${spec}#Pet`, 'pet.json');
      expect([0, 1]).toContain(run.status);
      expect(run.err).not.toContain('no API named');
    }
  });

  it('diff takes URLs', async () => {
    const folder = tempFolder({ 'pets.yaml': text });
    expect(await runCaptured(folder, 'diff', `${server.url}/pets.yaml`, 'pets.yaml')).toMatchObject({
      status: 0,
      out: 'No changes.\n',
    });
  });

  it.each([['mock'], ['proxy', '--upstream', 'http://127.0.0.1:9']])(
    '%s takes the URL of a spec',
    async (command, ...more) => {
      const controller = new AbortController();
      onTestFinished(() => controller.abort());
      const { io, texts } = captureIo(tempFolder(), controller.signal);
      const status = runCli([command, `${server.url}/pets.yaml`, '--port', '0', ...more], io);
      await vi.waitFor(() => expect(texts.out).toMatch(/pets.*http:\/\/127\.0\.0\.1:\d+/), { timeout: 15_000 });
      controller.abort();
      expect(await status).toBe(0);
    },
  );

  it('contract takes the URL of a spec and exits 2 if the server is unreachable', async () => {
    const run = await runCaptured(tempFolder(), 'contract', `${server.url}/pets.yaml`, '--url', 'http://127.0.0.1:1');
    expect(run.status).toBe(2);
    expect(run.err).not.toContain('no API named');
  });
});
