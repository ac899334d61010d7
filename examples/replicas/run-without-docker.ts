/**
 * What compose.yaml does, without Docker: Redis, three mocks and a balancer on free ports, and a case that walks through
 * all of them, also after one has died. Redis must be installed (`redis-server`).
 *
 *     npm run build && npx jiti examples/replicas/run-without-docker.ts
 */
import { type ChildProcess, spawn } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { createServer, type AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { createInterface } from 'node:readline';

import { createSigningClient } from '../../generated/signing/client.js';
import { startBalancer } from './balancer.js';

const folder = mkdtempSync(path.join(tmpdir(), 'specmill-replicas-'));
const redisPort = await findFreePort();
const redis = spawn('redis-server', [
  '--port',
  String(redisPort),
  '--bind',
  '127.0.0.1',
  '--dir',
  folder,
  '--save',
  '',
]);
await lineOf(redis, 'Ready to accept connections');

// In your own project: npx specmill mock signing --store redis://...
const command = path.join(import.meta.dirname, '../../dist/cli/main.js');
const mocks = Array.from({ length: 3 }, () =>
  spawn(process.execPath, [
    ...[command, 'mock', 'signing', '--port', '0', '--json'],
    ...['--store', `redis://127.0.0.1:${redisPort}`],
  ]),
);
const urls: string[] = [];
for (const mock of mocks) {
  const ready = JSON.parse(await lineOf(mock, '{')) as { readonly mocks: readonly { readonly url: string }[] };
  urls.push(...ready.mocks.map(({ url }) => url));
}
const balancer = await startBalancer(urls);
console.log('Redis, three mocks and a balancer serve');

try {
  const client = createSigningClient({
    baseUrl: balancer.url,
    credentials: { basic: { key: 'my-key', secret: 'my-secret' } },
  });
  const { data: created } = await client.createcase({ body: { Name: 'Lease of Harbour Street 12' } });
  for (const url of urls) {
    const own = createSigningClient({ baseUrl: url, credentials: { basic: { key: 'my-key', secret: 'my-secret' } } });
    const { data } = await own.getcase({ query: { id: created.Id } });
    console.log(`mock ${urls.indexOf(url) + 1} has it: ${data.Name}`);
  }
  mocks[0]?.kill('SIGKILL');
  const { data } = await client.findcases({ query: {} });
  console.log(`after the loss of a mock: ${data.length} case`);
} finally {
  balancer.server.closeAllConnections();
  balancer.server.close();
  for (const child of [...mocks, redis]) child.kill('SIGKILL');
  rmSync(folder, { recursive: true, force: true });
}

/** The first line of a program that has a text in it. */
async function lineOf({ stdout }: ChildProcess, text: string): Promise<string> {
  if (stdout === null) throw new Error('The program has no output.');
  for await (const line of createInterface({ input: stdout })) if (line.includes(text)) return line;
  throw new Error(`The program has ended before it wrote ${text}.`);
}

async function findFreePort(): Promise<number> {
  const server = createServer();
  await new Promise<void>((resolve) => void server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  await new Promise((resolve) => void server.close(resolve));
  return port;
}
