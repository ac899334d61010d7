import type { NamedSchema } from '../api.js';
import { HOLDS_SCHEMA, HOLDS_SCHEMA_LIST, HOLDS_SCHEMA_MAP } from '../schema-keywords.js';
import { type Schema, type SchemaObject, refName } from '../schema-types.js';

/** The schemas that stand directly in a schema, added to a list. */
export function childSchemas(schema: SchemaObject, children: Schema[] = []): Schema[] {
  // A schema has three or four keywords, and there are some twenty that could hold schemas.
  for (const key in schema) {
    if (HOLDS_SCHEMA.has(key)) children.push(schema[key as 'not'] ?? true);
    else if (HOLDS_SCHEMA_LIST.has(key) || HOLDS_SCHEMA_MAP.has(key))
      for (const child of Object.values(schema[key as 'properties'] ?? {})) children.push(child);
  }
  return children;
}

/** The facts of one schema: whether a member in it is marked, and which named schemas it refers to. */
function survey(schema: Schema): { marked: boolean; refs: Set<string> } {
  const refs = new Set<string>();
  let marked = false;
  const open: Schema[] = [schema];
  for (let next = open.pop(); next !== undefined; next = open.pop()) {
    if (typeof next === 'boolean') continue;
    if (next.readOnly === true || next.writeOnly === true) marked = true;
    if (next.$ref !== undefined) refs.add(refName(next.$ref));
    childSchemas(next, open);
  }
  return { marked, refs };
}

/** Sets `inputName` on each schema whose request and response variants differ: its own marks, or those of one it reaches. */
export function nameInputVariants(schemas: Map<string, NamedSchema>, takeName: (name: string) => string): void {
  const referrers = new Map<string, string[]>();
  const open: string[] = [];
  for (const { name, schema } of schemas.values()) {
    const { marked, refs } = survey(schema);
    for (const ref of refs) {
      const known = referrers.get(ref);
      if (known === undefined) referrers.set(ref, [name]);
      else known.push(name);
    }
    if (marked) open.push(name);
  }
  const differing = new Set(open);
  for (let next = open.pop(); next !== undefined; next = open.pop()) {
    for (const referrer of referrers.get(next) ?? []) {
      if (!differing.has(referrer)) open.push(referrer);
      differing.add(referrer);
    }
  }
  for (const entry of schemas.values()) {
    if (differing.has(entry.name)) schemas.set(entry.name, { ...entry, inputName: takeName(`${entry.name}Input`) });
  }
}
