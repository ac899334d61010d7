import { readFileSync } from 'node:fs';

import type { Explanation } from '../entry/specmill.js';
import { createLocator, type Locator } from '../model/diagnostics/locate.js';
import type { SourceLocation } from '../model/diagnostics/diagnostic.js';
import { getOrInsert } from '../model/maps.js';
import type {
  MappedFilter,
  MappedList,
  MappedOperation,
  MappedPaging,
  MappedReason,
  MappedResource,
} from '../resources/map/resource-map.js';
import { correctionLines } from './correction-lines.js';
import { showPath } from './format-place.js';
import { type Io, toTerminalText } from './io.js';

/** Prints what an API manages: each resource in a few lines, then the operations without state. */
export function printMap(explanation: Explanation, io: Io): void {
  const { title, version, resources, stateless, handled, suggestions, problems } = explanation;
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
  if (suggestions.length > 0) {
    out();
    out('Not sure: these lines of "resources" in the configuration, or of "x-resources" in the spec, would decide it');
    for (const line of correctionLines(suggestions, { comment: '#', end: '' })) out(`  ${line}`);
  }
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

type Row = readonly [name: string, text: string];

function describeResource(resource: MappedResource, places: Places): string[] {
  const { path, kind, schema, id, parent, references, unique, operations, lists } = resource;
  const collection = `a collection${schema === undefined ? '' : ` of ${schema}`}`;
  const what = kind === 'collection' ? collection : `one ${schema ?? 'thing'}`;
  const width = widthOf(operations.map(showCall));
  const rows: Row[] = [
    ...(id === undefined ? [] : [['id', describeId(id, places)] as const]),
    ...(parent === undefined ? [] : [['parent', describeParent(parent)] as const]),
    ...operations.map(({ reason, ...one }) => {
      const basis = { ...one, reason: one.isSure ? '' : reason };
      return [one.role, `${showCall(one).padEnd(width)}${because(basis, places)}`] as const;
    }),
    ...lists.flatMap((list) => describeList(list, lists.length > 1)),
    ...references.map((one) => ['refers', `${one.member} to ${one.path}${unsure(one)}`] as const),
    ...(unique.length === 0 ? [] : [['unique', unique.map(({ member }) => member).join(', ')] as const]),
  ];
  return [`${path}  ${what}`, ...rows.map(([name, text]) => `  ${name.padEnd(10)} ${text}`)];
}

function describeId(id: NonNullable<MappedResource['id']>, places: Places): string {
  const { member, parameter, prefix, inResponse } = id;
  const words = [
    member,
    prefix === undefined ? undefined : `starts with ${prefix}`,
    parameter === undefined ? undefined : `in requests ${parameter}`,
    inResponse === undefined ? undefined : `in the response to a creation ${inResponse}`,
  ];
  return `${words.filter((word) => word !== undefined).join(', ')}${because(id, places)}`;
}

function describeList(
  { operationId, paging, gap, filters, sort, direction, search }: MappedList,
  isNamed: boolean,
): Row[] {
  const owner = isNamed ? `${operationId}: ` : '';
  const orders = [sort, direction].filter((name) => name !== undefined);
  const rows: (readonly [string, string | undefined])[] = [
    ['pages', paging === undefined ? gap && `none: ${gap.split(':', 1)[0]}` : describePaging(paging)],
    ['filters', filters.length === 0 ? undefined : filters.map(describeFilter).join(', ')],
    ['sorts by', orders.length === 0 ? undefined : orders.join(', ')],
    ['search', search],
  ];
  return rows.flatMap(([name, text]): Row[] => (text === undefined ? [] : [[name, `${owner}${text}`]]));
}

function describePaging(paging: MappedPaging): string {
  const { style, step, size, next, more, total } = paging;
  const words = [
    step === undefined ? `by ${style}` : `by ${step} (${style})`,
    size === undefined ? undefined : `size ${size}`,
    next === undefined ? undefined : `next ${next}`,
    more === undefined ? undefined : `more ${more}`,
    total === undefined ? undefined : `total ${total}`,
  ];
  return `${words.filter((word) => word !== undefined).join(', ')}${unsure(paging)}`;
}

function describeFilter({ parameter, member, test }: MappedFilter): string {
  const isSame = member === `/${parameter}`;
  return `${parameter}${isSame && test === 'equals' ? '' : ` (${test} ${member})`}`;
}

function unsure({ isSure, reason }: MappedReason): string {
  return isSure ? '' : `  (not sure: ${reason})`;
}

function describeParent({ path, parameters }: NonNullable<MappedResource['parent']>): string {
  const members = Object.entries(parameters).map(([name, member]) => `${name} is ${member}`);
  return `${path}${members.length === 0 ? '' : `, ${members.join(', ')}`}`;
}

function showCall({ operationId, method, path, status }: Omit<MappedOperation, 'reason'>): string {
  return `${operationId}: ${method} ${path} → ${status}`;
}

function because({ reason, isSure, place }: MappedReason, places: Places): string {
  const words = [isSure ? reason : `not sure: ${reason}`, place === undefined ? '' : places.show(place)].filter(
    (word) => word !== '',
  );
  return words.length === 0 ? '' : `  (${words.join('; ')})`;
}

/** The lines of places in files that were read. */
class Places {
  readonly #cwd: string;
  #main: string | undefined;
  readonly #locators = new Map<string, Locator | undefined>();

  constructor(cwd: string) {
    this.#cwd = cwd;
  }

  /** The file once, then only its lines. */
  show({ file, pointer }: SourceLocation): string {
    const isKnown = this.#main === file;
    this.#main ??= file;
    const locate = getOrInsert(this.#locators, file, () =>
      /^(?!https?:).*\.(?:json|ya?ml)$/.test(file) ? createLocator(readFileSync(file, 'utf8')) : undefined,
    );
    const line = locate?.(pointer).line;
    if (isKnown && line !== undefined) return `line ${line}`;
    return `${showPath(file, this.#cwd)}${line === undefined ? '' : `:${line}`}`;
  }
}
