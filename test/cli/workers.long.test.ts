import { type ChildProcess, execFileSync, spawn } from 'node:child_process';
import { Agent, request } from 'node:http';
import path from 'node:path';
import { createInterface } from 'node:readline';

import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';

import { connectMock } from '../../entry/mock.js';
import { packageRoot } from '../../model/package-info.js';
import { isBuilt, PROCESS_FOLDER, runSpecmill } from '../support/specmill-process.js';
import { type RedisServer, hasRedis, startRedis } from '../support/start-redis.js';
import { tempFolder } from '../support/temp-folder.js';

const SPEC = path.join(packageRoot, 'bench/two-operations.yaml');

interface Running {
  readonly url: string;
  readonly command: ChildProcess;
  readonly err: () => string;
  readonly ended: Promise<number | null>;
}

async function startWorkers(...store: readonly string[]): Promise<Running> {
  const main = path.join(packageRoot, 'dist/cli/main.js');
  const command = spawn(process.execPath, [main, 'mock', SPEC, '--workers', '2', '--port', '0', '--json', ...store], {
    cwd: PROCESS_FOLDER,
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let err = '';
  command.stderr.setEncoding('utf8').on('data', (text: string) => (err += text));
  const ended = new Promise<number | null>((resolve) => void command.once('close', resolve));
  const [line] = await Promise.race([
    new Promise<[string]>((resolve) =>
      createInterface({ input: command.stdout }).once('line', (text) => resolve([text])),
    ),
    ended.then(() => Promise.reject(new Error(err))),
  ]);
  const { mocks } = JSON.parse(line) as { readonly mocks: readonly { readonly url: string }[] };
  return { url: mocks[0]?.url ?? '', command, err: () => err, ended };
}

function workersOf({ command }: Running): readonly number[] {
  const listed = execFileSync('ps', ['-o', 'pid=', '--ppid', String(command.pid)], { encoding: 'utf8' });
  // The list has the program that lists it only for its own parent.
  return listed.trim().split(/\s+/).map(Number);
}

/** Sends a request over a connection of its own, which goes to the next worker. */
async function send(url: string, body?: object): Promise<{ readonly status: number; readonly data: never }> {
  const agent = new Agent({ keepAlive: false });
  const method = body === undefined ? 'GET' : 'POST';
  return new Promise((resolve, reject) => {
    const sent = request(url, { agent, method, headers: { 'content-type': 'application/json' } }, (response) => {
      let text = '';
      response.setEncoding('utf8').on('data', (part: string) => (text += part));
      response.on('end', () =>
        resolve({ status: response.statusCode ?? 0, data: (text === '' ? undefined : JSON.parse(text)) as never }),
      );
    });
    sent.once('error', reject).end(body === undefined ? undefined : JSON.stringify(body));
  });
}

let redis: RedisServer | undefined;
beforeAll(async () => {
  if (isBuilt && hasRedis) redis = await startRedis();
});
afterAll(() => redis?.[Symbol.asyncDispose]());

describe.skipIf(!isBuilt)('specmill mock --workers', () => {
  it('refuses to start without a store that the processes share', async () => {
    const { status, err } = await runSpecmill('mock', SPEC, '--workers', '2');
    expect([status, err]).toEqual([
      2,
      'specmill: The option --workers needs a store that the processes share: --store redis://HOST:PORT or --state DIR.\n',
    ]);
  });

  it('says once what is wrong with the spec, and exits with 2', async () => {
    const { status, err } = await runSpecmill('mock', 'missing.yaml', '--workers', '2', '--state', tempFolder());
    expect([status, err.split('\n').length, err]).toEqual([2, 2, expect.stringContaining('missing.yaml')]);
  });

  it.each(['--state', '--store'])('shares the state and replaces a worker that ends: %s', async (option) => {
    if (option === '--store' && redis === undefined) return;
    const running = await startWorkers(option, option === '--state' ? tempFolder() : `${redis?.url ?? ''}?prefix=w`);
    try {
      await checkSharing(running);
      const [one, other] = workersOf(running);
      process.kill(one ?? 0, 'SIGKILL');
      await vi.waitUntil(
        () => /^specmill: worker [12] ended \(SIGKILL\) and is started again$/m.test(running.err()),
        20_000,
      );
      expect((await send(`${running.url}/items/3`)).status).toBe(200);
      await vi.waitUntil(() => workersOf(running).length === 2, 20_000);
      expect(workersOf(running)).toContain(other);
    } finally {
      running.command.kill('SIGTERM');
    }
    expect(await running.ended).toBe(0);
  });
});

async function checkSharing({ url }: Running): Promise<void> {
  const made: { readonly id: string }[] = [];
  for (let count = 0; count < 6; count += 1)
    made.push((await send(`${url}/items`, { name: 'plate', price: count, tags: [] })).data);
  expect(new Set(made.map(({ id }) => id)).size).toBe(6);
  for (const item of made) expect((await send(`${url}/items/${item.id}`)).data).toEqual(item);
  const mock = connectMock(url);
  expect(await mock.requests()).toHaveLength(12);
  await mock.clock.set('2030-01-01T00:00:00Z');
  const clocks = await Promise.all([1, 2, 3, 4].map(() => send(`${url}/__specmill/clock`)));
  for (const { data } of clocks) expect(data).toMatchObject({ now: expect.stringMatching(/^2030-01-01/) as unknown });
  await mock.faults.put([{ status: 503, times: 4 }]);
  const statuses = [];
  for (let count = 0; count < 6; count += 1) statuses.push((await send(`${url}/items/3`)).status);
  expect(statuses).toEqual([503, 503, 503, 503, 200, 200]);
  await mock.sandbox('other').reset();
  expect((await mock.state.get()).collections['/items']?.length).toBeGreaterThanOrEqual(6);
}
