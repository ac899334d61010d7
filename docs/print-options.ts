/**
 * Writes what the documents and the package have of `config/options.schema.json`: the tables of options in the guides,
 * and the JSON schema of the configuration.
 *
 *     npx jiti docs/print-options.ts
 */
import { readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { pathToFileURL } from 'node:url';

import { type Command, describeCommands } from '../cli/command.js';
import { describeDefault, type Flag, OPTION_SCHEMAS } from '../config/option-schema.js';
import { isRecord } from '../model/document/records.js';
import { packageRoot } from '../model/package-info.js';

/** The guides with tables of options, each between `<!-- options of NAME -->` and `<!-- end of options -->`. */
const GUIDES = ['contract', 'diff', 'drafts', 'mocks', 'outputs', 'proxy'].map((name) => `docs/${name}.md`);

/** The JSON schema of the configuration, in the package: `$schema` of a JSON or YAML configuration names it. */
export const CONFIG_SCHEMA = 'config/specmill.schema.json';

/** The files as they should be, by path. */
export function printOptionFiles(): ReadonlyMap<string, string> {
  const commands = describeCommands();
  const guides = GUIDES.map((file): [string, string] => [file, fillTables(readProjectFile(file), commands)]);
  return new Map([...guides, [CONFIG_SCHEMA, printConfigSchema()]]);
}

/** The file as it is. */
export function readProjectFile(file: string): string {
  return readFileSync(path.join(packageRoot, file), 'utf8');
}

/** A page with the current tables between its markers. */
export function fillTables(page: string, commands: ReadonlyMap<string, Command>): string {
  return page.replaceAll(/<!-- options of (\w+) -->\n[^]*?<!-- end of options -->/g, (_all, name: string) => {
    const rows = (commands.get(name)?.flags ?? []).filter((flag) => !UNLISTED.has(flag.name)).map(printRow);
    const table = ['| option | default | meaning |', '| --- | --- | --- |', ...rows].join('\n');
    return `<!-- options of ${name} -->\n\n${table}\n\n<!-- end of options -->`;
  });
}

/** The same in each command. */
const UNLISTED: ReadonlySet<string> = new Set(['debug', 'help']);

function printRow({ name, value, isRepeated, schema }: Flag): string {
  const form = `--${name}${value === undefined ? '' : ` ${value}`}`;
  const texts = [schema.description, isRepeated ? 'May be repeated.' : undefined, schema['x-docs']];
  const cells = [`\`${form}\``, describeDefault(schema), texts.filter((text) => text !== undefined).join(' ')];
  return `| ${cells.map((cell) => cell.replaceAll('|', String.raw`\|`)).join(' | ')} |`;
}

/**
 * The schema of the configuration: the part of `config/options.schema.json` that it reaches, as draft-07, which every
 * editor knows. Functions and emitters, which only a module can have, are left out.
 */
function printConfigSchema(): string {
  const names = new Set<string>();
  const { title, ...config } = project(OPTION_SCHEMAS['Configuration'], names);
  const definitions: Record<string, unknown> = {};
  // Iterating a set also visits names that are added on the way.
  for (const name of names) {
    const schema = OPTION_SCHEMAS[name] ?? {};
    // The schema of a set-up is open, because the options of a run extend it; a configuration has no other members.
    const closed = schema.properties === undefined ? {} : { additionalProperties: false };
    definitions[name] = { ...closed, ...project(schema, names) };
  }
  const head = { $schema: 'http://json-schema.org/draft-07/schema#', title: `${String(title)} of specmill` };
  return `${JSON.stringify({ ...head, ...config, definitions }, undefined, 2)}\n`;
}

function project(schema: unknown, names: Set<string>): Readonly<Record<string, unknown>> {
  return projectAny(schema, names) as Readonly<Record<string, unknown>>;
}

function projectAny(value: unknown, names: Set<string>): unknown {
  if (Array.isArray(value)) return value.map((item) => projectAny(item, names));
  if (!isRecord(value)) return value;
  const { $ref, unevaluatedProperties: _, ...members } = value;
  const kept = Object.entries(members).filter(
    ([name, member]) => !name.startsWith('x-') && !(isRecord(member) && member['x-function-only'] === true),
  );
  const own = Object.fromEntries(kept.map(([name, member]) => [name, projectAny(member, names)]));
  if (typeof $ref !== 'string') return own;
  const name = $ref.replace('#/$defs/', '');
  names.add(name);
  // Draft-07 ignores what stands beside a reference.
  return { ...own, allOf: [{ $ref: `#/definitions/${name}` }] };
}

if (process.argv[1] !== undefined && import.meta.url === pathToFileURL(process.argv[1]).href)
  for (const [file, text] of printOptionFiles()) writeFileSync(path.join(packageRoot, file), text);
