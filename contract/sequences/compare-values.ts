import type { Api } from '../../model/api.js';
import { type Schema, refName } from '../../model/schema-types.js';

/** A member that came back as something else than what was sent. */
export interface Difference {
  readonly pointer: string;
  readonly sent: unknown;
  readonly got: unknown;
}

/**
 * What of a sent value is not found again in a received one. Members that an answer never shows (`writeOnly`) or that a
 * server decides alone (`readOnly`) are left out, and so are those that the answer's schema does not know.
 */
export function findDifferences(
  sent: unknown,
  got: unknown,
  { schema, api }: { readonly schema: Schema; readonly api: Api },
): Difference[] {
  if (typeof sent !== 'object' || sent === null || Array.isArray(sent))
    return isSame(sent, got) ? [] : [{ pointer: '', sent, got }];
  if (typeof got !== 'object' || got === null || Array.isArray(got)) return [{ pointer: '', sent, got }];
  const members = membersOf(schema, api);
  return Object.entries(sent).flatMap(([name, value]) => {
    const member = members.get(name);
    if (member === undefined || hasMark(member, api)) return [];
    const own: unknown = Object.hasOwn(got, name) ? (got as Record<string, unknown>)[name] : undefined;
    return findDifferences(value, own, { schema: member, api }).map((one) => ({
      ...one,
      pointer: `/${name.replaceAll('~', '~0').replaceAll('/', '~1')}${one.pointer}`,
    }));
  });
}

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

function hasMark(schema: Schema, api: Api): boolean {
  if (typeof schema !== 'object') return false;
  if (schema.readOnly === true || schema.writeOnly === true) return true;
  return schema.$ref !== undefined && hasMark(api.schemas.get(refName(schema.$ref))?.schema ?? true, api);
}

/** Moments are the same however they are written; everything else is as it was. */
function isSame(sent: unknown, got: unknown): boolean {
  if (Object.is(sent, got) || JSON.stringify(sent) === JSON.stringify(got)) return true;
  if (typeof sent === 'number' && typeof got === 'number') return sent === got;
  if (Array.isArray(sent) && Array.isArray(got))
    return sent.length === got.length && sent.every((item, index) => isSame(item, got[index]) || isObject(item));
  if (typeof sent !== 'string' || typeof got !== 'string') return false;
  return /^\d{4}-\d\d-\d\dT/i.test(sent) && Date.parse(sent) === Date.parse(got);
}

function isObject(value: unknown): boolean {
  return typeof value === 'object' && value !== null;
}
