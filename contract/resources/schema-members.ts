import type { Api } from '../../model/api.js';
import { type Schema, refName } from '../../model/schema-types.js';

/** The members that a schema names, with those of the schemas that it is made of. */
export function membersOf(schema: Schema, api: Api): ReadonlyMap<string, Schema> {
  const members = new Map<string, Schema>();
  const open: (Schema | undefined)[] = [schema];
  const seen = new Set<Schema>();
  while (open.length > 0) {
    const next = open.pop();
    if (typeof next !== 'object' || seen.has(next)) continue;
    seen.add(next);
    for (const [name, member] of Object.entries(next.properties ?? {})) members.set(name, member);
    open.push(...(next.allOf ?? []), ...(next.oneOf ?? []), ...(next.anyOf ?? []));
    if (next.$ref !== undefined) open.push(api.schemas.get(refName(next.$ref))?.schema);
  }
  return members;
}

/** The members that a schema demands, with those of the schemas that it is made of. */
export function requiredMembers(schema: Schema, api: Api): ReadonlySet<string> {
  const required = new Set<string>();
  const open: (Schema | undefined)[] = [schema];
  const seen = new Set<Schema>();
  while (open.length > 0) {
    const next = open.pop();
    if (typeof next !== 'object' || seen.has(next)) continue;
    seen.add(next);
    for (const name of next.required ?? []) required.add(name);
    open.push(...(next.allOf ?? []));
    if (next.$ref !== undefined) open.push(api.schemas.get(refName(next.$ref))?.schema);
  }
  return required;
}
