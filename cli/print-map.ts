import { readFileSync } from 'node:fs';

import type { Explanation } from '../entry/specmill.js';
import { createLocator, type Locator } from '../model/diagnostics/locate.js';
import type { SourceLocation } from '../model/diagnostics/diagnostic.js';
import { getOrInsert } from '../model/maps.js';
import type { MappedOperation, MappedReason, MappedResource } from '../resources/map/resource-map.js';
import { showPath } from './format-place.js';
import { type Io, toTerminalText } from './io.js';

/** Prints what an API manages: each resource in a few lines, then the operations without state. */
export function printMap(explanation: Explanation, io: Io): void {
  const { title, version, resources, stateless, handled, problems } = explanation;
  const places = new Places(io.cwd);
  const out = (line = ''): void => io.out(`${toTerminalText(line)}\n`);
  const kept = resources.reduce((sum, { operations }) => sum + operations.length, 0);
  out(
    `${title} ${version}: ${count(resources.length, 'resource')}, ${kept} of ${count(kept + stateless.length, 'operation')} with state`,
  );
  for (const resource of resources) {
    out();
    for (const line of describeResource(resource, places)) out(line);
  }
  if (handled.length > 0) {
    out();
    out(`Operations with a handler of their own in the behaviour of the mock: ${handled.join(', ')}`);
  }
  if (stateless.length > 0) printStateless(explanation, out);
  if (problems !== undefined) printProblems(problems, resources.length, out);
}

type Print = (line?: string) => void;

function printStateless({ stateless }: Explanation, out: Print): void {
  out();
  out('Operations without state: their responses are made from the spec');
  const width = widthOf(stateless.map(({ method, path }) => `${method} ${path}`));
  for (const { method, path, reason } of stateless) out(`  ${`${method} ${path}`.padEnd(width)}  ${reason}`);
}

function printProblems(problems: NonNullable<Explanation['problems']>, played: number, out: Print): void {
  out();
  out(problems.length === 0 ? `All of it holds: ${count(played, 'resource')} played against a mock.` : 'Does not hold');
  for (const { path, operationId, message } of problems) out(`  ${path}  ${operationId}: ${message}`);
}

function count(number: number, noun: string): string {
  return `${number} ${noun}${number === 1 ? '' : 's'}`;
}

/** The longest of some texts, at most 60 characters, so that one long path does not move all others. */
function widthOf(texts: readonly string[]): number {
  return Math.min(60, Math.max(0, ...texts.map(({ length }) => length)));
}

function describeResource(resource: MappedResource, places: Places): string[] {
  const { path, kind, schema, id, parent, references, operations } = resource;
  const collection = `a collection${schema === undefined ? '' : ` of ${schema}`}`;
  const what = kind === 'collection' ? collection : `one ${schema ?? 'thing'}`;
  const width = widthOf(operations.map(showCall));
  const rows: (readonly [string, string])[] = [
    ...(id === undefined ? [] : [['id', describeId(id, places)] as const]),
    ...(parent === undefined ? [] : [['parent', describeParent(parent)] as const]),
    ...references.map((one) => ['refers', `${one.member} to ${one.path}${because(one, places)}`] as const),
    ...operations.map((one) => [one.role, `${showCall(one).padEnd(width)}${because(one, places)}`] as const),
  ];
  return [`${path}  ${what}`, ...rows.map(([name, text]) => `  ${name.padEnd(10)} ${text}`)];
}

function describeId(id: NonNullable<MappedResource['id']>, places: Places): string {
  const { member, parameter, prefix } = id;
  const start = prefix === undefined ? '' : `, which starts with ${prefix}`;
  return `${member}${start}${parameter === undefined ? '' : `, in requests ${parameter}`}${because(id, places)}`;
}

function describeParent({ path, parameters }: NonNullable<MappedResource['parent']>): string {
  const members = Object.entries(parameters).map(([name, member]) => `${name} is ${member}`);
  return `${path}${members.length === 0 ? '' : `, ${members.join(', ')}`}`;
}

function showCall({ operationId, method, path, status }: MappedOperation): string {
  return `${operationId}: ${method} ${path} → ${status}`;
}

function because({ reason, place }: MappedReason, places: Places): string {
  const words = [reason, place === undefined ? '' : places.show(place)].filter((word) => word !== '');
  return words.length === 0 ? '' : `  (${words.join('; ')})`;
}

/** The lines of places in files that were read. */
class Places {
  readonly #cwd: string;
  readonly #locators = new Map<string, Locator | undefined>();

  constructor(cwd: string) {
    this.#cwd = cwd;
  }

  show({ file, pointer }: SourceLocation): string {
    const locate = getOrInsert(this.#locators, file, () =>
      /^(?!https?:).*\.(?:json|ya?ml)$/.test(file) ? createLocator(readFileSync(file, 'utf8')) : undefined,
    );
    return `${showPath(file, this.#cwd)}${locate === undefined ? '' : `:${locate(pointer).line}`}`;
  }
}
