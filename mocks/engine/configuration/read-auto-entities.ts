import { appendPointer, withoutUndefined } from 'specmill/mock';

import type { AutoEntity, Entity as EntityConfig } from '../../../generated/engine/types.js';
import type { Table } from '../database/table.js';
import type { ConfigReader } from './config-reader.js';
import type { Entity } from './entity.js';
import { type EntityDefaults, readEntity } from './read-entity.js';

/**
 * Offers each table that a rule of `autoentities` names and that no entity has yet. Without a schema of the database no
 * table is known.
 */
export function readAutoEntities(
  reader: ConfigReader,
  known: ReadonlyMap<string, Entity>,
  defaults: EntityDefaults,
): readonly Entity[] {
  const { tables } = defaults;
  const used = new Set([...known.values()].map(({ object }) => tables?.find(object)));
  const made = new Map<string, Entity>();
  for (const [rule, config] of Object.entries<AutoEntity>(reader.config.autoentities ?? {})) {
    const pointer = appendPointer('/autoentities', rule);
    for (const table of tables?.list ?? []) {
      const full = toFullName(table, reader.config['data-source']?.['database-type']);
      const name = nameEntity(full, config);
      if (used.has(table) || known.has(name) || made.has(name) || !isMatched(full, config)) continue;
      used.add(table);
      const place = { reader, pointer: `${pointer}/template`, permissions: `${pointer}/permissions` };
      made.set(name, readEntity(name, toEntityConfig(table, config), place, defaults));
    }
  }
  return [...made.values()];
}

function toEntityConfig({ name }: Table, { template = {}, permissions = [] }: AutoEntity): EntityConfig {
  const { mcp, cache, rest, graphql, health } = template;
  const tools = mcp?.['dml-tools'] ?? mcp?.['dml-tool'] ?? true;
  const seconds = cache?.['ttl-seconds'];
  return {
    source: name,
    permissions,
    mcp: { 'dml-tools': tools },
    ...withoutUndefined({ rest, graphql, health }),
    ...(seconds == null ? {} : { cache: { 'ttl-seconds': seconds } }),
  };
}

const DEFAULT_SCHEMAS: Readonly<Record<string, string>> = { mssql: 'dbo', dwsql: 'dbo', postgresql: 'public' };

function toFullName({ name }: Table, databaseType: string | undefined): readonly [schema: string, object: string] {
  const dot = name.lastIndexOf('.');
  return [dot < 0 ? (DEFAULT_SCHEMAS[databaseType ?? ''] ?? 'dbo') : name.slice(0, dot), name.slice(dot + 1)];
}

function nameEntity([schema, object]: readonly [string, string], { patterns }: AutoEntity): string {
  const name = patterns?.name ?? '{object}';
  return name.replaceAll('{schema}', () => schema).replaceAll(/\{(?:object|table)\}/g, () => object);
}

function isMatched(name: readonly [string, string], { patterns }: AutoEntity): boolean {
  const full = name.join('.');
  const { include, exclude } = patterns ?? {};
  const included = include == null ? ['%.%'] : [include].flat();
  return included.some((pattern) => isLike(full, pattern)) && ![exclude ?? []].flat().some((one) => isLike(full, one));
}

/** Matches a text with a pattern of LIKE, in any letter case: `%` is any text, `_` any character. Takes linear space. */
function isLike(text: string, pattern: string): boolean {
  const [characters, marks] = [[...text.toLowerCase()], [...pattern.toLowerCase()]];
  // The ends of the text that the marks so far can reach.
  let ends = new Set([0]);
  for (const mark of marks) {
    const next = new Set<number>();
    const least = Math.min(...ends);
    for (const end of mark === '%' ? characters.map((_character, index) => index).concat(characters.length) : ends) {
      if (mark === '%' && end >= least) next.add(end);
      if (mark !== '%' && end < characters.length && (mark === '_' || characters[end] === mark)) next.add(end + 1);
    }
    if (next.size === 0) return false;
    ends = next;
  }
  return ends.has(characters.length);
}
