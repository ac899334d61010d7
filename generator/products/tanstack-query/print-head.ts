import type { EmitterKit, EmitterOperation } from '../../emitter-kit/contract.js';
import {
  CORE,
  CORE_INFINITE,
  EVENTS,
  MUTATION,
  type PageKind,
  QUERIES,
  QUERY,
  STREAM,
  STREAMS,
  printInfinite,
} from './factories.js';

/** What all operations of an output share. */
export interface HeadScope {
  readonly operations: readonly EmitterOperation[];
  /** The package of the framework. */
  readonly module: string;
  readonly isCore: boolean;
  /** Whether the head is `base.ts`, whose names others import. */
  readonly isSplit: boolean;
  /** The kinds of pages of its lists, in a fixed order. */
  readonly pages: readonly PageKind[];
  readonly hasStreams: boolean;
  readonly hasEvents: boolean;
  readonly kinds: ReadonlySet<'query' | 'mutation'>;
  /** The name of the object with keys. */
  readonly keys: string;
  readonly kit: EmitterKit;
}

/** Prints the types and factories that the constants of operations are made with. */
export function printHead(scope: HeadScope): string {
  const { kit, isSplit } = scope;
  const up = isSplit ? '../' : './';
  const { api } = kit.names;
  const text = [
    `import ${usesPackage(scope) ? '' : 'type '}* as tanstack from ${kit.print.literal(scope.module)};\n`,
    `import * as rt from '${up}${kit.runtime('query').slice(2)}';\n`,
    scope.pages.length > 0 ? `import * as pages from '${up}${kit.runtime('query-pages').slice(2)}';\n` : '',
    `import type { ${api}Context, ${api}Operations } from '${up}types.js';\n`,
    printTypes(scope),
    printKeys(scope),
    usesPackage(scope) ? QUERIES(api) : '',
    scope.kinds.has('query') ? QUERY(api) : '',
    scope.kinds.has('mutation') ? MUTATION(api) : '',
    scope.pages.length > 0 ? printInfinite(api, scope.pages) : '',
    scope.hasStreams || scope.hasEvents ? STREAMS(api) : '',
    scope.hasStreams ? STREAM(api) : '',
    scope.hasEvents ? EVENTS(api) : '',
  ].join('');
  const local = scope.isCore
    ? text.replaceAll(
        /tanstack\.(?:infiniteQ|q)ueryOptions</g,
        (name) => `${name.includes('inf') ? 'coreInfinite' : 'coreQuery'}<`,
      )
    : text;
  const core =
    scope.isCore && (scope.kinds.has('query') || scope.hasStreams)
      ? CORE + (scope.pages.length > 0 ? CORE_INFINITE : '')
      : '';
  return exportAll(local + core, isSplit);
}

/** Whether a value of the package is used. */
function usesPackage({ kinds, hasStreams, hasEvents }: HeadScope): boolean {
  return kinds.has('query') || hasStreams || hasEvents;
}

/** In `base.ts` the factories are exported, because the parts use them. */
function exportAll(text: string, isSplit: boolean): string {
  return isSplit ? text.replaceAll(/^const /gm, 'export const ').replaceAll(/^type /gm, 'export type ') : text;
}

const printTypes = ({ kit: { names, apiName, print } }: HeadScope): string => `
/** The context of the functions in this file. */
export type ${names.api}QueryContext = rt.QueryContext<${names.api}Context>;

/** The key of a query or mutation: \`['${print.text(apiName)}', { op, tags, path, query, … }]\`. */
export type ${names.api}QueryKey<Name extends Op = Op> = readonly [${print.literal(apiName)}, rt.QueryKeyPart<Name>];

type Operations = ${names.api}Operations;
type Op = keyof Operations & string;
type RequestOf<Name extends Op> = Operations[Name]['request'];
type DataOf<Name extends Op> = rt.QueryData<Operations[Name]['response']['data']>;
type FailureOf<Name extends Op> = Operations[Name]['failure'];
type Given<Request, Other = never, Last = rt.QueryCallOptions> = {} extends Request
  ? [request?: Request | Other, last?: Last]
  : [request: Request | Other, last?: Last];
type Call = (context: never, request: never, options?: never) => Promise<unknown>;
`;

function printKeys({ operations, keys, kit: { names, apiName, print } }: HeadScope): string {
  const { api } = names;
  const root = print.literal(apiName);
  const tags = [...new Set(operations.flatMap((operation) => operation.tags))];
  const tag =
    tags.length === 0
      ? ''
      : `
  /** Every query and mutation with a tag. */
  tag: (name: ${tags.map((one) => print.literal(one)).join(' | ')}) => [${root}, { tag: { [name]: true } }] as const,`;
  return `
/** Keys that match many queries: \`queryClient.invalidateQueries({ queryKey: ${keys}.all })\`. */
export const ${keys} = {
  all: [${root}] as const,${tag}
  /** Every query of an operation. */
  operation: (op: Op) => [${root}, { op }] as const,
  /** Every query of a context with this \`queryScope\`. */
  scope: (queryScope: string) => [${root}, { scope: queryScope }] as const,
};

/** Makes the key of an operation. */
export interface ${api}Key<Name extends Op> {
  (...given: Given<RequestOf<Name>, symbol, Pick<${api}QueryContext, 'queryScope'>>): ${api}QueryKey<Name>;
}

const key =
  <Name extends Op>(op: Name, tags?: readonly string[], secrets?: readonly string[]): ${api}Key<Name> =>
  (...[request, context]) =>
    [${root}, rt.keyPart({ op, ...(tags && { tags }) }, request, context, secrets)];
`;
}
