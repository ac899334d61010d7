import { execFile } from 'node:child_process';
import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { promisify } from 'node:util';

import { expect, onTestFinished, test, vi } from 'vitest';

import { runCli } from '../../cli/run-cli.js';
import { startMock } from '../../entry/mock.js';
import { captureIo } from '../support/run-captured.js';

const root = path.join(import.meta.dirname, '../..');
const spec = path.join(root, 'examples/vitest/tasks/tasks.yaml');
const run = promisify(execFile);

test('each command of docs/proxy.md and the proxy itself print what the page shows', async () => {
  const page = await readFile(path.join(root, 'docs/proxy.md'), 'utf8');
  const mock = await startMock('tasks', { spec, port: 0 });
  onTestFinished(() => mock.close());
  const stop = new AbortController();
  const { io, texts } = captureIo(root, stop.signal);
  // Both streams in one, as on a terminal.
  const shown: string[] = [];
  const show = (text: string): void => void shown.push(text);
  const status = runCli(['proxy', 'tasks', '--spec', spec, '--upstream', mock.url, '--port', '0'], {
    ...io,
    out: (text) => {
      io.out(text);
      show(text);
    },
    err: show,
  });
  await vi.waitFor(() => expect(texts.out).not.toBe(''), { timeout: 20_000 });
  const url = /http:\/\/127\.0\.0\.1:\d+/.exec(texts.out)?.[0] ?? '';
  const [, console = ''] = /^```console\n(.*?)^```$/ms.exec(page) ?? [];
  for (const text of console.split(/^\$ /m).slice(1)) {
    const [command = '', ...lines] = text.trimEnd().split('\n');
    const line = command.replaceAll('localhost:4010', url).replaceAll('localhost:4000', mock.url);
    const { stdout } = await run('bash', ['-c', line]);
    expect([command, stdout.trimEnd()]).toEqual([command, lines.join('\n')]);
  }
  stop.abort();
  expect(await status).toBe(1);
  const [, terminal = ''] = /^```text\n(.*?)^```$/ms.exec(page) ?? [];
  const printed = shown.join('').replaceAll(url, 'http://127.0.0.1:4010').replaceAll(mock.url, 'http://127.0.0.1:4000');
  expect(printed).toBe(terminal);
});
