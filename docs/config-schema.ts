import { readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';

import { OPTION_SCHEMAS } from '../config/option-schema.js';
import { isRecord } from '../model/document/records.js';

/** The JSON schema of the configuration, in the package: `$schema` of a JSON or YAML configuration names it. */
const FILE = 'config/specmill.schema.json';
const root = path.join(import.meta.dirname, '..');

/**
 * The schema of the configuration as its file has it: the part of `config/options.schema.json` that it reaches, as
 * draft-07, which every editor knows. Functions and emitters, which only a module can have, are left out.
 */
export function printConfigSchema(): string {
  const names = new Set<string>();
  const { title, ...config } = project(OPTION_SCHEMAS['Configuration'], names);
  const definitions: Record<string, unknown> = {};
  // Iterating a set also visits names that are added on the way.
  // The schema of a set-up is open, because the options of a run extend it; a configuration has no other members.
  const closed = { additionalProperties: false };
  for (const name of names) {
    const schema = OPTION_SCHEMAS[name] ?? {};
    definitions[name] = { ...(schema.properties === undefined ? {} : closed), ...project(schema, names) };
  }
  const schema = { $schema: 'http://json-schema.org/draft-07/schema#', title: `${String(title)} of specmill`, ...config, definitions };
  return `${JSON.stringify(schema, undefined, 2)}\n`;
}

function project(value: unknown, names: Set<string>): Readonly<Record<string, unknown>> {
  return projectAny(value, names) as Readonly<Record<string, unknown>>;
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

/** The schema that is checked in. */
export function readConfigSchema(): string {
  return readFileSync(path.join(root, FILE), 'utf8');
}

if (process.argv[1]?.endsWith('config-schema.ts') === true) writeFileSync(path.join(root, FILE), printConfigSchema());
