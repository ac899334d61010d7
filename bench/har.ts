import { spawnSync } from 'node:child_process';
import { createWriteStream, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { once } from 'node:events';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { pathToFileURL } from 'node:url';

import type { Figure } from './measure.js';

/** Bytes of the recording. */
const SIZE = 1e9;

/** Megabytes a second on one core, and megabytes of memory. */
const RATE_BOUND = 30;
const MEMORY_BOUND = 200;

/** Runs a module, then prints the peak of memory in megabytes and the seconds of the processor, all threads together. */
const measured = (code: string): string => `
${code}
const { user, system } = process.cpuUsage();
console.error(JSON.stringify({ memory: process.resourceUsage().maxRSS / 1024, seconds: (user + system) / 1e6 }));
`;

const DIST = pathToFileURL(path.join(import.meta.dirname, '../dist')).href;

const READER = `
import { readExchanges } from '${DIST}/http/recording/read-exchanges.js';
for await (const call of readExchanges(process.argv[1], { cwd: '/' }));
`;

/** Runs a command; the file of the recording is its last word. */
const COMMAND = `
import { runCli } from '${DIST}/cli/run-cli.js';
await runCli(process.argv.slice(1), { cwd: process.cwd(), out: () => {}, err: () => {} });
`;

/** The speed and the memory of what reads recordings. */
export async function benchHar(): Promise<readonly Figure[]> {
  const folder = mkdtempSync(path.join(tmpdir(), 'specmill-bench-'));
  try {
    const file = path.join(folder, 'traffic.har');
    const calls = await writeRecording(file);
    const [old, next] = ['old.yaml', 'new.yaml'].map((name) => path.join(folder, name));
    const draft = measure('draft', COMMAND, ['draft', file, '--out', old ?? '']);
    const text = readFileSync(old ?? '', 'utf8');
    writeFileSync(next ?? '', text.replaceAll(/\btotal\b/g, 'sum'));
    return [
      measure(`reading of ${calls} calls`, READER, [file]),
      draft,
      measure('diff --traffic', COMMAND, ['diff', old ?? '', next ?? '', '--traffic', file]),
      measure('coverage', COMMAND, ['coverage', old ?? '', '--journal', file]),
    ].flat();
  } finally {
    rmSync(folder, { recursive: true });
  }
}

/**
 * Runs a program in a process of its own: its speed on one core, and its memory. In a folder without a configuration: the
 * compiler that loads one in TypeScript takes tens of megabytes.
 */
function measure(what: string, program: string, words: readonly string[]): readonly Figure[] {
  const { stderr } = spawnSync(process.execPath, ['--input-type=module', '-e', measured(program), ...words], {
    cwd: tmpdir(),
    encoding: 'utf8',
  });
  const [, line] = /(\{"memory".*\})\n$/.exec(stderr) ?? [];
  if (line === undefined) throw new Error(stderr);
  const { memory, seconds } = JSON.parse(line) as { memory: number; seconds: number };
  const rate = SIZE / 1e6 / seconds;
  return [
    {
      what,
      value: `${rate.toFixed(0)} MB/s`,
      bound: `at least ${RATE_BOUND}`,
      within: rate >= RATE_BOUND,
    },
    {
      what: `${what}, memory`,
      value: `${memory.toFixed(0)} MB`,
      bound: `below ${MEMORY_BOUND}`,
      within: memory < MEMORY_BOUND,
    },
  ];
}

/** Returns the number of calls. */
async function writeRecording(file: string): Promise<number> {
  const stream = createWriteStream(file);
  stream.write('{"log":{"version":"1.2","entries":[');
  let calls = 0;
  for (let size = 0; size < SIZE; calls += 1) {
    const text = `${calls === 0 ? '' : ','}\n${JSON.stringify(entryOf(calls))}`;
    size += text.length;
    if (!stream.write(text)) await once(stream, 'drain');
  }
  stream.end('\n]}}\n');
  await once(stream, 'close');
  return calls;
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
