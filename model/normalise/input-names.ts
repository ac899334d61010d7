import type { NamedSchema } from '../api.js';
import { type Schema, type SchemaObject, refName } from '../schema-types.js';

const SCHEMA_LISTS = ['allOf', 'anyOf', 'oneOf', 'prefixItems'] as const;
const SCHEMA_MAPS = ['properties', 'patternProperties', 'dependentSchemas'] as const;
const SINGLE_SCHEMAS = [
  'items',
  'contains',
  'additionalProperties',
  'propertyNames',
  'not',
  'if',
  'then',
  'else',
  'unevaluatedItems',
  'unevaluatedProperties',
  'contentSchema',
] as const;

/** The schemas that stand directly in a schema. */
export function childSchemas(schema: SchemaObject): Schema[] {
  const children: Schema[] = [];
  for (const key of SCHEMA_LISTS) children.push(...(schema[key] ?? []));
  for (const key of SCHEMA_MAPS) children.push(...Object.values(schema[key] ?? {}));
  for (const key of SINGLE_SCHEMAS) {
    const child = schema[key];
    if (child !== undefined) children.push(child);
  }
  return children;
}

/** What a schema says by itself: whether some member in it is marked, and which named schemas it refers to. */
function survey(schema: Schema): { marked: boolean; refs: Set<string> } {
  const refs = new Set<string>();
  let marked = false;
  const open: Schema[] = [schema];
  for (let next = open.pop(); next !== undefined; next = open.pop()) {
    if (typeof next === 'boolean') continue;
    if (next.readOnly === true || next.writeOnly === true) marked = true;
    if (next.$ref !== undefined) refs.add(refName(next.$ref));
    open.push(...childSchemas(next));
  }
  return { marked, refs };
}

/** Sets `inputName` on each schema whose request and response variants differ: its own marks, or those of one it reaches. */
export function nameInputVariants(schemas: Map<string, NamedSchema>, takeName: (name: string) => string): void {
  const referrers = new Map<string, string[]>();
  const open: string[] = [];
  for (const { name, schema } of schemas.values()) {
    const { marked, refs } = survey(schema);
    for (const ref of refs) referrers.set(ref, [...(referrers.get(ref) ?? []), name]);
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
