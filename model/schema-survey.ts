import type { NamedSchema } from './api.js';
import { HOLDS_SCHEMA, HOLDS_SCHEMA_LIST, HOLDS_SCHEMA_MAP } from './schema-keywords.js';
import { type Schema, type SchemaObject, refName } from './schema-types.js';

/** Adds the direct subschemas of a schema to a list. */
export function childSchemas(schema: SchemaObject, children: Schema[] = []): Schema[] {
  // Loops over the keywords of the schema: it has three or four, while some twenty can contain schemas.
  for (const key in schema) {
    if (HOLDS_SCHEMA.has(key)) children.push(schema[key as 'not'] ?? true);
    else if (HOLDS_SCHEMA_LIST.has(key) || HOLDS_SCHEMA_MAP.has(key))
      for (const child of Object.values(schema[key as 'properties'] ?? {})) children.push(child);
  }
  return children;
}

/** The direct subschemas of a schema, each with its place: keyword, then index or member. */
export function placedChildren(schema: SchemaObject): (readonly [child: Schema, place: readonly string[]])[] {
  return Object.entries(schema).flatMap(([key, value]): (readonly [Schema, readonly string[]])[] => {
    if (HOLDS_SCHEMA.has(key)) return [[value as Schema, [key]]];
    if (!HOLDS_SCHEMA_LIST.has(key) && !HOLDS_SCHEMA_MAP.has(key)) return [];
    return Object.entries(value as Readonly<Record<string, Schema>>).map(([step, child]) => [child, [key, step]]);
  });
}

/** Facts about a schema and its subschemas, without following references. */
export interface SchemaSurvey {
  /** Whether it has an enum that ignores letter case. */
  readonly folds: boolean;
  /** Whether a schema in it is marked `readOnly` or `writeOnly`. */
  readonly marked: boolean;
  /** The named schemas that it refers to. */
  readonly refs: ReadonlySet<string>;
}

const surveys = new WeakMap<SchemaObject, SchemaSurvey>();

/** Surveys a schema and its subschemas, without following references. */
export function surveySchema(schema: Schema): SchemaSurvey {
  if (typeof schema === 'boolean') return { folds: false, marked: false, refs: new Set() };
  const known = surveys.get(schema);
  if (known !== undefined) return known;
  const refs = new Set<string>();
  let folds = false;
  let marked = false;
  const open: Schema[] = [schema];
  for (let next = open.pop(); next !== undefined; next = open.pop()) {
    if (typeof next === 'boolean') continue;
    if (next['x-enum-any-case'] === true && next.enum !== undefined) folds = true;
    if (next.readOnly === true || next.writeOnly === true) marked = true;
    if (next.$ref !== undefined) refs.add(refName(next.$ref));
    childSchemas(next, open);
  }
  const survey = { folds, marked, refs };
  surveys.set(schema, survey);
  return survey;
}

/** The references in each named schema. */
export function referencesIn(schemas: Iterable<NamedSchema>): [name: string, refs: ReadonlySet<string>][] {
  return [...schemas].map(({ name, schema }) => [name, surveySchema(schema).refs]);
}

/** Returns the given names and those of all schemas that reference them, directly or indirectly. */
export function withReferrers(
  names: Iterable<string>,
  references: Iterable<readonly [name: string, refs: Iterable<string>]>,
): Set<string> {
  const referrers = new Map<string, string[]>();
  for (const [name, refs] of references)
    for (const ref of refs) {
      const known = referrers.get(ref);
      if (known === undefined) referrers.set(ref, [name]);
      else known.push(name);
    }
  const found = new Set(names);
  // Iterating over a set also visits members that are added during the loop.
  for (const name of found) for (const referrer of referrers.get(name) ?? []) found.add(referrer);
  return found;
}

/** Returns the given names and those of all schemas that they reference, directly or indirectly. */
export function withReferred(names: Iterable<string>, schemas: ReadonlyMap<string, NamedSchema>): Set<string> {
  const found = new Set(names);
  for (const name of found) for (const ref of surveySchema(schemas.get(name)?.schema ?? true).refs) found.add(ref);
  return found;
}

/**
 * Sets `inputName` on each schema whose request and response variants differ because of `readOnly` or `writeOnly` in it
 * or in a schema it reaches.
 */
export function nameInputVariants(schemas: Map<string, NamedSchema>, takeName: (name: string) => string): void {
  const marked = [...schemas.values()].filter(({ schema }) => surveySchema(schema).marked);
  const differing = withReferrers(
    marked.map(({ name }) => name),
    referencesIn(schemas.values()),
  );
  for (const entry of schemas.values()) {
    if (differing.has(entry.name)) schemas.set(entry.name, { ...entry, inputName: takeName(`${entry.name}Input`) });
  }
}
