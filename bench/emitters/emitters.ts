import { mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { gzipSync } from 'node:zlib';

import { build } from 'esbuild';

import { type Contender, type Figure, race, seconds } from '../measure.js';

const root = path.join(import.meta.dirname, '../..');
const github = path.join(root, 'bench/specs/node_modules/@octokit/openapi/generated/api.github.com.json');
const shop = path.join(root, 'test/docs/shop.yaml');

/** An emitter, a program that uses one of its functions for GitHub, and bundles for a shop: ours, and the same by hand. */
interface EmitterCase {
  readonly name: string;
  readonly program: string;
  readonly ours: string;
  readonly byHand: string;
  /** The most that ours may be of what is written by hand. */
  readonly bound: number;
}

const CASES: readonly EmitterCase[] = [
  {
    name: 'zod',
    program: `import { zReposGetResponse200 } from './zod/zod.js';\nexport const name = zReposGetResponse200.parse({}).full_name;\n`,
    ours: `import { zProblem } from './shop/zod.js';\nconsole.log(zProblem.safeParse({}));\n`,
    byHand: `import * as z from 'zod';\nconst zProblem = z.looseObject({ message: z.string() });\nconsole.log(zProblem.safeParse({}));\n`,
    bound: 1.02,
  },
  {
    name: 'tanstack-query',
    program: `import { reposGetOptions } from './tanstack-query/query.js';\nexport const key = reposGetOptions({ baseUrl: 'https://a.test' }, { path: { owner: 'a', repo: 'b' } }).queryKey;\n`,
    ours: `import { QueryClient } from '@tanstack/react-query';\nimport { getOrderOptions } from './shop/query.js';\nconsole.log(new QueryClient().fetchQuery(getOrderOptions({}, { path: { id: 'a' } })));\n`,
    byHand: `import { QueryClient, queryOptions } from '@tanstack/react-query';\nimport { getOrder } from './shop/operations.js';\nconst options = (id: string) => queryOptions({ queryKey: ['order', id], queryFn: async ({ signal }) => (await getOrder({}, { path: { id } }, { signal })).data });\nconsole.log(new QueryClient().fetchQuery(options('a')));\n`,
    bound: 1.05,
  },
];

const BASE = `import { reposGet } from './none/operations.js';\nexport const one = reposGet({ baseUrl: 'https://a.test' }, { path: { owner: 'a', repo: 'b' } });\n`;

/** What one emitter adds to `types,client`: time of generation, time of the compiler, bytes of a bundle. */
export async function benchEmitters(rounds: number): Promise<Figure[]> {
  const folder = mkdtempSync(path.join(tmpdir(), 'specmill-bench-emitters-'));
  try {
    symlinkSync(path.join(root, 'test/matrix/node_modules'), path.join(folder, 'node_modules'));
    const names = ['none', ...CASES.map(({ name }) => name)];
    const generated = race(
      names.map((name) => generateContender(name, folder)),
      rounds,
    );
    writeFileSync(path.join(folder, 'none.ts'), BASE);
    for (const { name, program } of CASES)
      writeFileSync(path.join(folder, `${name}.ts`), BASE.replace('none', name) + program);
    const compiled = race(
      names.map((name) => compileContender(name, folder)),
      rounds,
    );
    race([generateContender('shop', folder, shop)], 1);
    const figures: Figure[] = [];
    for (const one of CASES) {
      figures.push(
        ratio(`generate GitHub with ${one.name} / types,client`, [generated.get(one.name), generated.get('none')], 2),
      );
      figures.push(
        ratio(`tsc 7, one function of ${one.name} / types,client`, [compiled.get(one.name), compiled.get('none')], 1.3),
      );
      figures.push(await sizeRatio(one, folder));
    }
    return figures;
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

function generateContender(name: string, folder: string, spec = github): Contender {
  const only = ['types', 'client', ...(name === 'none' ? [] : name === 'shop' ? CASES.map((one) => one.name) : [name])];
  const out = path.join(folder, name);
  const cli = path.join(root, 'dist/cli/main.js');
  return {
    name,
    command: [process.execPath, cli, 'generate', '--spec', spec, '--out', out, '--only', only.join()],
    prepare: () => rmSync(out, { recursive: true, force: true }),
  };
}

const FLAGS = {
  target: 'ES2022',
  module: 'esnext',
  moduleResolution: 'bundler',
  strict: true,
  skipLibCheck: true,
  noEmit: true,
  types: [],
};

function compileContender(name: string, folder: string): Contender {
  const config = path.join(folder, `tsconfig.${name}.json`);
  writeFileSync(config, JSON.stringify({ compilerOptions: FLAGS, include: [`${name}.ts`] }));
  const tsc = path.join(folder, 'node_modules/typescript-7/bin/tsc');
  return { name, command: [process.execPath, tsc, '-p', config] };
}

function ratio(what: string, [own = 0, other = 1]: readonly (number | undefined)[], bound: number): Figure {
  const value = own / other;
  const shown = `${value.toFixed(2)} (${seconds(own)} / ${seconds(other)})`;
  return { what, value: shown, bound: `<= ${bound}`, within: value <= bound };
}

async function sizeRatio({ name, ours, byHand, bound }: EmitterCase, folder: string): Promise<Figure> {
  const [own, other] = [await sizeOf(ours, folder), await sizeOf(byHand, folder)];
  const value = `${(own / other).toFixed(3)} (${own} / ${other} B)`;
  return { what: `bundle of one ${name} / by hand, gzip`, value, bound: `<= ${bound}`, within: own / other <= bound };
}

async function sizeOf(contents: string, resolveDir: string): Promise<number> {
  const stdin = { contents, resolveDir, loader: 'ts' as const };
  const { outputFiles } = await build({
    stdin,
    bundle: true,
    minify: true,
    format: 'esm',
    write: false,
    logLevel: 'silent',
    define: { 'process.env.NODE_ENV': '"production"' },
  });
  return gzipSync(outputFiles[0]?.text ?? '').length;
}
