import { execFile } from 'node:child_process';
import { once } from 'node:events';
import http from 'node:http';
import { mkdtempSync, readFileSync, realpathSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import { promisify } from 'node:util';

import { build } from 'esbuild';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';

import { runContract } from '../../entry/contract.js';
import { generate } from '../../entry/specmill.js';
import { sampleOf } from '../support/sample-of.js';
import { OTHERS, SERVED, STARTS, type Start } from './servers/programs.js';

const MODULES = path.resolve('test/matrix/node_modules');
const FRAMEWORKS = Object.keys(STARTS) as ('fetch' | 'hono' | 'fastify' | 'express')[];
const folder = realpathSync(mkdtempSync(path.join(tmpdir(), 'specmill-servers-')));
afterAll(() => rmSync(folder, { recursive: true, force: true }));
const write = (file: string, text: string): void => writeFileSync(path.join(folder, file), text);

beforeAll(async () => {
  symlinkSync(MODULES, path.join(folder, 'node_modules'));
  for (const framework of FRAMEWORKS) {
    for (const [name, { spec, program }] of Object.entries(SERVED)) {
      const emitters = [['server', { framework }] as const];
      const api = { spec: path.resolve(spec), output: `${framework}/${name}`, only: ['types', 'validators'], emitters };
      const [result] = (await generate({ cwd: folder, config: { apis: { [name]: api } } })).apis;
      const missing = result?.diagnostics.find(({ code }) => code === 'peer-missing');
      if (result?.status !== 'written' || missing !== undefined) throw result?.error ?? new Error(missing?.message);
      write(`${framework}/${name}-handlers.ts`, program);
      write(`${framework}/${name}-start.ts`, STARTS[framework]?.(name, name) ?? '');
    }
    write(`${framework}/count-handlers.ts`, OTHERS.count);
    write(`${framework}/count-start.ts`, STARTS[framework]?.('shop', 'count') ?? '');
    write(`${framework}/types.ts`, OTHERS.types);
    write(`${framework}/shown.ts`, shownProgram().replaceAll('./generated/', './'));
  }
}, 120_000);

interface Started extends Awaited<ReturnType<Start>> {
  readonly seen: { bytes: number; memory: number; ended: number; aborted: number } | undefined;
}

/** The program of the page. */
function shownProgram(): string {
  return /^```ts\n(import [^]*?)^```$/m.exec(readFileSync('docs/server.md', 'utf8'))?.[1] ?? 'The page has no program.';
}

/** Starts the server of an API in a framework. Express 4 replaces Express 5. */
async function start(framework: string, name: string, express = 'express'): Promise<Started> {
  const file = path.join(folder, framework, `${name}-${express}.mjs`);
  await build({
    entryPoints: [path.join(folder, framework, `${name}-start.ts`)],
    bundle: true,
    packages: 'external',
    format: 'esm',
    platform: 'node',
    outfile: file,
    logLevel: 'silent',
    plugins: [
      {
        name: 'express',
        setup: (build) => build.onResolve({ filter: /^express$/ }, () => ({ path: express, external: true })),
      },
    ],
  });
  const module = (await import(pathToFileURL(file).href)) as { readonly start: Start; readonly seen?: Started['seen'] };
  return { ...(await module.start()), seen: module.seen };
}

const RUNS = [...FRAMEWORKS.map((name) => [name, 'express'] as const), ['express', 'express-4'] as const].flatMap(
  ([framework, express]) => Object.keys(SERVED).map((name) => [framework, express, name] as const),
);

describe('a server that is written by hand on server.ts', () => {
  it.each(sampleOf(RUNS, 3))(
    'in %s (%s) has no finding of a contract run of %s',
    async (framework, express, name) => {
      const { spec = '', header = ['', ''] } = SERVED[name] ?? {};
      const server = await start(framework, name, express);
      try {
        const report = await runContract({
          api: path.resolve(spec),
          url: server.url,
          headers: { [header[0]]: header[1] },
          seed: 1,
          maxExamples: 6,
          maxTime: '20s',
        });
        expect([report.findings, report.unreached]).toEqual([[], []]);
      } finally {
        await server.close();
      }
    },
    60_000,
  );
});

const TOKEN = { authorization: 'Bearer t' };
/** A gigabyte with SPECMILL_FULL=1. */
const PIECES = process.env['SPECMILL_FULL'] === '1' ? 16_384 : 2_048;

/** Sends pieces of 64 KiB, each when the last one has been taken. */
async function upload(url: string): Promise<number> {
  const request = http.request(url, { method: 'PUT', headers: { ...TOKEN, 'content-type': 'application/pdf' } });
  const response = once(request, 'response');
  const piece = Buffer.alloc(65_536, 'x');
  for (let index = 0; index < PIECES; index += 1) if (!request.write(piece)) await once(request, 'drain');
  request.end();
  const [message] = (await response) as [http.IncomingMessage];
  message.resume();
  return message.statusCode ?? 0;
}

describe.each(FRAMEWORKS)('a server in %s', (framework) => {
  it('takes a large upload with little memory, ends streams of clients that leave, and keeps what a handler throws', async () => {
    const server = await start(framework, 'count');
    try {
      expect(await upload(`${server.url}/orders/1/invoice`)).toBe(204);
      expect(server.seen?.bytes).toBe(PIECES * 65_536);
      expect(server.seen?.memory).toBeLessThan(60 << 20);
      const leaving = new AbortController();
      const { body } = await fetch(`${server.url}/orders/events`, { headers: TOKEN, signal: leaving.signal });
      const { value } = (await body?.getReader().read()) ?? {};
      expect(new TextDecoder().decode(value)).toContain('data: {"id":"0","item":"x"}');
      leaving.abort();
      await expect.poll(() => [server.seen?.ended, server.seen?.aborted], { timeout: 5_000 }).toEqual([1, 1]);
      const failed = await fetch(`${server.url}/orders/1/invoice`, { headers: TOKEN });
      expect([failed.status, (await failed.text()).includes('secret')]).toEqual([500, false]);
      const refused = await fetch(`${server.url}/orders/1`, { headers: TOKEN });
      expect([refused.status, await refused.json()]).toEqual([404, { message: 'There is no such order.' }]);
      const left = await fetch(`${server.url}/orders`, { headers: TOKEN });
      expect([left.status, left.headers.get('x-app')]).toEqual([501, framework === 'fetch' ? null : 'yes']);
      const head = await fetch(`${server.url}/orders/1`, { method: 'HEAD', headers: TOKEN });
      expect(head.status).toBe(404);
    } finally {
      await server.close();
    }
  }, 60_000);
});

it('a server in Express takes bodies that another parser has read, as in Nest', async () => {
  const parsed = (STARTS['express']?.('notes', 'notes') ?? '').replace(
    'app.use(notesExpress',
    'app.use(express.json(), express.urlencoded({ extended: true }));\n  app.use("/api", notesExpress',
  );
  write('express/parsed-start.ts', parsed);
  const server = await start('express', 'parsed');
  const post = (body: BodyInit, type: string): Promise<Response> =>
    fetch(`${server.url}/api/notes`, {
      method: 'POST',
      headers: { authorization: `Basic ${btoa('me:p')}`, 'content-type': type },
      body,
    });
  try {
    const made = await post('{"text":"x","priority":3}', 'application/json');
    expect([made.status, await made.json()]).toMatchObject([201, { text: 'x', priority: 3 }]);
    const form = await post('text=y&priority=4', 'application/x-www-form-urlencoded');
    expect([form.status, await form.json()]).toMatchObject([201, { text: 'y', priority: 4 }]);
    expect((await post('{"text":""}', 'application/json')).status).toBe(400);
  } finally {
    await server.close();
  }
}, 30_000);

describe('the types of server.ts', () => {
  it.each(sampleOf(['7', '5.4', '5.9'], 3))(
    'compile in TypeScript %s with those of the frameworks',
    async (version) => {
      const compilerOptions = {
        ...{ target: 'ES2022', lib: ['ES2022', 'DOM', 'DOM.Iterable'], module: 'esnext', moduleResolution: 'bundler' },
        ...{ strict: true, exactOptionalPropertyTypes: true, noUncheckedIndexedAccess: true, noUnusedLocals: true },
        ...{ noUnusedParameters: true, noPropertyAccessFromIndexSignature: true, isolatedModules: true },
        ...{ verbatimModuleSyntax: true, skipLibCheck: true, noEmit: true, types: ['node'] },
      };
      write('tsconfig.json', JSON.stringify({ compilerOptions, include: ['*/*.ts', '*/*/server.ts'] }));
      const tsc = path.join(MODULES, `typescript-${version}`, 'bin/tsc');
      const said = await promisify(execFile)(process.execPath, [tsc, '-p', folder], { maxBuffer: 1 << 24 }).then(
        ({ stdout }) => stdout,
        (error: unknown) => (error as { stdout: string }).stdout,
      );
      expect(said).toBe('');
    },
    120_000,
  );
});
