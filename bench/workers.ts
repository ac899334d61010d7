import { mkdtempSync, rmSync } from 'node:fs';
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
  { what: 'an issue', path: `${ISSUES}/1347`, count: 4_000 },
  { what: 'a list of 100 issues', path: `${ISSUES}?per_page=100`, count: 400 },
];

/** How much faster two processes respond than one, over one store in a directory. */
export async function benchWorkers(rounds: number): Promise<Figure[]> {
  const rates = new Map<string, number[]>();
  const note = (key: string, rate: number): void => void rates.set(key, [...(rates.get(key) ?? []), rate]);
  for (let round = 0; round < rounds; round += 1) {
    for (const workers of [1, 2]) {
      const state = mkdtempSync(path.join(tmpdir(), 'specmill-bench-'));
      const mock = await startMockProcess(['--spec', SPEC, '--workers', String(workers), '--state', state]);
      try {
        await fill(mock);
        for (const read of READS) note(`${read.what} ${workers}`, await drive(mock, read));
      } finally {
        mock.kill();
        rmSync(state, { recursive: true, force: true });
      }
    }
  }
  return READS.map(({ what }) => {
    const [one = [], two = []] = [1, 2].map((workers) => rates.get(`${what} ${workers}`));
    const ratios = two.map((rate, index) => rate / (one[index] ?? Number.NaN));
    const ratio = median(ratios);
    return {
      what: `--workers 2, ${what}, of the rate with --workers 1`,
      value: `${median(two).toFixed(0)} / ${median(one).toFixed(0)} a second = ${ratio.toFixed(2)}`,
      bound: 'at least 1.7 with the client on other cores',
      within: ratio >= 1.7,
      note: `the ratios of ${rounds} rounds: ${ratios.map((each) => each.toFixed(2)).join(', ')}`,
    };
  });
}

async function fill({ url }: MockProcess): Promise<void> {
  for (let count = 0; count < 120; count += 1)
    await fetch(url + ISSUES, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ title: `Issue ${count}`, labels: ['bug'] }),
    }).then((response) => response.text());
}

/** Requests a second, after a warm-up of a fifth. */
async function drive({ url }: MockProcess, read: Read): Promise<number> {
  const agent = new Agent({ keepAlive: true, maxSockets: CONNECTIONS });
  await send(agent, url + read.path, read.count / 5);
  const began = performance.now();
  await send(agent, url + read.path, read.count);
  const rate = (read.count * 1_000) / (performance.now() - began);
  agent.destroy();
  return rate;
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
