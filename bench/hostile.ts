import { readFileSync } from 'node:fs';
import path from 'node:path';
import { performance } from 'node:perf_hooks';

import { startMock } from '../entry/mock.js';
import type { Api, Operation } from '../model/api.js';
import { toText } from '../runtime/serialize.js';
import { generateValue } from '../schema/generate-value.js';
import { bodyAttacks } from './hostile-bodies.js';
import type { Figure } from './measure.js';

/** No request under a megabyte may keep the event loop for longer. Milliseconds. */
const MOST = 100;
/** A request that takes longer is sent again, and the shortest time counts: garbage of others is collected in between. */
const REPEATS = 4;
/** Of a spec with more operations, so many are attacked, evenly spread; twice as many with bodies as without. */
const MOST_OPERATIONS = 12;
const GITHUB = path.join(import.meta.dirname, 'specs/node_modules/@octokit/openapi/generated/api.github.com.json');
const MOCKS = ['signing', 'generation', 'dictionary', 'engine', 'tables', 'notifications', GITHUB];

interface Attack {
  readonly name: string;
  readonly target: string;
  readonly init: RequestInit & { readonly headers: Record<string, string> };
}

/** Sends a corpus of hostile requests to each mock, in process, and shows the slowest. */
export async function benchHostile(): Promise<readonly Figure[]> {
  const figures: Figure[] = [];
  for (const name of MOCKS) {
    await using mock = await startMock(name === GITHUB ? 'github' : name, {
      noRateLimit: true,
      ...(name === GITHUB ? { spec: GITHUB } : {}),
    });
    let worst = { took: 0, what: '' };
    let count = 0;
    for (const operation of choose(mock.api.operations)) {
      for (const attack of attacksOn(mock.api, operation)) {
        count += 1;
        const took = await timeAttack(mock.fetch, attack);
        // What it has left behind must not slow the next one down.
        await mock.reset();
        if (took > MOST) console.log(`  ${operation.id} ${attack.name}: ${Math.round(took)} ms`);
        if (took > worst.took) worst = { took, what: `${operation.id}, ${attack.name}` };
      }
    }
    figures.push({
      what: `${name === GITHUB ? 'GitHub REST' : name}: longest of ${count} requests`,
      value: `${Math.round(worst.took)} ms`,
      bound: `< ${MOST} ms`,
      within: worst.took < MOST,
      note: worst.what,
    });
  }
  return figures;
}

function choose(operations: readonly Operation[]): readonly Operation[] {
  const withBody = operations.filter(({ body }) => body !== undefined);
  const others = operations.filter(({ body }) => body === undefined);
  return [...spread(withBody, (MOST_OPERATIONS * 2) / 3), ...spread(others, MOST_OPERATIONS / 3)];
}

function spread(operations: readonly Operation[], most: number): readonly Operation[] {
  const step = Math.max(1, operations.length / most);
  return operations.filter((_, index) => Math.floor(index / step) !== Math.floor((index - 1) / step));
}

/** Only what is slow is sent again: the first one of a kind pays for what is loaded and compiled on first use. */
async function timeAttack(send: typeof fetch, attack: Attack): Promise<number> {
  let best = await timeOnce(send, attack);
  for (let repeat = 0; repeat < REPEATS && best > MOST; repeat += 1)
    best = Math.min(best, await timeOnce(send, attack));
  return best;
}

async function timeOnce(send: typeof fetch, { target, init }: Attack): Promise<number> {
  const controller = new AbortController();
  const stop = startLoopTimer();
  const response = await send(`http://mock${target}`, { ...init, signal: controller.signal });
  const took = stop();
  // A stream of events may have no end.
  await response.body?.cancel();
  controller.abort();
  return took;
}

function attacksOn(api: Api, operation: Operation): Attack[] {
  const credentials = credentialsFor(api, operation);
  const target = targetOf(api, operation);
  const method = operation.method.toUpperCase();
  const make = (name: string, init: RequestInit = {}, headers: Record<string, string> = {}, query = ''): Attack => ({
    name,
    target: target + (query === '' ? '' : `?${query}`),
    init: { method, ...init, headers: { ...credentials, ...headers } },
  });
  return [
    ...headerAttacks.map(([name, value]) => make(`header ${name}`, {}, { [name]: value })),
    ...queryAttacks(operation).map((query, index) => make(`query ${index}`, {}, {}, query)),
    ...bodyAttacks(api, operation).map(({ name, body, headers }) => make(name, { body }, headers)),
  ];
}

/** Servers take 16 kB of headers. */
const headerAttacks: readonly (readonly [string, string])[] = [
  ['prefer', 'a'.repeat(15_000)],
  ['prefer', 'code=200,'.repeat(1_500)],
  ['accept', 'a/b;q=0.1,'.repeat(1_500)],
  ['accept', `*/*;q="${'\\"'.repeat(7_000)}`],
  ['cookie', 'a=b; '.repeat(3_000)],
  ['if-none-match', '"a", '.repeat(3_000)],
  ['range', `bytes=${'0-1,'.repeat(3_000)}`],
  ['authorization', `Bearer ${'a'.repeat(15_000)}`],
  ['content-type', `application/json;${'a="'.repeat(5_000)}`],
];

function queryAttacks({ parameters }: Operation): string[] {
  const texts = [
    `${'1'.repeat(12_000)}x`,
    'C+'.repeat(6_000),
    ','.repeat(12_000),
    '%5B%5D'.repeat(2_000),
    '%2F..'.repeat(2_400),
  ];
  const own = parameters.filter((parameter) => parameter.in === 'query').slice(0, 12);
  const filled = own.flatMap(({ name }) => texts.map((text) => `${encodeURIComponent(name)}=${text}`));
  const [first = 'a'] = own.map(({ name }) => name);
  const many = [
    `${encodeURIComponent(first)}=1&`.repeat(700),
    'a[b]=1&'.repeat(1_800),
    `a${'[b]'.repeat(4_000)}=1`,
    '__proto__=1&'.repeat(1_000),
  ];
  return [...filled, ...many].map((query) => query.slice(0, 14_000));
}

function targetOf(api: Api, { path: template, parameters }: Operation): string {
  return template.replaceAll(/\{([^{}]+)\}/g, (_all, name: string) => {
    const schema = parameters.find((one) => one.name === name)?.schema ?? true;
    const made = generateValue(api, schema, { direction: 'request', seed: 1 });
    return encodeURIComponent(made.ok ? toText(made.value) : 'x');
  });
}

function credentialsFor(api: Api, { security }: Operation): Record<string, string> {
  const headers: Record<string, string> = {};
  for (const name of Object.keys(security[0] ?? {})) {
    const scheme = api.securitySchemes.get(name);
    if (scheme?.type === 'apiKey' && scheme.in === 'header') headers[scheme.name] = 'key';
    else
      headers['authorization'] =
        scheme?.type === 'http' && scheme.scheme === 'basic' ? `Basic ${btoa('k:s')}` : 'Bearer t';
  }
  return headers;
}

/** Measures for how long the event loop of this process works on something. Milliseconds. */
function startLoopTimer(): () => number {
  const thread = threadTime();
  if (thread !== undefined) return () => (threadTime() ?? Number.NaN) - thread;
  const loop = performance.eventLoopUtilization();
  const processor = process.cpuUsage();
  // Each of them counts something that is not the loop: other processes of the machine, other threads of this one.
  return () => {
    const { user, system } = process.cpuUsage(processor);
    return Math.min(performance.eventLoopUtilization(loop).active, (user + system) / 1_000);
  };
}

/** The processor time of the main thread, which only Linux tells. */
function threadTime(): number | undefined {
  try {
    const [nanoseconds] = readFileSync(`/proc/self/task/${process.pid}/schedstat`, 'utf8').split(' ');
    return Number(nanoseconds) / 1e6;
  } catch {
    return undefined;
  }
}
