import { execFile } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import { promisify } from 'node:util';

import { MutationObserver, QueryClient } from '@tanstack/react-query';
import { build } from 'esbuild';
import { afterAll, beforeAll, expect, test } from 'vitest';

import { startMock } from '../../entry/mock.js';
import { tanstackQuery } from '../../examples/emitter-tanstack-query/emitter.js';
import { generate } from '../../generator/generate.js';
import { OutputFolder } from '../support/output-folder.js';

const root = path.join(import.meta.dirname, '../..');
const output = new OutputFolder();
const { folder } = output;
const CREDENTIALS = { basic: { key: 'KEY', secret: 'SECRET' } };

type Options = Parameters<QueryClient['fetchQuery']>[0];
type InfiniteOptions = Parameters<QueryClient['fetchInfiniteQuery']>[0];
interface Queries {
  readonly createcaseMutation: (context: object) => ConstructorParameters<typeof MutationObserver>[1];
  readonly getcaseQuery: (context: object, request: object) => Options;
  readonly findcasesInfiniteQuery: (context: object, request?: object) => InfiniteOptions;
}

const openMock = () => startMock('signing', { port: 0, seed: 1 });
let mock: Awaited<ReturnType<typeof openMock>>;
let queries: Queries;
afterAll(async () => {
  output[Symbol.dispose]();
  await mock.close();
});

/** What a user writes; it is compiled, not run. */
const USE = `
import { useInfiniteQuery, useMutation, useQuery } from '@tanstack/react-query';
import { createcaseMutation, findcasesInfiniteQuery, getcaseQuery } from './generated/query.js';
const context = { baseUrl: 'https://a.test' };
export function useCase(id: string): string {
  const { data } = useQuery(getcaseQuery(context, { query: { id } }));
  const { mutate } = useMutation(createcaseMutation(context));
  mutate({ body: { Name: 'New' } });
  // @ts-expect-error a body is needed
  mutate({});
  const pages = useInfiniteQuery(findcasesInfiniteQuery(context)).data?.pages.flat() ?? [];
  return (data?.Name ?? '') + (pages[0]?.Name ?? '');
}
`;

beforeAll(async () => {
  mock = await openMock();
  const signing = {
    spec: path.join(root, 'specs/signing/openapi.yaml'),
    output: 'generated',
    only: ['types', 'client', 'tanstack-query'],
    emitters: [tanstackQuery],
  };
  const { apis } = await generate({ cwd: folder, config: { apis: { signing } } });
  if (apis[0]?.status !== 'written') throw apis[0]?.error ?? new Error(apis[0]?.status);
  const outfile = path.join(folder, 'query.mjs');
  await build({
    entryPoints: [path.join(folder, 'generated/query.ts')],
    outfile,
    bundle: true,
    format: 'esm',
    target: 'es2022',
    nodePaths: [path.join(root, 'node_modules')],
    logLevel: 'silent',
  });
  queries = (await import(pathToFileURL(outfile).href)) as Queries;
}, 60_000);

test('the emitted options compile under the strictest flags with the types of TanStack Query', async () => {
  const readme = readFileSync(path.join(root, 'examples/emitter-tanstack-query/README.md'), 'utf8');
  writeFileSync(path.join(folder, 'use.ts'), USE);
  writeFileSync(path.join(folder, 'shown.tsx'), /^```tsx\n(.*?)^```$/ms.exec(readme)?.[1] ?? 'The README has no code.');
  const compilerOptions = {
    target: 'ES2023',
    lib: ['ES2023', 'DOM', 'DOM.Iterable', 'DOM.AsyncIterable'],
    module: 'esnext',
    moduleResolution: 'bundler',
    types: [],
    jsx: 'react-jsx',
    strict: true,
    noUncheckedIndexedAccess: true,
    exactOptionalPropertyTypes: true,
    noUnusedLocals: true,
    noUnusedParameters: true,
    skipLibCheck: true,
    noEmit: true,
    paths: {
      'react/*': [`${root}/node_modules/@types/react/*`],
      '*': [`${root}/node_modules/*`, `${root}/node_modules/@types/*`],
    },
  };
  writeFileSync(
    path.join(folder, 'tsconfig.json'),
    JSON.stringify({ compilerOptions, include: ['use.ts', 'shown.tsx', 'generated'] }),
  );
  const tsc = path.join(root, 'node_modules/typescript/bin/tsc');
  const said = await promisify(execFile)(process.execPath, [tsc, '-p', folder]).then(
    ({ stdout }) => stdout,
    (error: unknown) => (error as { stdout: string }).stdout,
  );
  expect(said).toBe('');
});

test('the generated hooks create, read and list cases of the mock', async () => {
  const context = { baseUrl: mock.url, credentials: CREDENTIALS };
  const client = new QueryClient();
  const create = new MutationObserver(client, queries.createcaseMutation(context));
  const created: string[] = [];
  for (let count = 0; count < 3; count += 1) {
    const { Id } = (await create.mutate({ body: { Name: `Case ${count}` } })) as { Id: string };
    created.push(Id);
  }
  const read = queries.getcaseQuery(context, { query: { id: created[0] } });
  expect(await client.fetchQuery(read)).toMatchObject({ Id: created[0], Name: 'Case 0' });
  expect(read.queryKey).toEqual(['signing', 'getcase', { query: { id: created[0] } }]);
  const list = queries.findcasesInfiniteQuery(context, { query: { Take: 2 } });
  const { pages, pageParams } = await client.fetchInfiniteQuery({ ...list, pages: 2 } as InfiniteOptions);
  expect(pages.map((page) => (page as object[]).length)).toEqual([2, 1]);
  expect(pageParams).toEqual([0, 2]);
});
