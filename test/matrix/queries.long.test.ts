import { mkdtempSync, readFileSync, rmSync, symlinkSync } from 'node:fs';
import { execFile } from 'node:child_process';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { promisify } from 'node:util';

import { afterAll, beforeAll, describe, expect, it } from 'vitest';

import { generate } from '../../entry/specmill.js';
import { sampleOf } from '../support/sample-of.js';
import { writeTo } from '../support/temp-folder.js';

const MODULES = path.join(import.meta.dirname, 'node_modules');
const folder = mkdtempSync(path.join(tmpdir(), 'specmill-queries-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const FETCH = `
export const read = async (): Promise<string> => (await new QueryClient().fetchQuery(getOrderOptions(context, request))).id;`;
const HEAD = (framework: string, names: string): string => `
import { ${names}, QueryClient } from '@tanstack/${framework === 'angular' ? 'angular-query-experimental' : `${framework}-query`}';
import { createOrderMutation, getOrderOptions, listOrdersInfiniteOptions } from './${framework}/query.js';
const context = { baseUrl: 'https://a.test' };
const request = { path: { id: 'x' } };`;

/** What a user writes in React: the types of data, errors, keys, pages, skipToken and suspense. */
const REACT = `
import { QueryClient, skipToken, useInfiniteQuery, useMutation, useQuery, useSuspenseInfiniteQuery, useSuspenseQuery } from '@tanstack/react-query';
import { createOrderMutation, getOrderOptions, getOrderQueryKey, listOrdersInfiniteOptions, listOrdersOptions, shopKeys } from './react/query.js';
import type { Order } from './react/types.js';
type Equal<A, B> = (<T>() => T extends A ? 1 : 2) extends <T>() => T extends B ? 1 : 2 ? true : false;
const same = <A, B>(_equal: Equal<A, B>): void => {};
const context = { baseUrl: 'https://a.test', queryScope: 'me' };
const request = { path: { id: 'x' } };
export function Use(id: string | undefined): unknown {
  const one = useQuery(getOrderOptions(context, request));
  same<typeof one.data, Order | undefined>(true);
  const { error } = one;
  if (error !== null && error.status === 404) same<typeof error.status, 404>(true);
  const maybe = useQuery(getOrderOptions(context, id === undefined ? skipToken : { path: { id } }));
  same<typeof maybe.data, Order | undefined>(true);
  const suspense = useSuspenseQuery(getOrderOptions(context, request));
  same<typeof suspense.data, Order>(true);
  // @ts-expect-error A suspense query cannot wait.
  useSuspenseQuery(getOrderOptions(context, id === undefined ? skipToken : { path: { id } }));
  // @ts-expect-error An id is needed.
  getOrderOptions(context);
  const list = useQuery(listOrdersOptions(context));
  same<typeof list.data, Order[] | undefined>(true);
  const pages = useInfiniteQuery(listOrdersInfiniteOptions(context, { query: { take: 2 } }));
  same<NonNullable<typeof pages.data>['pages'], Order[][]>(true);
  same<NonNullable<typeof pages.data>['pageParams'], number[]>(true);
  same<ReturnType<typeof useSuspenseInfiniteQuery<Order>>['isError'], boolean>(true);
  const all = useSuspenseInfiniteQuery(listOrdersInfiniteOptions(context));
  same<typeof all.data.pages, Order[][]>(true);
  const { mutate } = useMutation(createOrderMutation(context));
  mutate({ body: { item: 'tea' } });
  // @ts-expect-error A body is needed.
  mutate({});
  const cached = new QueryClient().getQueryData(getOrderOptions(context, request).queryKey);
  same<typeof cached, Order | undefined>(true);
  // @ts-expect-error There is no such tag.
  shopKeys.tag('order');
  const key = getOrderQueryKey(request, context);
  same<(typeof key)[1]['op'], 'getOrder'>(true);
  return useQuery({ ...getOrderOptions(context, request), select: (order) => order.id, enabled: true }).data;
}
`;

/** The same calls by the functions of another framework. */
const call = (
  names: readonly [query: string, mutation: string, infinite: string],
  wrap: string,
  read: string,
): string => `
export function use(): unknown[] {
  const one = ${names[0]}(${wrap}getOrderOptions(context, request));
  const id: string | undefined = one.data${read}?.id;
  const status: number | undefined = one.error${read}?.status;
  const create = ${names[1]}(${wrap}createOrderMutation(context));
  create.mutate({ body: { item: 'tea' } });
  const pages = ${names[2]}(${wrap}listOrdersInfiniteOptions(context));
  const first: string | undefined = pages.data${read}?.pages[0]?.[0]?.id;
  return [id, status, first];
}`;
const USE = ['useQuery', 'useMutation', 'useInfiniteQuery'] as const;
const CREATE = ['createQuery', 'createMutation', 'createInfiniteQuery'] as const;
const INJECT = ['injectQuery', 'injectMutation', 'injectInfiniteQuery'] as const;
const PROGRAMS: Readonly<Record<string, string>> = {
  react: REACT,
  preact: HEAD('preact', USE.join(', ')) + call(USE, '', '') + FETCH,
  vue: HEAD('vue', USE.join(', ')) + call(USE, '', '.value') + FETCH,
  solid: HEAD('solid', USE.join(', ')) + call(USE, '() => ', '') + FETCH,
  svelte: HEAD('svelte', CREATE.join(', ')) + call(CREATE, '() => ', '') + FETCH,
  angular: HEAD('angular', INJECT.join(', ')) + call(INJECT, '() => ', '()') + FETCH,
  core: `
import { InfiniteQueryObserver, MutationObserver, QueryClient, QueryObserver } from '@tanstack/query-core';
import { createOrderMutation, getOrderOptions, listOrdersInfiniteOptions } from './core/query.js';
const context = { baseUrl: 'https://a.test' };
const request = { path: { id: 'x' } };
export function use(client: QueryClient): unknown[] {
  const one = new QueryObserver(client, getOrderOptions(context, request)).getCurrentResult();
  const id: string | undefined = one.data?.id;
  const status: number | undefined = one.error?.status;
  const pages = new InfiniteQueryObserver(client, listOrdersInfiniteOptions(context)).getCurrentResult();
  const first: string | undefined = pages.data?.pages[0]?.[0]?.id;
  return [id, status, first, new MutationObserver(client, createOrderMutation(context)).mutate({ body: { item: 'tea' } })];
}${FETCH}`,
};

const FLAGS = {
  ...{ target: 'ES2022', lib: ['ES2022', 'DOM', 'DOM.Iterable'], module: 'esnext', moduleResolution: 'bundler' },
  ...{ strict: true, exactOptionalPropertyTypes: true, noUncheckedIndexedAccess: true, noUnusedLocals: true },
  ...{ noUnusedParameters: true, noPropertyAccessFromIndexSignature: true, isolatedModules: true },
  ...{ verbatimModuleSyntax: true, skipLibCheck: true, noEmit: true, types: [], jsx: 'react-jsx' },
};

beforeAll(async () => {
  symlinkSync(MODULES, path.join(folder, 'node_modules'));
  for (const [framework, program] of Object.entries(PROGRAMS)) {
    const shop = {
      ...{ spec: path.resolve('test/golden/queries/spec.yaml'), output: framework, only: ['types', 'client'] },
      emitters: [['tanstack-query', { framework }] as const],
    };
    const { apis } = await generate({ cwd: folder, config: { apis: { shop } } });
    const missing = apis[0]?.diagnostics.find(({ code }) => code === 'peer-missing');
    if (apis[0]?.status !== 'written' || missing !== undefined) throw apis[0]?.error ?? new Error(missing?.message);
    writeTo(folder, `use-${framework}.ts`, program);
  }
  const shown = /^```tsx\n([^`]*)^```$/m.exec(readFileSync('docs/query.md', 'utf8'))?.[1] ?? 'The page has no code.';
  writeTo(folder, 'shown.tsx', shown.replaceAll('./generated/shop/', './react/'));
}, 120_000);

describe('queries for every framework', () => {
  it.each([
    ['5.4', sampleOf(Object.keys(PROGRAMS), 3)],
    ['5.9', ['react']],
    ['7', Object.keys(PROGRAMS)],
  ])(
    'compile in TypeScript %s with the types of the real library',
    async (version, frameworks) => {
      const own = frameworks.flatMap((framework) => [`use-${framework}.ts`, `${framework}/query.ts`]);
      const include = [...own, 'shown.tsx'];
      writeTo(folder, 'tsconfig.json', JSON.stringify({ compilerOptions: FLAGS, include }));
      const place = path.join(MODULES, `typescript-${version}`);
      const run = promisify(execFile)(process.execPath, [path.join(place, 'bin/tsc'), '-p', folder], {
        maxBuffer: 1 << 24,
      });
      const said = await run.then(
        ({ stdout }) => stdout,
        (error: unknown) => (error as { stdout: string }).stdout,
      );
      expect(said).toBe('');
    },
    120_000,
  );
});
