import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { request } from 'node:http';
import path from 'node:path';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';

import { expect, onTestFinished, test } from 'vitest';

import { tempFolder } from '../support/temp-folder.js';
import { SHOP, startServer } from './proxied-server.js';

const SIZE = 200_000_000;
const CHUNK = Buffer.alloc(1_000_000, 'x');

/** What a process holds at most from here on, in MB. */
function watchMemory({ pid }: ChildProcess): () => number {
  let most = 0;
  const look = (): void => {
    const [, kilobytes] = /VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, 'utf8')) ?? [];
    most = Math.max(most, Number(kilobytes) / 1_024);
  };
  const timer = setInterval(look, 10);
  onTestFinished(() => clearInterval(timer));
  return () => most;
}

async function startProxyProcess(upstream: string): Promise<{ readonly child: ChildProcess; readonly url: string }> {
  const spec = path.join(tempFolder({ 'shop.json': JSON.stringify(SHOP) }), 'shop.json');
  const main = path.join(import.meta.dirname, '../../dist/cli/main.js');
  const argv = [main, 'proxy', '--spec', spec, '--upstream', upstream, '--port', '0', '--json'];
  const child = spawn(process.execPath, argv, { stdio: ['ignore', 'pipe', 'inherit'] });
  onTestFinished(() => void child.kill('SIGKILL'));
  const [line] = (await once(child.stdout, 'data')) as [Buffer];
  return { child, url: (JSON.parse(String(line)) as { proxy: { url: string } }).proxy.url };
}

function chunks(): Readable {
  return Readable.from(
    (function* all() {
      for (let sent = 0; sent < SIZE; sent += CHUNK.length) yield CHUNK;
    })(),
  );
}

test.runIf(process.platform === 'linux')(
  'a large body passes in both directions without being buffered, whatever its schema',
  async () => {
    const server = await startServer(async (incoming, response) => {
      let size = 0;
      for await (const chunk of incoming) size += (chunk as Buffer).length;
      response.writeHead(201, { 'content-type': 'application/json', 'x-size': size });
      await pipeline(chunks(), response);
    });
    const { child, url } = await startProxyProcess(server.url);
    const most = watchMemory(child);
    for (const [method, target] of [
      ['PUT', '/files'],
      ['POST', '/pets'],
    ]) {
      const asked = request(url + target, { method: method ?? '', headers: { 'content-type': 'application/json' } });
      const responded = once(asked, 'response');
      await pipeline(chunks(), asked);
      const [received] = (await responded) as [Readable & { headers: Record<string, string> }];
      let size = 0;
      for await (const chunk of received) size += (chunk as Buffer).length;
      expect([received.headers['x-size'], size]).toEqual([String(SIZE), SIZE]);
    }
    expect(most()).toBeGreaterThan(20);
    // 400 MB went each way; 10 MB of a body are kept for its check.
    expect(most()).toBeLessThan(250);
    child.kill('SIGTERM');
    expect(await once(child, 'exit')).toEqual([1, null]);
  },
);
