import { execFile } from 'node:child_process';
import { existsSync, mkdtempSync, readFileSync, rmSync, symlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import { promisify } from 'node:util';
import { gzipSync } from 'node:zlib';

import { build } from 'esbuild';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';

import type { ApiConfig } from '../../config/config-types.js';
import { generate } from '../../entry/specmill.js';
import { UNCHECKED } from '../../generator/split-output.js';
import { sampleOf } from '../support/sample-of.js';
import { writeTo } from '../support/temp-folder.js';

const MODULES = path.join(import.meta.dirname, 'node_modules');
const folder = mkdtempSync(path.join(tmpdir(), 'specmill-zod-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const SEVEN = ['signing', 'generation', 'dictionary', 'engine', 'tables', 'notifications', 'rate-limits'];
const MINI = ['zod', { variant: 'mini', unknownKeys: 'strict', metadata: true }] as const;
const APPLY = ['zod', { unknownKeys: 'strip', defaults: 'apply', coerce: true }] as const;

/** The outputs: all seven APIs, then the types of values and options of which each is used once. */
const OUTPUTS: Readonly<Record<string, Partial<ApiConfig> & { readonly emitters: readonly unknown[] }>> = {
  ...Object.fromEntries(SEVEN.map((name) => [name, { spec: specOf(name), emitters: ['zod'] }])),
  shop: { spec: path.resolve('test/docs/shop.yaml'), emitters: ['zod'] },
  typed: { ...values('Date', 'bigint', 'branded'), emitters: ['zod'] },
  mini: { ...values('Temporal', 'string', 'string'), emitters: [MINI] },
  applied: { ...values('Date', 'string', 'branded'), emitters: [APPLY] },
};

function specOf(name: string): string | string[] {
  if (name === 'engine')
    return [path.resolve('specs/engine/config.schema.json'), path.resolve('specs/engine/openapi.yaml')];
  return path.resolve(`specs/${name}/openapi.yaml`);
}

function values(dates: 'Date' | 'Temporal', int64: 'bigint' | 'string', ids: 'string' | 'branded'): Partial<ApiConfig> {
  return { spec: path.resolve('test/golden/value-types/spec.yaml'), dates, int64, ids };
}

/** What users of other libraries write. */
const USE = `
import { zodResolver } from '@hookform/resolvers/zod';
import { zValidator } from '@hono/zod-validator';
import { Hono } from 'hono';
import { useForm } from 'react-hook-form';
import * as z from 'zod';
import type { NewOrder, Order } from './shop/types.js';
import { zCreateOrderBody, zGetOrderPath, zListOrdersQuery, zOrder } from './shop/zod.js';

export const app = new Hono()
  .get('/orders', zValidator('query', zListOrdersQuery), (c) => c.json(c.req.valid('query').take ?? 0))
  .get('/orders/:id', zValidator('param', zGetOrderPath), (c) => c.json({ id: c.req.valid('param').id }))
  .post('/orders', zValidator('json', zCreateOrderBody), (c) => {
    const order: NewOrder = c.req.valid('json');
    return c.json(order, 201);
  });
export const useOrder = () => useForm({ resolver: zodResolver(zCreateOrderBody), defaultValues: { item: '' } });
export const later = zOrder.extend({ note: z.string() }).shape.item;
export const same: Order = zOrder.parse({ id: 'a', item: 'b' });
// @ts-expect-error An order has an item.
export const wrong: z.infer<typeof zOrder> = { id: 'a' };
`;

const FLAGS = {
  ...{ target: 'ES2022', lib: ['ES2022', 'DOM', 'DOM.Iterable'], module: 'esnext', moduleResolution: 'bundler' },
  ...{ strict: true, exactOptionalPropertyTypes: true, noUncheckedIndexedAccess: true, noUnusedLocals: true },
  ...{ noUnusedParameters: true, noPropertyAccessFromIndexSignature: true, isolatedModules: true },
  ...{ verbatimModuleSyntax: true, skipLibCheck: true, noEmit: true, types: [] },
};

beforeAll(async () => {
  symlinkSync(MODULES, path.join(folder, 'node_modules'));
  writeTo(folder, 'package.json', '{ "type": "module" }');
  writeTo(
    folder,
    'temporal.d.ts',
    'declare namespace Temporal { interface Instant { a: 1 } interface PlainDate { b: 1 } }',
  );
  writeTo(folder, 'use.ts', USE);
  const apis = Object.fromEntries(
    Object.entries(OUTPUTS).map(([output, api]) => [output, { only: ['types'], ...api, output }]),
  );
  const result = await generate({ cwd: folder, config: { apis: apis as never } });
  for (const { name, status, error } of result.apis)
    if (status !== 'written') throw error ?? new Error(`${name}: ${status}`);
}, 120_000);

async function compile(version: string, include: readonly string[], flags: object = {}): Promise<string> {
  writeTo(folder, 'tsconfig.json', JSON.stringify({ compilerOptions: { ...FLAGS, ...flags }, include }));
  const tsc = path.join(MODULES, `typescript-${version}`, 'bin/tsc');
  const run = promisify(execFile)(process.execPath, [tsc, '-p', folder], { maxBuffer: 1 << 24 });
  return run.then(
    ({ stdout }) => stdout,
    (error: unknown) => (error as { stdout: string }).stdout,
  );
}

const all = Object.keys(OUTPUTS).map((name) => `${name}/zod.ts`);

describe('schemas of Zod in a project', () => {
  it.each([
    ['7', ['use.ts', ...all], {}],
    ['7', sampleOf(all, 4), { exactOptionalPropertyTypes: false }],
    ['5.9', ['use.ts', ...sampleOf(all, 5)], {}],
    ['5.4', sampleOf(all, 5), {}],
  ])(
    'have the types of the output in TypeScript %s (%j)',
    async (version, files, flags) => expect(await compile(version, [...files, 'temporal.d.ts'], flags)).toBe(''),
    120_000,
  );

  it('validate the requests of Hono', async () => {
    const outfile = path.join(folder, 'use.mjs');
    await build({
      entryPoints: [path.join(folder, 'use.ts')],
      bundle: true,
      format: 'esm',
      platform: 'node',
      outfile,
      logLevel: 'silent',
    });
    const { app } = (await import(pathToFileURL(outfile).href)) as {
      app: { request: (path: string, init?: object) => Promise<Response> };
    };
    const post = (body: object): Promise<Response> =>
      app.request('/orders', {
        method: 'POST',
        body: JSON.stringify(body),
        headers: { 'content-type': 'application/json' },
      });
    expect([(await app.request('/orders?take=2')).status, await (await app.request('/orders?take=2')).json()]).toEqual([
      200, 2,
    ]);
    expect((await app.request('/orders?take=many')).status).toBe(400);
    expect([(await post({ item: 'tea' })).status, (await post({})).status]).toEqual([201, 400]);
  });

  it.each([
    ['classic', 'zod', 'shop'],
    ['mini', 'zod/mini', 'small'],
  ])('one schema is as large in a bundle as one that is written by hand (%s)', async (variant, module, output) => {
    const shop = {
      spec: path.resolve('test/docs/shop.yaml'),
      output,
      only: ['types'],
      emitters: [['zod', { variant }] as const],
    };
    await generate({ cwd: folder, config: { apis: { shop } } });
    const optional = variant === 'mini' ? 'z.optional(z.string())' : 'z.string().optional()';
    writeTo(
      folder,
      'hand.ts',
      `import * as z from '${module}';\nconst zProblem = z.looseObject({ message: z.string(), more: ${optional} });\nconsole.log(zProblem.safeParse({}));`,
    );
    writeTo(folder, 'ours.ts', `import { zProblem } from './${output}/zod.js';\nconsole.log(zProblem.safeParse({}));`);
    const [hand, ours] = [await sizeOf('hand.ts'), await sizeOf('ours.ts')];
    expect(ours / hand).toBeLessThanOrEqual(1.02);
    if (variant === 'mini') expect(ours).toBeLessThanOrEqual(5_400);
  });
});

/** The size of a bundle with gzip. */
async function sizeOf(entry: string): Promise<number> {
  const { outputFiles } = await build({
    entryPoints: [path.join(folder, entry)],
    bundle: true,
    minify: true,
    format: 'esm',
    write: false,
    logLevel: 'silent',
  });
  return gzipSync(outputFiles[0]?.text ?? '').length;
}

const github = path.resolve('bench/specs/node_modules/@octokit/openapi/generated/api.github.com.json');

it.skipIf(!existsSync(github))(
  'a program that uses one of the 1,200 operations of GitHub compiles; with SPECMILL_FULL, all of its schemas have their types',
  async () => {
    const api = { spec: github, output: 'github', only: ['types'], emitters: ['zod'] };
    const { apis } = await generate({ cwd: folder, config: { apis: { github: api } } });
    expect(apis[0]?.status).toBe('written');
    writeTo(
      folder,
      'one.ts',
      `import { zReposGetResponse200 } from './github/zod.js';\nexport const name: string = zReposGetResponse200.parse({}).full_name;\n`,
    );
    expect(await compile('7', ['one.ts'])).toBe('');
    // Users' compilers skip the bodies of a large output; CI does as well.
    if (process.env['SPECMILL_FULL'] !== '1') return;
    for (const file of ['zod.ts', 'zod-base.ts', 'zod-schemas.ts', 'zod/repos.ts'])
      writeTo(folder, `github/${file}`, readFileSync(path.join(folder, 'github', file), 'utf8').replace(UNCHECKED, ''));
    expect(await compile('7', ['github/zod-schemas.ts', 'github/zod/repos.ts'])).toBe('');
  },
  240_000,
);
