import { readFileSync } from 'node:fs';

import type { Explanation } from '../entry/specmill.js';
import { createLocator, type Locator } from '../model/diagnostics/locate.js';
import type { SourceLocation } from '../model/diagnostics/diagnostic.js';
import { getOrInsert } from '../model/maps.js';
import { describeKind, rowsOf } from '../resources/map/map-rows.js';
import type { MappedResource } from '../resources/map/resource-map.js';
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

function describeResource(resource: MappedResource, places: Places): string[] {
  const rows = rowsOf(resource);
  // Reasons stand below each other where the texts have about the same length.
  const width = widthOf(rows.filter(({ place }) => place !== undefined).map(({ text }) => text));
  const lines = rows.map(({ name, text, reason, place }) => {
    const words = [reason, place === undefined ? undefined : places.show(place)].filter((word) => word !== undefined);
    const shown = words.length === 0 ? text : `${text.padEnd(place === undefined ? 0 : width)}  (${words.join('; ')})`;
    return `  ${name.padEnd(11)} ${shown}`;
  });
  return [`${resource.path}  ${describeKind(resource)}`, ...lines];
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
