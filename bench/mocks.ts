import { type ChildProcess, spawn } from 'node:child_process';
import { createRequire } from 'node:module';
import { createServer } from 'node:net';
import type { AddressInfo } from 'node:net';
import path from 'node:path';

import { type Figure, median } from './measure.js';

const here = import.meta.dirname;
const root = path.join(here, '..');
const peers = path.join(here, 'peers');
const github = path.join(here, 'specs/node_modules/@octokit/openapi/generated/api.github.com.json');
const small = path.join(here, 'two-operations.yaml');

interface Load {
  readonly path: string;
  readonly method: 'GET' | 'POST';
  readonly body?: string;
}

interface Scene {
  readonly name: string;
  readonly spec: string;
  readonly loads: readonly Load[];
  /** Requests a second of ours, as a multiple of theirs. */
  readonly bounds: Readonly<Record<string, number>>;
  readonly startBound: number;
  /** Resident memory after load, a reset and a forced collection. Megabytes. */
  readonly memoryBound: number;
}

const SCENES: readonly Scene[] = [
  {
    name: '2 operations',
    spec: small,
    loads: [
      { method: 'GET', path: '/items/1' },
      { method: 'POST', path: '/items', body: JSON.stringify({ name: 'plate', price: 3, tags: ['white'] }) },
    ],
    bounds: { 'prism-cli': 10, steady: 1, fastify: 0.65 },
    startBound: 800,
    memoryBound: 200,
  },
  {
    name: 'GitHub REST',
    spec: github,
    loads: [
      { method: 'GET', path: '/repos/octocat/hello-world/issues/1347' },
      {
        method: 'POST',
        path: '/repos/octocat/hello-world/issues',
        body: JSON.stringify({ title: 'Found a bug', labels: ['bug'] }),
      },
    ],
    bounds: { 'prism-cli': 200, steady: 3, fastify: 0.5 },
    startBound: 1300,
    memoryBound: 400,
  },
];

type Starter = (spec: string, port: number) => readonly string[];

const SERVERS: Readonly<Record<string, Starter>> = {
  specmill: (spec, port) => [
    path.join(root, 'dist/cli/main.js'),
    'mock',
    '--spec',
    spec,
    '--port',
    String(port),
    '--json',
  ],
  // As its users start it: with its log, which goes to nowhere here.
  'prism-cli': (spec, port) => [path.join(peers, 'node_modules/.bin/prism'), 'mock', spec, '-p', String(port)],
  steady: (spec, port) => [
    path.join(peers, 'node_modules/.bin/steady'),
    '-p',
    String(port),
    '--host',
    '127.0.0.1',
    '-q',
    spec,
  ],
  fastify: (spec, port) => [
    path.join(root, 'node_modules/jiti/lib/jiti-cli.mjs'),
    path.join(here, spec === small ? 'fastify-server.ts' : 'fastify-github.ts'),
    String(port),
    spec,
  ],
};

/** Requests a second against the peers: 20 connections, a GET by id and a POST with a body, servers in turn. */
export async function benchMocks(rounds: number): Promise<Figure[]> {
  const figures: Figure[] = [];
  for (const scene of SCENES) figures.push(...(await benchScene(scene, rounds)));
  return [...figures, await measureIssues()];
}

async function benchScene(scene: Scene, rounds: number): Promise<Figure[]> {
  const names = ['specmill', ...Object.keys(scene.bounds)];
  const rates = new Map<string, number[][]>(names.map((name) => [name, scene.loads.map(() => [])]));
  const starts: number[] = [];
  for (let round = 0; round < rounds; round += 1) {
    for (const name of names) {
      const began = performance.now();
      const server = await startServer(name, scene);
      if (name === 'specmill') starts.push(performance.now() - began);
      for (const [index, load] of scene.loads.entries()) rates.get(name)?.[index]?.push(await drive(server.url, load));
      server.process.kill('SIGKILL');
    }
  }
  const rate = (name: string, index: number): number => median(rates.get(name)?.[index] ?? []);
  const ratios = Object.entries(scene.bounds).flatMap(([name, bound]) =>
    scene.loads.map(({ method }, index) => {
      const [ours, theirs] = [rate('specmill', index), rate(name, index)];
      const value = `${(ours / theirs).toFixed(2)} (${Math.round(ours)}/s / ${Math.round(theirs)}/s)`;
      return {
        what: `${scene.name}, ${method}, against ${name}`,
        value,
        bound: `at least ${bound}`,
        within: ours / theirs >= bound,
      };
    }),
  );
  const start = median(starts);
  const startFigure = {
    what: `${scene.name}, start to first response`,
    value: `${Math.round(start)} ms`,
    bound: `under ${scene.startBound} ms`,
    within: start < scene.startBound,
  };
  return [...ratios, startFigure, await measureMemory(scene), ...(await measureInProcess(scene))];
}

/** The resident memory of a mock that has 100,000 of GitHub's issues. */
async function measureIssues(): Promise<Figure> {
  const scene = SCENES.find(({ spec }) => spec === github);
  const post = scene?.loads.find(({ method }) => method === 'POST');
  if (scene === undefined || post === undefined) throw new Error('There is no load that creates issues.');
  const server = await startServer('specmill', scene, COLLECTING);
  const { non2xx } = await autocannon()({ ...loadOf(server.url, post), amount: ISSUES });
  if (non2xx > 0) throw new Error(`${non2xx} issues were refused.`);
  const megabytes = await collectedMemory(server.process);
  server.process.kill('SIGKILL');
  return {
    what: `memory of a mock with ${ISSUES.toLocaleString('en')} of GitHub's issues, after a forced collection`,
    value: `${Math.round(megabytes)} MB`,
    bound: 'at most 400 MB',
    within: megabytes <= 400,
  };
}

/** Run in the mock before anything else: collects and says what is left, when it is asked. */
const COLLECTOR = `process.on('message', () => {
  gc();
  gc();
  // V8 returns pages a little later.
  setTimeout(() => process.send(process.memoryUsage().rss), 2_000);
});
process.channel.unref();`;
const COLLECTING = ['--expose-gc', `--import=data:text/javascript,${encodeURIComponent(COLLECTOR)}`];

const ISSUES = 100_000;

async function measureMemory(scene: Scene): Promise<Figure> {
  const server = await startServer('specmill', scene, COLLECTING);
  for (const load of scene.loads) await drive(server.url, load);
  await fetch(`${server.url}/__specmill/reset`, { method: 'POST' });
  const megabytes = await collectedMemory(server.process);
  server.process.kill('SIGKILL');
  return {
    what: `${scene.name}, memory after load, reset and a forced collection`,
    value: `${Math.round(megabytes)} MB`,
    bound: `under ${scene.memoryBound} MB`,
    within: megabytes < scene.memoryBound,
  };
}

/** Megabytes. */
async function collectedMemory(mock: ChildProcess): Promise<number> {
  const received = new Promise<number>((resolve) => mock.once('message', (bytes) => resolve(Number(bytes))));
  mock.send('collect');
  return (await received) / 2 ** 20;
}

/** Calls one after another, as a test makes them: by `fetch` of the mock, and by the platform's to its port. */
const CALLS_IN_TURN = 3_000;

async function measureInProcess({ name, spec, loads }: Scene): Promise<Figure[]> {
  const { startMock } = await import('../entry/mock.js');
  const mock = await startMock('bench', { spec, port: 0 });
  const figures: Figure[] = [];
  for (const load of loads) {
    const inProcess = await medianCall(mock.fetch, mock.url, load);
    const bySocket = await medianCall(fetch, mock.url, load);
    figures.push({
      what: `${name}, ${load.method}, in process, median of calls in turn`,
      value: `${inProcess.toFixed(3)} ms (by its port ${bySocket.toFixed(3)} ms)`,
      bound: 'under 0.1 ms, and not slower than its port',
      within: inProcess < 0.1 && inProcess <= bySocket,
    });
  }
  await mock.close();
  return figures;
}

/** Milliseconds. */
async function medianCall(call: typeof fetch, url: string, { path: target, method, body }: Load): Promise<number> {
  const headers = { 'content-type': 'application/json' };
  const init = { method, headers, ...(body === undefined ? {} : { body }) };
  const times: number[] = [];
  for (let count = 0; count < CALLS_IN_TURN; count += 1) {
    const began = performance.now();
    await (await call(url + target, init)).text();
    times.push(performance.now() - began);
  }
  // The first third is not warm yet.
  return median(times.slice(CALLS_IN_TURN / 3));
}

async function startServer(
  name: string,
  scene: Scene,
  nodeOptions: readonly string[] = [],
): Promise<{ url: string; process: ChildProcess }> {
  const port = await freePort();
  const starter = SERVERS[name];
  if (starter === undefined) throw new Error(`There is no server ${name}.`);
  const child = spawn(process.execPath, [...nodeOptions, ...starter(scene.spec, port)], {
    stdio: ['ignore', 'ignore', 'ignore', 'ipc'],
  });
  const url = `http://127.0.0.1:${port}`;
  const deadline = performance.now() + 180_000;
  while (performance.now() < deadline) {
    const status = await fetch(url + (scene.loads[0]?.path ?? '/')).then(
      (response) => response.status,
      () => undefined,
    );
    if (status !== undefined) return { url, process: child };
    await new Promise((resolve) => setTimeout(resolve, 10));
  }
  child.kill('SIGKILL');
  throw new Error(`${name} did not start.`);
}

/** What autocannon is asked for, and gives, of what is used here. */
type Autocannon = (
  options: object,
) => Promise<{ readonly requests: { readonly average: number }; readonly non2xx: number }>;

function autocannon(): Autocannon {
  return createRequire(path.join(peers, 'package.json'))('autocannon') as Autocannon;
}

function loadOf(url: string, { method, path: target, body }: Load): object {
  return {
    url: url + target,
    method,
    connections: 20,
    headers: { 'content-type': 'application/json' },
    ...(body === undefined ? {} : { body }),
  };
}

async function drive(url: string, load: Load): Promise<number> {
  const options = loadOf(url, load);
  await autocannon()({ ...options, duration: 1 });
  const { requests, non2xx } = await autocannon()({ ...options, duration: 3 });
  // An error takes less time than a response.
  if (non2xx > 0) throw new Error(`${non2xx} calls of ${load.method} ${url}${load.path} failed.`);
  return requests.average;
}

async function freePort(): Promise<number> {
  const server = createServer();
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  await new Promise((resolve) => server.close(resolve));
  return port;
}
