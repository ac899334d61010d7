import type { Api, Emitter } from 'specmill';

type Operation = Api['operations'][number];

/**
 * An emitter that adds `query.ts` to an output: `queryOptions` for each read, `mutationOptions` for each write and
 * `infiniteQueryOptions` for each operation with `x-pagination`, for TanStack Query 5 in React.
 */
export const tanstackQuery: Emitter = {
  name: 'tanstack-query',
  emit: (api, { apiName }) => [{ path: 'query.ts', contents: printModule(api, apiName) }],
};

interface Names {
  /** The key that all queries of the API start with. */
  readonly apiName: string;
  /** What the types of the API start with: `RateLimits` for `rate-limits`. */
  readonly prefix: string;
}

function printModule(api: Api, apiName: string): string {
  const prefix = apiName.replaceAll(/(?:^|[^A-Za-z0-9]+)([A-Za-z0-9])/g, (_match, letter: string) =>
    letter.toUpperCase(),
  );
  const names = { apiName, prefix };
  const parts = api.operations.flatMap((operation) => [
    isRead(operation) ? printQuery(operation, names) : printMutation(operation, names),
    ...(pagingOf(operation) === undefined ? [] : [printInfiniteQuery(operation, names)]),
  ]);
  const used = ['infiniteQueryOptions', 'mutationOptions', 'queryOptions'].filter((name) =>
    parts.some((part) => part.includes(` ${name}(`)),
  );
  return [
    `import { ${used.join(', ')} } from '@tanstack/react-query';\n`,
    ...(parts.some((part) => part.includes(' helpers.')) ? ["import * as helpers from './helpers.js';"] : []),
    "import * as operations from './operations.js';",
    `import type { ${prefix}Context, ${prefix}Operations } from './types.js';\n`,
    ...parts,
  ].join('\n');
}

function isRead({ method }: Operation): boolean {
  return method === 'get' || method === 'query';
}

/** Whether an operation can be called without values. */
function isOptional({ body, parameters }: Operation): boolean {
  return body?.required !== true && parameters.every(({ required }) => !required);
}

function printParameters(operation: Operation, { prefix }: Names): string {
  const type = `${prefix}Operations['${operation.name}']['request']`;
  return `context: ${prefix}Context, request${isOptional(operation) ? '?' : ''}: ${type}`;
}

/** A query may not return `undefined`, which means no data. */
function printQuery(operation: Operation, names: Names): string {
  const { name } = operation;
  return `
export const ${name}Query = (${printParameters(operation, names)}) =>
  queryOptions({
    queryKey: ['${names.apiName}', '${name}', request] as const,
    queryFn: async ({ signal }) => (await operations.${name}(context, request, { signal })).data ?? null,
  });
`;
}

function printMutation({ name }: Operation, { apiName, prefix }: Names): string {
  return `
export const ${name}Mutation = (context: ${prefix}Context) =>
  mutationOptions({
    mutationKey: ['${apiName}', '${name}'] as const,
    mutationFn: async (request: ${prefix}Operations['${name}']['request']) =>
      (await operations.${name}(context, request)).data,
  });
`;
}

/** The members of `x-pagination` that an infinite query needs. */
interface Paging {
  readonly style: 'offset' | 'page' | 'token';
  readonly items: string;
  readonly skip?: string;
  readonly page?: string;
  readonly token?: string;
  readonly next?: string;
}

function pagingOf({ extensions }: Operation): Paging | undefined {
  return extensions['x-pagination'] as Paging | undefined;
}

/**
 * The pages are those of the API: an offset, a page number or a token is the parameter of a page. The helper for pages reads the
 * items of one; the token of the next page is only in the response itself.
 */
function printInfiniteQuery(operation: Operation, names: Names): string {
  const { name } = operation;
  const paging = pagingOf(operation);
  if (paging === undefined) return '';
  const parameter = paging.skip ?? paging.page ?? paging.token ?? '';
  const query = `{ ...request, query: { ...request?.query, ${JSON.stringify(parameter)}: pageParam } }, { signal }`;
  const read =
    paging.style === 'token'
      ? `(await operations.${name}(context, ${query})).data`
      : `(await helpers.${name}Items(context, ${query}).page()) ?? []`;
  const [first, next] = {
    offset: ['0', '(items, _pages, skip) => (items.length > 0 ? skip + items.length : undefined)'],
    page: ['1', '(items, _pages, number) => (items.length > 0 ? number + 1 : undefined)'],
    token: ['undefined as string | undefined', `(page) => page${printPath(paging.next ?? '')} || undefined`],
  }[paging.style] as [string, string];
  return `
export const ${name}InfiniteQuery = (${printParameters(operation, names)}) =>
  infiniteQueryOptions({
    queryKey: ['${names.apiName}', '${name}', 'pages', request] as const,
    queryFn: async ({ pageParam, signal }) =>
      ${read},
    initialPageParam: ${first},
    getNextPageParam: ${next},
  });
`;
}

/** A JSON pointer as the access to a member. */
function printPath(pointer: string): string {
  return pointer
    .split('/')
    .slice(1)
    .map((name) => `?.[${JSON.stringify(name)}]`)
    .join('');
}
