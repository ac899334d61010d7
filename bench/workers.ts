import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { Agent, request } from 'node:http';
import { tmpdir } from 'node:os';
import path from 'node:path';

import { type Figure, median } from './measure.js';
import { type MockProcess, startMockProcess } from './mock-process.js';

const CONNECTIONS = 20;
const SPEC = path.join(import.meta.dirname, 'specs/node_modules/@octokit/openapi/generated/api.github.com.json');
const ISSUES = '/repos/octocat/hello-world/issues';

interface Read {
  readonly what: string;
  readonly path: string;
  readonly count: number;
}

/** A client takes a part of the same two cores, which weighs less if a request takes the server longer. */
const READS: readonly Read[] = [
  { what: 'an issue', path: `${ISSUES}/1347`, count: 6_000 },
  { what: 'a list of 100 issues', path: `${ISSUES}?per_page=100`, count: 400 },
];

interface Measured {
  /** Requests a second. */
  readonly rate: number;
  /** Microseconds of processor time of all workers for each request. */
  readonly cpu: number;
}

/**
 * How much faster two processes respond than one, over one store in a directory. On a machine with other work the rates say
 * little; the processor time for each request then says what two cores would give: twice the rate, less what sharing costs.
 */
export async function benchWorkers(rounds: number): Promise<Figure[]> {
  const measured = READS.map(({ what }) => ({ what, one: [] as Measured[], two: [] as Measured[] }));
  for (let round = 0; round < rounds; round += 1) {
    for (const kind of ['one', 'two'] as const) {
      const found = await measure(kind === 'one' ? 1 : 2);
      for (const [index, figures] of found.entries()) measured[index]?.[kind].push(figures);
    }
  }
  return measured.map(({ what, one, two }) => {
    const ratio = median(two.map(({ rate }) => rate)) / median(one.map(({ rate }) => rate));
    const [alone, both] = [one, two].map((list) => median(list.map(({ cpu }) => cpu)));
    const share = (2 * (alone ?? Number.NaN)) / (both ?? Number.NaN);
    return {
      what: `--workers 2, ${what}, of the rate with --workers 1`,
      value: `${ratio.toFixed(2)} with the client on the same cores; by processor time ${share.toFixed(2)}`,
      bound: 'at least 1.7 by processor time',
      within: share >= 1.7,
      note: `processor time of a request: ${[...one, ...two].map(({ cpu }) => cpu.toFixed(0)).join(', ')} µs (the first half with one worker)`,
    };
  });
}

async function measure(workers: number): Promise<readonly Measured[]> {
  const state = mkdtempSync(path.join(tmpdir(), 'specmill-bench-'));
  const mock = await startMockProcess(['--spec', SPEC, '--workers', String(workers), '--state', state]);
  try {
    await fill(mock);
    const found: Measured[] = [];
    for (const read of READS) found.push(await drive(mock, read));
    return found;
  } finally {
    mock.kill();
    rmSync(state, { recursive: true, force: true });
  }
}

/** Processor time of the workers of a command, in microseconds. Linux counts it in hundredths of a second. */
function processorTime({ pid }: MockProcess): number {
  const workers = readFileSync(`/proc/${pid}/task/${pid}/children`, 'utf8').trim().split(' ');
  const ticks = workers.map((worker) => {
    const fields = readFileSync(`/proc/${worker}/stat`, 'utf8').split(') ')[1]?.split(' ') ?? [];
    return Number(fields[11]) + Number(fields[12]);
  });
  return ticks.reduce((sum, one) => sum + one, 0) * 10_000;
}

async function fill({ url }: MockProcess): Promise<void> {
  for (let count = 0; count < 120; count += 1)
    await fetch(url + ISSUES, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ title: `Issue ${count}`, labels: ['bug'] }),
    }).then((response) => response.text());
}

/** Measures after a warm-up of a fifth. */
async function drive(mock: MockProcess, read: Read): Promise<Measured> {
  const { url } = mock;
  const agent = new Agent({ keepAlive: true, maxSockets: CONNECTIONS });
  await send(agent, url + read.path, read.count / 5);
  const [began, before] = [performance.now(), processorTime(mock)];
  await send(agent, url + read.path, read.count);
  const rate = (read.count * 1_000) / (performance.now() - began);
  const cpu = (processorTime(mock) - before) / read.count;
  agent.destroy();
  return { rate, cpu };
}

async function send(agent: Agent, url: string, count: number): Promise<void> {
  let left = count;
  const client = async (): Promise<void> => {
    while (left > 0) {
      left -= 1;
      await new Promise<void>((resolve, reject) => {
        const sent = request(url, { agent }, (response) => response.resume().once('end', () => resolve()));
        sent.once('error', reject).end();
      });
    }
  };
  await Promise.all(Array.from({ length: CONNECTIONS }, client));
}
