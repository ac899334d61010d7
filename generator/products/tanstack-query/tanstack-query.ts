import type { EmitterApi, EmitterDefinition, EmitterKit, EmitterOperation } from '../../emitter-kit/contract.js';
import { defineEmitter } from '../../emitter-kit/define-emitter.js';
import type { PageKind } from './factories.js';
import { type HeadScope, printHead } from './print-head.js';
import { type QueryKind, printOperation, readsEvents } from './print-operation.js';

/** The options of the emitter. */
export interface QueryOptions {
  readonly framework: keyof typeof PACKAGES;
  readonly queries: readonly string[] | Readonly<Record<string, 'query' | 'mutation'>>;
  readonly mutations: readonly string[];
}

const PACKAGES = {
  react: '@tanstack/react-query',
  preact: '@tanstack/preact-query',
  vue: '@tanstack/vue-query',
  solid: '@tanstack/solid-query',
  svelte: '@tanstack/svelte-query',
  angular: '@tanstack/angular-query-experimental',
  core: '@tanstack/query-core',
} as const;

/** `query.ts`: options for TanStack Query, as plain values. */
export const tanstackQuery: EmitterDefinition<QueryOptions> = defineEmitter({
  name: 'tanstack-query',
  version: 1,
  requires: ['types', 'client'],
  peers: ({ framework }) => ({ [PACKAGES[framework]]: '>=5.62' }),
  options: {
    framework: { enum: Object.keys(PACKAGES), default: 'react', description: 'Whose package the file imports.' },
    queries: {
      description:
        'Operations that read although they are no GET: a list of ids, or a map from id to `query` or `mutation`.',
      type: ['array', 'object'],
      items: { type: 'string' },
      additionalProperties: { enum: ['query', 'mutation'] },
      default: [],
    },
    mutations: {
      description: 'Operations that write although they are a GET: a list of ids.',
      type: 'array',
      items: { type: 'string' },
      default: [],
    },
  },
  emit(api, kit) {
    const kinds = chooseKinds(api, kit);
    const called = api.operations.filter((operation) => kit.names.operation(operation).hasFunction);
    if (called.length === 0) return;
    const parts = groupByFile(called, kit);
    const isSplit = !parts.has('query');
    const head = printHead(describeHead(called, kinds, { isSplit, kit }));
    if (isSplit) kit.file('query/base.ts', { format: false, text: head });
    const scope = { kit, at: isSplit ? 'base.' : '', secrets: credentialNames(api) } as const;
    for (const [file, operations] of parts) {
      const printed = operations.map((operation) => printOperation(operation, kindOf(operation, kinds), scope));
      const imports = [
        `import * as operations from '${operationsModule(operations, kit)}';`,
        ...(operations.some((operation) => readsEvents(operation, kit))
          ? [`import * as helpers from '${isSplit ? '../' : './'}helpers.js';`]
          : []),
        isSplit ? "import * as base from './base.js';\n" : head,
      ];
      kit.file(`${file}.ts`, { format: false, text: [...imports, ...printed].join('\n') });
    }
    if (isSplit) kit.file('query.ts', { format: false, text: printBarrel(parts, kit) });
  },
});

type Kinds = ReadonlyMap<string, QueryKind>;

function kindOf({ id }: EmitterOperation, kinds: Kinds): QueryKind {
  return kinds.get(id) ?? 'mutation';
}

function describeHead(
  operations: readonly EmitterOperation[],
  kinds: Kinds,
  { isSplit, kit }: { readonly isSplit: boolean; readonly kit: EmitterKit<QueryOptions> },
): HeadScope {
  const { framework } = kit.options;
  const queries = operations.filter(
    (operation) => kindOf(operation, kinds) === 'query' && !operation.isStream && !readsEvents(operation, kit),
  );
  return {
    ...{
      operations,
      isSplit,
      kit,
      module: PACKAGES[framework],
      isCore: framework === 'core',
      keys: keysName(kit.names.api),
    },
    pages: (['counted', 'linked'] as const).filter((kind) =>
      queries.some((operation) => pageKind(operation, kit) === kind),
    ),
    hasStreams: operations.some(({ isStream }) => isStream),
    hasEvents: operations.some((operation) => readsEvents(operation, kit)),
    kinds: new Set([
      ...(queries.length > 0 ? (['query'] as const) : []),
      ...(operations.some((operation) => kindOf(operation, kinds) === 'mutation') ? (['mutation'] as const) : []),
    ]),
  };
}

function pageKind(operation: EmitterOperation, { helpers }: EmitterKit<QueryOptions>): PageKind | undefined {
  const style = helpers.pagination(operation)?.style;
  if (style === undefined) return undefined;
  return style === 'offset' || style === 'page' ? 'counted' : 'linked';
}

/** The parameters that the security schemes define, in lower case. */
function credentialNames({ securitySchemes }: EmitterApi): ReadonlySet<string> {
  return new Set(
    [...securitySchemes.values()].flatMap((scheme) => (scheme.type === 'apiKey' ? [scheme.name.toLowerCase()] : [])),
  );
}

/** Whether each operation reads or writes, by its id. */
function chooseKinds(api: EmitterApi, { options, report }: EmitterKit<QueryOptions>): ReadonlyMap<string, QueryKind> {
  const { queries, mutations } = options;
  const told = new Map<string, QueryKind>([
    ...(Array.isArray(queries) ? queries.map((id: string) => [id, 'query'] as const) : Object.entries(queries)),
    ...mutations.map((id) => [id, 'mutation'] as const),
  ] as [string, QueryKind][]);
  const known = new Set(api.operations.flatMap(({ id, name }) => [id, name]));
  for (const id of told.keys())
    if (!known.has(id))
      report({
        severity: 'error',
        message: `The emitter "tanstack-query" has an option for ${JSON.stringify(id)}, which is no operation of the API.`,
      });
  return new Map(
    api.operations.map(({ id, name, method }) => [
      id,
      told.get(id) ?? told.get(name) ?? (READS.has(method) ? 'query' : 'mutation'),
    ]),
  );
}

const READS: ReadonlySet<string> = new Set(['get', 'head', 'query']);

/** The operations by the file of their queries, which follows that of their functions. */
function groupByFile(
  called: readonly EmitterOperation[],
  { names }: EmitterKit<QueryOptions>,
): Map<string, EmitterOperation[]> {
  const parts = new Map<string, EmitterOperation[]>();
  for (const operation of called) {
    const file = names
      .operation(operation)
      .fn.module.replace(/^\.\/operations/, 'query')
      .replace(/\.js$/, '');
    const part = parts.get(file);
    if (part === undefined) parts.set(file, [operation]);
    else part.push(operation);
  }
  return parts;
}

function operationsModule([first]: readonly EmitterOperation[], { names }: EmitterKit<QueryOptions>): string {
  const module = first === undefined ? './operations.js' : names.operation(first).fn.module;
  return module.startsWith('./operations/') ? `.${module}` : module;
}

/** Exports all parts of a split output, and the types and keys of the API. */
function printBarrel(parts: ReadonlyMap<string, unknown>, { names }: EmitterKit<QueryOptions>): string {
  const base = `export { ${keysName(names.api)}, type ${names.api}QueryContext, type ${names.api}QueryKey } from './query/base.js';`;
  return [base, ...[...parts.keys()].map((file) => `export * from './${file}.js';`)].join('\n');
}

/** The name of the object with keys for invalidation: `shopKeys`. */
function keysName(api: string): string {
  return `${api.charAt(0).toLowerCase()}${api.slice(1)}Keys`;
}
