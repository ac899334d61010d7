import { type ChildProcess, execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { gzipSync } from 'node:zlib';

import { build } from 'esbuild';
import { Pool } from 'undici';

import { generate } from '../../entry/specmill.js';
import { type Figure, median } from '../measure.js';

/** Handlers and data that both servers share. */
const SHARED = `
export const items = Array.from({ length: 20 }, (_, index) => ({ id: String(index), name: 'cup', price: 4.5, tags: ['blue', 'small'] }));
export const create = (body) => ({ ...body, id: '21' });
`;

/** A server on the generated server.ts; responses are checked as the argument says. */
const OURS = `
import { fastify } from 'fastify';
import { itemsFastify, reply } from './items/server.js';
import { create, items } from './shared.mjs';
const handlers = {
  listItems: ({ query: { limit = 20 } }) => reply.listItems(200, items.slice(0, limit)),
  createItem: ({ body }) => reply.createItem(201, create(body)),
};
const app = fastify();
await app.register(itemsFastify, { handlers, responses: process.argv[3] });
console.log(await app.listen({ port: 0, host: '127.0.0.1' }));
`;

/** Fastify with the same checks of requests, by validators that ajv compiles before, and with serializers of responses. */
const HAND = `
import { fastify } from 'fastify';
import { Ajv } from 'ajv';
import { create, items } from './shared.mjs';
const item = {
  type: 'object', required: ['name'],
  properties: { id: { type: 'string' }, name: { type: 'string', minLength: 1, maxLength: 80 }, price: { type: 'number', minimum: 0 }, tags: { type: 'array', maxItems: 20, items: { type: 'string' } } },
};
const querystring = { type: 'object', properties: { limit: { type: 'integer', minimum: 1, maximum: 100 }, tag: { type: 'string', maxLength: 20 } } };
const ajv = new Ajv({ coerceTypes: true });
const app = fastify();
app.setValidatorCompiler(({ schema }) => ajv.compile(schema));
app.get('/items', { schema: { querystring, response: { 200: { type: 'array', items: item } } } }, (request, reply) => reply.send(items.slice(0, request.query.limit ?? 20)));
app.post('/items', { schema: { body: item, response: { 201: item } } }, (request, reply) => reply.code(201).send(create(request.body)));
console.log(await app.listen({ port: 0, host: '127.0.0.1' }));
`;

const LOADS = {
  list: { method: 'GET', path: '/items?limit=20' },
  create: {
    method: 'POST',
    path: '/items',
    headers: { 'content-type': 'application/json' },
    body: '{"name":"cup","price":4.5,"tags":["blue","small"]}',
  },
} as const;

/** CPU time from the import of a handler to its first response. The platform has `Request` before. */
const COLD_START = `
await new Response(new Request('http://a.test', { method: 'POST', body: '{}' }).body).text();
const start = process.cpuUsage();
const { default: server } = await import('./edge.min.mjs');
const response = await server.fetch(new Request('http://a.test/items?limit=20'));
await response.text();
if (response.status !== 501) throw new Error('The server responded ' + response.status);
const { user, system } = process.cpuUsage(start);
console.log((user + system) / 1000);
`;

/** Servers that are generated, beside Fastify by hand, and the size of their core. */
export async function benchEmittedServers(rounds: number): Promise<Figure[]> {
  const folder = mkdtempSync(path.join(tmpdir(), 'specmill-bench-'));
  try {
    await prepare(folder);
    return [...(await compareSpeed(folder, rounds)), ...(await measureSize(folder)), measureColdStart(folder, rounds)];
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

async function prepare(folder: string): Promise<void> {
  symlinkSync(path.resolve('node_modules'), path.join(folder, 'node_modules'));
  const emitters = [['server', { framework: 'fastify' }] as const];
  const items = {
    spec: path.join(import.meta.dirname, 'items.yaml'),
    output: 'items',
    only: ['types', 'validators'],
    emitters,
  };
  const [api] = (await generate({ cwd: folder, config: { apis: { items } } })).apis;
  if (api?.status !== 'written') throw api?.error ?? new Error('The server was not generated.');
  for (const [name, text] of Object.entries({ shared: SHARED, ours: OURS, hand: HAND }))
    writeFileSync(path.join(folder, `${name}.mjs`), text);
  await bundle(folder, 'ours.mjs', { outfile: 'ours.bundle.mjs', minify: false });
}

async function bundle(
  folder: string,
  entry: string,
  { outfile, minify }: { readonly outfile: string; readonly minify: boolean },
): Promise<string> {
  const { outputFiles } = await build({
    ...{ absWorkingDir: folder, entryPoints: [entry], outfile, minify, bundle: true, format: 'esm', target: 'es2022' },
    ...{ packages: 'external', write: false, logLevel: 'silent' },
  });
  const text = outputFiles[0]?.text ?? '';
  writeFileSync(path.join(folder, outfile), text);
  return text;
}

async function compareSpeed(folder: string, rounds: number): Promise<Figure[]> {
  const servers = {
    hand: ['hand.mjs'],
    check: ['ours.bundle.mjs', '', 'check'],
    off: ['ours.bundle.mjs', '', 'off'],
  } as const;
  const started = await Promise.all(
    Object.entries(servers).map(async ([name, args]) => ({ name, ...(await startServer(folder, args)) })),
  );
  const rates = new Map<string, number[]>();
  for (let round = 0; round < rounds; round += 1)
    for (const { name, url } of started)
      for (const load of ['list', 'create'] as const) {
        const key = `${name} ${load}`;
        const list = rates.get(key) ?? [];
        list.push(await drive(url, load));
        rates.set(key, list);
      }
  for (const { process } of started) process.kill();
  return (['list', 'create'] as const).flatMap((load) =>
    (['off', 'check'] as const).map((responses) => {
      const [ours, hand] = [`${responses} ${load}`, `hand ${load}`].map((key) => median(rates.get(key) ?? []));
      const ratio = (ours ?? Number.NaN) / (hand ?? Number.NaN);
      return {
        what: `${load}, responses: ${responses}, beside Fastify with ajv`,
        value: `${Math.round(ours ?? 0)} a second, ${ratio.toFixed(2)}`,
        bound: responses === 'off' ? '>= 0.90' : '',
        within: responses === 'check' || ratio >= 0.9,
      };
    }),
  );
}

async function startServer(
  folder: string,
  args: readonly string[],
): Promise<{ readonly url: string; readonly process: ChildProcess }> {
  const child = spawn(process.execPath, args, {
    cwd: folder,
    stdio: ['ignore', 'pipe', 'inherit'],
    env: { ...process.env, NODE_ENV: 'production' },
  });
  const [line] = (await once(child.stdout, 'data')) as [Buffer];
  return { url: String(line).trim(), process: child };
}

/** Requests a second over 20 connections. */
async function drive(url: string, load: keyof typeof LOADS): Promise<number> {
  const pool = new Pool(url, { connections: 20, pipelining: 1 });
  const run = async (milliseconds: number): Promise<number> => {
    const end = performance.now() + milliseconds;
    let count = 0;
    const worker = async (): Promise<void> => {
      while (performance.now() < end) {
        const { statusCode, body } = await pool.request(LOADS[load]);
        if (statusCode >= 400) throw new Error(`${load} responded ${statusCode}.`);
        await body.dump();
        count += 1;
      }
    };
    await Promise.all(Array.from({ length: 20 }, worker));
    return count / (milliseconds / 1000);
  };
  await run(500);
  const rate = await run(2_000);
  await pool.close();
  return rate;
}

async function measureSize(folder: string): Promise<Figure[]> {
  writeFileSync(
    path.join(folder, 'edge.mjs'),
    "import { itemsFetch } from './items/server.js';\nexport default { fetch: itemsFetch({}) };\n",
  );
  writeFileSync(path.join(folder, 'checks.mjs'), "export * from './items/validators.js';\n");
  const gzipped = async (name: string): Promise<number> =>
    gzipSync(await bundle(folder, `${name}.mjs`, { outfile: `${name}.min.mjs`, minify: true })).length;
  const core = (await gzipped('edge')) - (await gzipped('checks'));
  return [
    {
      what: 'core of a server of `fetch`, without its validators',
      value: `${(core / 1000).toFixed(1)} kB`,
      bound: '<= 6.0 kB',
      within: core <= 6_000,
    },
  ];
}

/** Each process loads the handler of {@link measureSize} once. */
function measureColdStart(folder: string, rounds: number): Figure {
  writeFileSync(path.join(folder, 'cold.mjs'), COLD_START);
  const times = Array.from({ length: rounds * 5 }, () =>
    Number(execFileSync(process.execPath, ['cold.mjs'], { cwd: folder, encoding: 'utf8' })),
  );
  const time = median(times);
  return {
    what: 'cold start of a handler of `fetch`, to its first response (CPU time)',
    value: `${time.toFixed(1)} ms`,
    bound: '<= 15 ms',
    within: time <= 15,
  };
}
