import { readFileSync } from 'node:fs';
import path from 'node:path';

import { expect, it, onTestFinished, vi } from 'vitest';

import { runCli } from '../../cli/run-cli.js';
import { startEchoServer } from '../support/echo-server.js';
import { captureIo } from '../support/run-captured.js';
import { sampleSpec } from '../support/sample-spec.js';
import { tempFolder } from '../support/temp-folder.js';

it('generate --watch regenerates when the document of a URL changes', { timeout: 60_000 }, async () => {
  let text = sampleSpec();
  await using server = await startEchoServer((_request, response) => void response.end(text));
  const folder = tempFolder();
  const controller = new AbortController();
  onTestFinished(() => controller.abort());
  const { io, texts } = captureIo(folder, controller.signal);
  const args = ['generate', `${server.url}/pets.yaml`, '--out', 'out', '--only', 'types', '--watch'];
  const status = runCli(args, io);
  await vi.waitFor(() => expect(texts.err).toContain('watching 1 URL for changes'), { timeout: 20_000 });
  const asked = server.received.length;
  await vi.waitFor(() => expect(server.received.length).toBeGreaterThan(asked), { timeout: 20_000 });
  text = sampleSpec({ description: 'A pet from far away.' });
  const types = path.join(folder, 'out/types.ts');
  await vi.waitFor(() => expect(readFileSync(types, 'utf8')).toContain('far away'), { timeout: 20_000 });
  controller.abort();
  expect(await status).toBe(0);
});
