import type { EmitterApi, EmitterDefinition, EmitterKit, EmitterOperation } from '../../emitter-kit/contract.js';
import { defineEmitter } from '../../emitter-kit/define-emitter.js';
import { ADAPTERS } from './adapters.js';
import { printHead } from './print-head.js';
import { type OperationScope, UsedModules } from './operation-scope.js';
import { printImports, printOperation } from './print-operation.js';
import { printSchemes } from './print-security.js';

/** The options of the emitter. */
export interface ServerEmitterOptions {
  readonly framework: keyof typeof ADAPTERS;
  readonly responses: 'check' | 'off';
  readonly implement: { readonly tags?: readonly string[]; readonly operations?: readonly string[] };
  readonly strict: boolean;
}

const PEERS: Readonly<Record<ServerEmitterOptions['framework'], Readonly<Record<string, string>>>> = {
  fetch: {},
  hono: { hono: '>=4.9' },
  fastify: { fastify: '>=5' },
  express: { express: '>=4.21' },
};

/** `server.ts`: the types of handlers, and a server that reads, checks and routes requests. */
export const server: EmitterDefinition<ServerEmitterOptions> = defineEmitter({
  name: 'server',
  version: 1,
  requires: ['types', 'validators'],
  peers: ({ framework }) => PEERS[framework],
  options: {
    framework: {
      enum: Object.keys(PEERS),
      default: 'fetch',
      description: 'The framework of the adapter. `shopFetch`, for any runtime with `fetch`, is always there.',
    },
    responses: {
      enum: ['check', 'off'],
      default: 'check',
      description: 'Whether responses are checked before they are sent. `off` leaves their validators out.',
    },
    implement: {
      description: 'The operations that have handlers, by tag or id; all others answer 501. Default: all.',
      type: 'object',
      properties: {
        tags: { type: 'array', items: { type: 'string' } },
        operations: { type: 'array', items: { type: 'string' } },
      },
      additionalProperties: false,
      default: {},
    },
    strict: {
      description: 'Makes it a type error to leave out a handler of any operation.',
      type: 'boolean',
      default: false,
    },
  },
  emit(api, kit) {
    if (api.operations.length === 0) return;
    const isImplemented = chooseOperations(api, kit);
    const parts = groupByFile(api.operations, kit);
    const isSplit = !parts.has('server');
    for (const [path, operations] of parts) {
      const modules = new UsedModules();
      const checksResponses = kit.options.responses === 'check';
      const scope: OperationScope = { api, kit, checksResponses, isImplemented, use: modules.use };
      const printed = operations.map((operation) => printOperation(operation, scope)).join('');
      const list = `const operations: readonly rt.ServerOperation[] = [\n${printed}];\n`;
      const text = isSplit ? `export ${list}` : printMain({ api, kit, isImplemented, use: modules.use }, list);
      const imports = printImports(operations, scope, isSplit ? '../' : './', modules);
      kit.file(`${path}.ts`, { format: false, text: `${imports}\n${text}` });
    }
    if (!isSplit) return;
    const imports = [...parts.keys()].map(
      (path, index) => `import { operations as part${index} } from './${path}.js';\n`,
    );
    const all = `const operations = [${[...parts.keys()].map((_path, index) => `...part${index}`).join(', ')}];\n`;
    const modules = new UsedModules();
    const main = printMain({ api, kit, isImplemented, use: modules.use }, all);
    const head = `import * as rt from '${kit.runtime('server')}';\n${modules.print(kit, './')}${imports.join('')}`;
    kit.file('server.ts', { format: false, text: head + main });
  },
});

interface MainScope {
  readonly api: EmitterApi;
  readonly kit: EmitterKit<ServerEmitterOptions>;
  readonly isImplemented: (operation: EmitterOperation) => boolean;
  readonly use: OperationScope['use'];
}

/** The types, the data of the API and the adapters. */
function printMain(scope: MainScope, operations: string): string {
  const { api, kit } = scope;
  const { framework } = kit.options;
  const adapters = [...new Set(['fetch', framework] as const)].map((name) =>
    ADAPTERS[name]({
      api: kit.names.api,
      prefix: kit.names.api.charAt(0).toLowerCase() + kit.names.api.slice(1),
      runtime: (module) => kit.runtime(module),
      // The types of TypeScript find the identity of handlers only by the name of their interface.
      handlers: (env) =>
        `${kit.names.api}Handlers<${env}>${kit.options.strict ? '' : ` | ${kit.names.api}SomeHandlers<${env}>`}`,
      needsOptions: needsCredentials(scope),
      methods: [...new Set(api.operations.map(({ method }) => wireMethod(method)))].map((one) =>
        kit.print.literal(one),
      ),
    }),
  );
  return [
    ...adapters.map(({ imports }) => imports),
    printHead(scope, kit.options.strict),
    operations,
    printPlan(scope),
    ...adapters.map(({ code }) => code),
  ].join('\n');
}

/** Prints what all operations share, with the functions that some of them need. */
function printPlan({ api, kit, isImplemented, use }: MainScope): string {
  const servers = api.operations.flatMap((operation) => operation.servers);
  const basePaths = api.basePaths(servers.length === 0 ? api.servers : servers);
  const isGuarded = api.operations.some((one) => isImplemented(one) && one.security.length > 0);
  const paths = [...basePaths, ...api.operations.map(({ path }) => path)];
  const isSpecial =
    paths.some(hasSpecialSegment) ||
    api.operations.some((one) => api.pathRules(one).some(({ isMulti }) => isMulti === true));
  const members = [
    ...(isGuarded ? [`guard: ${use('security')}.guard(${printSchemes(api, kit)})`] : []),
    ...(isSpecial ? [`special: ${use('routes')}.specialRoutes`] : []),
    `basePaths: ${kit.print.literal(basePaths)}`,
  ];
  return `const plan: rt.ServerPlan = {\n  operations,\n${members.map((one) => `  ${one},\n`).join('')}};\n`;
}

/** Whether a template has a segment of several parts, such as `{model}:generate`. */
function hasSpecialSegment(path: string): boolean {
  return path.split('/').some((segment) => /\{[^{}]+\}/.test(segment) && !/^\{[^{}]+\}$/.test(segment));
}

/** Whether an operation needs a credential. */
export function needsCredentials({ api, isImplemented }: Pick<MainScope, 'api' | 'isImplemented'>): boolean {
  return api.operations.some((one) => isImplemented(one) && one.security.some((each) => Object.keys(each).length > 0));
}

function wireMethod(method: string): string {
  return /^[a-z]+$/.test(method) ? method.toUpperCase() : method;
}

/** Reads which operations have handlers. */
function chooseOperations(
  { operations }: EmitterApi,
  { options, report }: EmitterKit<ServerEmitterOptions>,
): (operation: EmitterOperation) => boolean {
  const { tags, operations: ids } = options.implement;
  const refuse = (what: string, name: string): void =>
    report({
      severity: 'error',
      message: `The emitter "server" implements ${JSON.stringify(name)}, which is no ${what} of the API.`,
    });
  const knownTags = new Set(operations.flatMap((one) => one.tags));
  const knownIds = new Set(operations.flatMap(({ id, name }) => [id, name]));
  for (const tag of tags ?? []) if (!knownTags.has(tag)) refuse('tag', tag);
  for (const id of ids ?? []) if (!knownIds.has(id)) refuse('operation', id);
  if (tags === undefined && ids === undefined) return () => true;
  return ({ tags: own, id, name }) =>
    own.some((tag) => tags?.includes(tag) === true) || ids?.includes(id) === true || ids?.includes(name) === true;
}

/** The operations by the file of their data, which follows that of their types. */
function groupByFile(
  operations: readonly EmitterOperation[],
  { names }: EmitterKit<ServerEmitterOptions>,
): Map<string, EmitterOperation[]> {
  const parts = new Map<string, EmitterOperation[]>();
  for (const operation of operations) {
    const file = names
      .operation(operation)
      .fn.module.replace(/^\.\/operations/, 'server')
      .replace(/\.js$/, '');
    const part = parts.get(file);
    if (part === undefined) parts.set(file, [operation]);
    else part.push(operation);
  }
  return parts;
}
