import { getOrInsert, groupPairs } from '../../model/maps.js';
import type { Api, Operation } from '../../model/api.js';
import { createDiagnostic } from '../../model/diagnostics/create-diagnostic.js';
import type { Diagnostic } from '../../model/diagnostics/diagnostic.js';
import { NameAllocator, lowerFirst, splitWords, toFileName, toValueName, upperFirst } from '../../model/identifiers.js';
import { toSingular } from '../../model/singular.js';
import { type Helpers, readHelpers } from '../helpers/read-helpers.js';
import type { EmitOptions } from '../emitter.js';
import { clientFunctionNames } from '../type-names.js';

/** A function in a group: `create` for `createCase`. */
export interface GroupMember {
  readonly name: string;
  /** Name of the function in `operations.ts` or `helpers.ts`. */
  readonly functionName: string;
  readonly module: 'operations' | 'helpers';
}

/** Functions that a client offers together: `client.cases.create(…)`. */
export interface OperationGroup {
  /** Name of the member of the client and of the export. */
  readonly name: string;
  /** File name of the module without folder and extension. */
  readonly file: string;
  readonly members: readonly GroupMember[];
}

/** What a client has beyond its operations. */
export interface ClientPlan {
  readonly helpers: Helpers;
  readonly groups: readonly OperationGroup[];
  /** Problems of extensions and groups. */
  readonly diagnostics: readonly Diagnostic[];
}

const plans = new WeakMap<Api, WeakMap<EmitOptions, Promise<ClientPlan>>>();

/** Reads the helpers and groups of a client, once in a run. */
export function planClient(api: Api, options: EmitOptions): Promise<ClientPlan> {
  const byOptions = getOrInsert(plans, api, () => new WeakMap<EmitOptions, Promise<ClientPlan>>());
  return getOrInsert(byOptions, options, async () => {
    const helpers = await readHelpers(api, options);
    const diagnostics = [...helpers.diagnostics];
    const report = (problem: Diagnostic): unknown => diagnostics.push(problem);
    const groups = options.emitters.has('client') ? groupOperations(api, { ...options, report }, helpers) : [];
    return { helpers, groups, diagnostics };
  });
}

/** The groups of a client; none without the option. Operations without a tag are in no group. */
function groupOperations(api: Api, { apiName, group, report }: EmitOptions, helpers: Helpers): OperationGroup[] {
  if (group === undefined) return [];
  const prefix = sharedPrefix(api.operations);
  const byGroup = groupPairs(
    api.operations.flatMap((operation) => {
      const word = group === 'tags' ? operation.tags[0] : firstWord(operation, prefix);
      return word === undefined ? [] : [[word, operation] as const];
    }),
  );
  const functions = [...api.operations, ...helpers.methods].map(({ name }) => name);
  const names = new NameAllocator({ taken: [...functions, ...clientFunctionNames(apiName)] });
  const files = new NameAllocator({ fold: true });
  return [...byGroup].map(([word, operations]) => {
    const name = names.take(toValueName(word));
    if (name !== toValueName(word)) report(clash(operations[0], `The group ${JSON.stringify(word)}`, name));
    const members = nameMembers(operations, { word, helpers, report });
    return { name, file: files.take(toFileName(word)), members };
  });
}

interface GroupScope {
  readonly word: string;
  readonly helpers: Helpers;
  readonly report: (diagnostic: Diagnostic) => void;
}

function nameMembers(operations: readonly Operation[], { word, helpers, report }: GroupScope): GroupMember[] {
  const names = new NameAllocator();
  const add = (operation: Operation, functionName: string, module: GroupMember['module']): GroupMember => {
    const wanted = memberName(functionName, word);
    const name = names.take(wanted);
    if (name !== wanted) report(clash(operation, `${functionName} in the group ${JSON.stringify(word)}`, name));
    return { name, functionName, module };
  };
  return operations.flatMap((operation) => [
    ...(helpers.replaced.has(operation.name) ? [] : [add(operation, operation.name, 'operations')]),
    ...helpers.methods
      .filter((helper) => helper.operation === operation)
      .map((helper) => add(operation, helper.name, 'helpers')),
  ]);
}

function clash(operation: Operation | undefined, what: string, name: string): Diagnostic {
  const source = operation?.source ?? { file: '', pointer: '' };
  return createDiagnostic('name-taken', source, `${what} is called ${name}: the name without a number is taken.`);
}

/** The name of a function without the words of its group, each removed once: `createCase` in `cases` is `create`. */
function memberName(functionName: string, group: string): string {
  const own = splitWords(group).map((word) => toSingular(word.toLowerCase()));
  const rest = splitWords(functionName).filter((word) => {
    const index = own.indexOf(toSingular(word.toLowerCase()));
    if (index >= 0) own.splice(index, 1);
    return index < 0;
  });
  const name = toPropertyName(rest);
  return name === '' || /^\d/.test(name) ? functionName : name;
}

/** Returns a member name; reserved words are allowed: `client.cases.delete(…)`. */
function toPropertyName([first = '', ...rest]: readonly string[]): string {
  return lowerFirst(first) + rest.map(upperFirst).join('');
}

/** The segments of a path that are not parameters. */
function pathWords({ path }: Operation): string[] {
  return path.split('/').filter((segment) => /^[^{}]+$/.test(segment));
}

/** The common prefix of all paths, such as `api`, `v2`; empty for a single path. */
function sharedPrefix(operations: readonly Operation[]): number {
  const [first = [], ...others] = [...new Set(operations.map(({ path }) => path))].map((path) =>
    path.split('/').filter(Boolean),
  );
  if (others.length === 0) return 0;
  const end = first.findIndex((word, index) => others.some((other) => other[index] !== word));
  return Math.min(end < 0 ? first.length : end, ...others.map((other) => other.length - 1), first.length - 1);
}

function firstWord(operation: Operation, prefix: number): string | undefined {
  return pathWords({ ...operation, path: operation.path.split('/').filter(Boolean).slice(prefix).join('/') })[0];
}
