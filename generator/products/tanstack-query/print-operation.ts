import type { EmitterKit, EmitterOperation } from '../../emitter-kit/contract.js';

/** Whether an operation reads or writes. */
export type QueryKind = 'query' | 'mutation';

/** Where a file finds what all parts of an output share: in itself, or in `base.ts`. */
export type BasePrefix = '' | 'base.';

/** Parameters that carry credentials, by their usual names. */
const SECRET = /^(?:authorization|proxy-authorization|cookie)$|api[-_]?key|access[-_]?token|secret|password|session/i;

/** Prints the key and the options of an operation. */
export function printOperation(operation: EmitterOperation, kind: QueryKind, scope: OperationScope): string {
  const { kit, at } = scope;
  const names = kit.names.operation(operation);
  const key = names.constant('QueryKey');
  const call = `operations.${names.fn.name}`;
  const tags = operation.tags.length === 0 ? [] : [kit.print.literal(operation.tags)];
  const secrets = secretParameters(operation, scope);
  const make = (factory: string, args: readonly string[]): string =>
    `/* @__PURE__ */ ${at}${factory}(${args.join(', ')})`;
  const lines = [
    comment(operation, 'The key', kit),
    `export const ${key} = ${make('key', keyArguments([kit.print.literal(operation.name), tags[0], secrets]))};`,
  ];
  const add = (suffix: string, what: string, value: string): void =>
    void lines.push('', comment(operation, what, kit), `export const ${names.constant(suffix)} = ${value};`);
  if (readsEvents(operation, kit))
    add('StreamOptions', 'The messages so far', make('events', [key, `helpers.${names.events?.name}`]));
  else if (operation.isStream) add('StreamOptions', 'The items so far', make('stream', [key, call]));
  else if (kind === 'query') add('Options', 'The data', make('query', [key, call]));
  if (kind === 'mutation') add('Mutation', 'The call', make('mutation', [key, call]));
  else for (const line of printPages(operation, scope, { key, call })) lines.push(line);
  return `${lines.join('\n')}\n`;
}

export interface OperationScope {
  readonly kit: EmitterKit;
  readonly at: BasePrefix;
  /** Names of parameters that the security schemes define. */
  readonly secrets: ReadonlySet<string>;
}

/** The key and options with all pages of a list. */
function printPages(
  operation: EmitterOperation,
  { kit, at }: OperationScope,
  { key, call }: { readonly key: string; readonly call: string },
): string[] {
  const pages = kit.helpers.pagination(operation);
  if (pages === undefined || operation.isStream || readsEvents(operation, kit)) return [];
  const names = kit.names.operation(operation);
  const { style, plan } = pages;
  const own = names.constant('InfiniteQueryKey');
  return [
    '',
    comment(operation, 'The key of all pages', kit),
    `export const ${own} = /* @__PURE__ */ ${at}pagesKey(${key});`,
    '',
    comment(operation, 'The pages', kit),
    `export const ${names.constant('InfiniteOptions')} = /* @__PURE__ */ ${at}infinite(${own}, ${call}, ${kit.print.literal({ style, plan })});`,
  ];
}

/** Whether a helper reads the messages of its stream of events. */
export function readsEvents(operation: EmitterOperation, { names }: EmitterKit): boolean {
  return !operation.isStream && names.operation(operation).events !== undefined;
}

/** A comment; the name of an operation may be any text. */
function comment({ name, description, summary }: EmitterOperation, what: string, { print }: EmitterKit): string {
  return print
    .comment(`${what} of \`${name}\`.`, what.startsWith('The key') ? undefined : (summary ?? description))
    .trimEnd();
}

function secretParameters({ parameters }: EmitterOperation, { kit, secrets }: OperationScope): string | undefined {
  const found = parameters
    .filter(({ name }) => secrets.has(name.toLowerCase()) || SECRET.test(name))
    .map(({ name }) => name);
  return found.length === 0 ? undefined : kit.print.literal(found);
}

/** The arguments of a key; trailing ones that are not given are left out. */
function keyArguments([op = '', tags, secrets]: readonly (string | undefined)[]): string[] {
  if (secrets !== undefined) return [op, tags ?? 'undefined', secrets];
  return tags === undefined ? [op] : [op, tags];
}
