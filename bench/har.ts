import { spawnSync } from 'node:child_process';
import { createWriteStream, mkdtempSync, rmSync } from 'node:fs';
import { once } from 'node:events';
import { tmpdir } from 'node:os';
import path from 'node:path';

import type { Figure } from './measure.js';

/** Bytes of the recording. */
const SIZE = 1e9;

/** Megabytes a second on one core, and megabytes of memory. */
const RATE_BOUND = 30;
const MEMORY_BOUND = 200;

/** Reads a recording in a process of its own, and prints its peak of memory in kilobytes. */
const READER = `
import { readExchanges } from './dist/http/recording/read-exchanges.js';
let calls = 0;
for await (const call of readExchanges(process.argv[1], { cwd: '/' })) calls += call.status > 0 ? 1 : 0;
console.log(JSON.stringify({ calls, memory: process.resourceUsage().maxRSS / 1024, cpu: process.cpuUsage().user / 1e6 }));
`;

/** The speed and the memory of the reader of recordings. */
export async function benchHar(): Promise<readonly Figure[]> {
  const folder = mkdtempSync(path.join(tmpdir(), 'specmill-bench-'));
  try {
    const file = path.join(folder, 'traffic.har');
    await writeRecording(file);
    const start = performance.now();
    const { stdout, stderr } = spawnSync(process.execPath, ['--input-type=module', '-e', READER, file], {
      cwd: path.join(import.meta.dirname, '..'),
      encoding: 'utf8',
    });
    const time = (performance.now() - start) / 1_000;
    if (stdout === '') throw new Error(stderr);
    const { calls, memory } = JSON.parse(stdout) as { calls: number; memory: number };
    const rate = SIZE / 1e6 / time;
    return [
      {
        what: `${calls} calls`,
        value: `${rate.toFixed(0)} MB/s`,
        bound: `at least ${RATE_BOUND}`,
        within: rate >= RATE_BOUND,
      },
      {
        what: 'memory',
        value: `${memory.toFixed(0)} MB`,
        bound: `below ${MEMORY_BOUND}`,
        within: memory < MEMORY_BOUND,
      },
    ];
  } finally {
    rmSync(folder, { recursive: true });
  }
}

async function writeRecording(file: string): Promise<void> {
  const stream = createWriteStream(file);
  stream.write('{"log":{"version":"1.2","entries":[');
  for (let [size, index] = [0, 0]; size < SIZE; index += 1) {
    const text = `${index === 0 ? '' : ','}\n${JSON.stringify(entryOf(index))}`;
    size += text.length;
    if (!stream.write(text)) await once(stream, 'drain');
  }
  stream.end('\n]}}\n');
  await once(stream, 'close');
}

function entryOf(index: number): object {
  const orders = Array.from({ length: 20 }, (_, place) => ({
    id: `ord_${index}_${place}`,
    made: '2026-01-01T00:00:00Z',
    total: place * 1.5,
    note: place % 2 ? null : 'said "yes"',
  }));
  return {
    startedDateTime: new Date(1.7e12 + index * 1_000).toISOString(),
    request: {
      method: index % 3 ? 'GET' : 'POST',
      url: `https://api.example.com/v1/customers/${index}/orders?limit=${index % 50}`,
      headers: [{ name: 'User-Agent', value: `client/${index % 5}` }],
      ...(index % 3 ? {} : { postData: { mimeType: 'application/json', text: JSON.stringify(orders[0]) } }),
    },
    response: {
      status: 200,
      headers: [{ name: 'Content-Type', value: 'application/json' }],
      content: { mimeType: 'application/json', text: JSON.stringify({ data: orders, has_more: true }) },
    },
  };
}
