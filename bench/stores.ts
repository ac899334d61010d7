import { mkdtempSync, rmSync } from 'node:fs';
import { Agent, request } from 'node:http';
import { tmpdir } from 'node:os';
import path from 'node:path';

import { createClient } from '@redis/client';

import { busyTime } from '../test/fuzz/busy-time.js';
import { startRedis } from '../test/support/start-redis.js';
import { type Figure, median } from './measure.js';
import { type MockProcess, startMockProcess } from './mock-process.js';

const CONNECTIONS = 20;
/** The connections for state in a directory. */
const PARALLEL = 50;
const WARM_UP = 300;
const MEASURED = 1_500;
/** Requests whose round trips are counted. */
const COUNTED = 500;
/** A case for each call of a start that is measured. */
const CASES = 10_000;
const SANDBOXES = 1_000;

const HEADERS = { authorization: `Basic ${btoa('key:secret')}`, 'content-type': 'application/json' };

/** The cost of state that is kept: in a directory, and in Redis for one process and for several. */
export async function benchStores(rounds: number): Promise<Figure[]> {
  return [...(await measureDirectory(rounds)), ...(await measureStart()), ...(await measureRedis(rounds))];
}

async function measureDirectory(rounds: number): Promise<Figure[]> {
  const state = mkdtempSync(path.join(tmpdir(), 'specmill-bench-'));
  const [plain, kept] = await Promise.all([
    startMockProcess(['signing']),
    startMockProcess(['signing', '--state', state]),
  ]);
  try {
    const rates = { plain: [] as number[], kept: [] as number[] };
    const times = { plain: [] as number[], kept: [] as number[] };
    for (let round = 0; round < rounds; round += 1) {
      for (const [name, mock] of Object.entries({ plain, kept }) as ['plain' | 'kept', MockProcess][]) {
        const began = busyTime(mock.pid);
        rates[name].push(await drive([mock], create, MEASURED, PARALLEL));
        times[name].push((busyTime(mock.pid) - began) / (WARM_UP + MEASURED));
      }
    }
    const [before, after] = [median(rates.plain), median(rates.kept)];
    const [less, more] = [median(times.plain), median(times.kept)];
    return [
      {
        what: 'createcase with --state, of the rate without',
        value: `${after.toFixed(0)} / ${before.toFixed(0)} a second = ${(after / before).toFixed(2)}`,
        bound: '0.50',
        within: after >= before / 2,
      },
      {
        what: 'processor time of createcase without --state, and with it',
        value: `${less.toFixed(2)} / ${more.toFixed(2)} ms = ${(less / more).toFixed(2)}`,
        bound: '',
        within: true,
      },
    ];
  } finally {
    plain.kill();
    kept.kill();
    rmSync(state, { recursive: true, force: true });
  }
}

async function measureStart(): Promise<Figure[]> {
  const state = mkdtempSync(path.join(tmpdir(), 'specmill-bench-'));
  try {
    const filled = await startMockProcess(['signing', '--state', state]);
    await drive([filled], create, CASES);
    filled.kill();
    const [empty, full]: [number[], number[]] = [[], []];
    for (let round = 0; round < 3; round += 1) {
      empty.push(await timeStart(['signing']));
      full.push(await timeStart(['signing', '--state', state]));
    }
    const ratio = median(full) / median(empty);
    const value = `${median(full).toFixed(0)} / ${median(empty).toFixed(0)} ms = ${ratio.toFixed(2)}`;
    return [
      { what: `start to first response with ${CASES} cases after SIGKILL`, value, bound: '2.00', within: ratio <= 2 },
    ];
  } finally {
    rmSync(state, { recursive: true, force: true });
  }
}

async function timeStart(args: readonly string[]): Promise<number> {
  const startedAt = performance.now();
  const mock = await startMockProcess(args);
  await call(mock.url, '/api/v2/findcases?Take=1');
  const time = performance.now() - startedAt;
  mock.kill();
  return time;
}

async function measureRedis(rounds: number): Promise<Figure[]> {
  await using redis = await startRedis();
  const figures: Figure[] = [];
  for (const size of [1, 2, 3]) {
    const mocks = await Promise.all(
      Array.from({ length: size }, () => startMockProcess(['signing', '--store', `${redis.url}?prefix=rate-${size}`])),
    );
    try {
      const [writes, reads, apart]: [number[], number[], number[]] = [[], [], []];
      for (let round = 0; round < rounds; round += 1) {
        writes.push(await drive(mocks, create));
        reads.push(await drive(mocks, read));
        apart.push(await drive(mocks, createApart));
      }
      const processes = size === 1 ? '1 process' : `${size} processes`;
      figures.push(
        toFigure(`Redis, ${processes}: createcase in one sandbox`, median(writes)),
        toFigure(`Redis, ${processes}: createcase in 20 sandboxes`, median(apart)),
        toFigure(`Redis, ${processes}: getcase`, median(reads)),
      );
    } finally {
      for (const mock of mocks) mock.kill();
    }
  }
  return [...figures, ...(await measureTrips(redis.url)), ...(await measureMemory(redis.url))];
}

function toFigure(what: string, rate: number): Figure {
  return { what, value: `${rate.toFixed(0)} a second`, bound: '', within: true };
}

/** Commands that Redis has run for each request. */
async function measureTrips(url: string): Promise<Figure[]> {
  const client = await createClient({ url }).connect();
  const mock = await startMockProcess(['signing', '--store', `${url}?prefix=trips`]);
  try {
    const figures: Figure[] = [];
    for (const [what, work] of [
      ['a shared write', create],
      ['a shared read', read],
    ] as const) {
      await drive([mock], work, 10, 1);
      await client.configResetStat();
      await drive([mock], work, COUNTED, 1);
      const stats = await client.info('commandstats');
      const calls = [...stats.matchAll(/cmdstat_(?:evalsha|eval|hmget):calls=(\d+)/g)].map(([, count]) =>
        Number(count),
      );
      // Those of the warm-up count, too.
      const trips = calls.reduce((sum, count) => sum + count, 0) / (COUNTED + WARM_UP);
      figures.push({ what: `round trips of ${what}`, value: trips.toFixed(2), bound: '2.10', within: trips <= 2.1 });
    }
    return figures;
  } finally {
    mock.kill();
    client.destroy();
  }
}

/** A sandbox with ten cases, a thousand times. */
async function measureMemory(url: string): Promise<Figure[]> {
  const client = await createClient({ url }).connect();
  const mock = await startMockProcess(['signing', '--store', `${url}?prefix=memory`]);
  try {
    await drive([mock], create, 100);
    const [before, stored] = [await mock.peakMemory(), await usedMemory(client)];
    let count = 0;
    await drive([mock], (target) => create(target, `sandbox-${(count += 1) % SANDBOXES}`), 10 * SANDBOXES);
    const [after, full] = [await mock.peakMemory(), await usedMemory(client)];
    const megabytes = (bytes: number): string => `${(bytes / 2 ** 20).toFixed(0)} MB`;
    return [
      { what: '1,000 sandboxes of ten cases: the process', value: megabytes(after - before), bound: '', within: true },
      { what: '1,000 sandboxes of ten cases: Redis', value: megabytes(full - stored), bound: '', within: true },
    ];
  } finally {
    mock.kill();
    client.destroy();
  }
}

async function usedMemory(client: { readonly info: (section: string) => Promise<string> }): Promise<number> {
  return Number(/used_memory:(\d+)/.exec(await client.info('memory'))?.[1] ?? 0);
}

type Work = (url: string) => Promise<unknown>;

let lastId = '';
let turn = 0;

async function create(url: string, sandbox = 'default'): Promise<void> {
  const text = await call(url, '/api/v2/createcase', { Name: 'Lease', Parties: [{ Name: 'Ann' }] }, sandbox);
  lastId = (JSON.parse(text) as { readonly Id: string }).Id;
}

function createApart(url: string): Promise<void> {
  turn += 1;
  return create(url, `apart-${turn % CONNECTIONS}`);
}

async function read(url: string): Promise<void> {
  await call(url, `/api/v2/getcase?id=${lastId}`);
}

/** Calls a second over so many connections, on the mocks in turn. */
async function drive(
  mocks: readonly Pick<MockProcess, 'url'>[],
  work: Work,
  measured: number = MEASURED,
  connections: number = CONNECTIONS,
): Promise<number> {
  let count = 0;
  const run = async (until: number): Promise<void> => {
    while (count < until) {
      count += 1;
      await work(mocks[count % mocks.length]?.url ?? '');
    }
  };
  const all = (until: number): Promise<unknown> => Promise.all(Array.from({ length: connections }, () => run(until)));
  const warmUp = Math.min(WARM_UP, measured);
  await all(warmUp);
  const startedAt = performance.now();
  await all(warmUp + measured);
  return (1_000 * measured) / (performance.now() - startedAt);
}

const agent = new Agent({ keepAlive: true, maxSockets: Infinity });

function call(url: string, target: string, body?: object, sandbox = 'default'): Promise<string> {
  return new Promise((resolve, reject) => {
    const method = body === undefined ? 'GET' : 'POST';
    const headers = { ...HEADERS, 'x-specmill-sandbox': sandbox };
    const sent = request(`${url}${target}`, { agent, method, headers }, (response) => {
      let text = '';
      response.setEncoding('utf8').on('data', (part: string) => (text += part));
      response.on('end', () => {
        if (response.statusCode === 200) resolve(text);
        else reject(new Error(`${target}: ${response.statusCode} ${text}`));
      });
    });
    sent.on('error', reject);
    sent.end(body === undefined ? undefined : JSON.stringify(body));
  });
}
