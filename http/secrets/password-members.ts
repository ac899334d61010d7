import type { Api } from '../../model/api.js';
import type { Schema, SchemaObject } from '../../model/schema-types.js';
import { applicableParts } from '../../schema/facts/parts.js';

/**
 * The names of the members that hold what schemas mark as `format: password`, wherever in a body they are. Names are
 * enough, and also apply to a body that does not match its schema or is cut off.
 */
export function findPasswordMembers(schemas: readonly Schema[], api: Api): ReadonlySet<string> {
  const names = new Set<string>();
  const seen = new Set<SchemaObject>();
  const open: Schema[] = [...schemas];
  while (open.length > 0) {
    for (const part of applicableParts(open.pop() ?? true, api)) {
      if (seen.has(part)) continue;
      seen.add(part);
      for (const [name, member] of Object.entries(part.properties ?? {})) {
        if (holdsPassword(member, api)) names.add(name);
        open.push(member);
      }
      open.push(...unnamedChildren(part));
    }
  }
  return names;
}

/** Whether a value is a password, or a list or map of them, without the name of a member. */
export function holdsPassword(schema: Schema, api: Api): boolean {
  const seen = new Set<SchemaObject>();
  const open: Schema[] = [schema];
  while (open.length > 0) {
    for (const part of applicableParts(open.pop() ?? true, api)) {
      if (part.format === 'password') return true;
      if (!seen.has(part)) open.push(...unnamedChildren(part));
      seen.add(part);
    }
  }
  return false;
}

/** The schemas of items, and of members whose names a schema does not give. */
function unnamedChildren({ items, prefixItems, additionalProperties, patternProperties }: SchemaObject): Schema[] {
  const named = Object.values(patternProperties ?? {});
  return [items, ...(prefixItems ?? []), additionalProperties, ...named].filter((child) => child !== undefined);
}
