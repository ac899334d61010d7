import type { Api } from '../../model/api.js';
import type { Schema } from '../../model/schema-types.js';
import type { ResourceCore, Role } from '../../resources/resource.js';
import type { Assignment } from '../../resources/resource-finder.js';
import { keywordOf, membersOf } from '../../schema/facts/members.js';

/** The most items that are made for a list that must show some. */
const MOST = 100;

/** How many items a collection starts with that no operation fills. */
export const MADE_UP = 3;

const WRITES: ReadonlySet<Role> = new Set(['replace', 'patch', 'delete']);

/**
 * Whether items are listed and can be changed or deleted, although no operation creates them. A mock makes some up and
 * keeps them, so that what a client deletes is gone.
 */
export function isChangedOnly(core: ResourceCore | undefined, parts: readonly Assignment[]): boolean {
  if (core?.id === undefined || core.kind === 'singleton') return false;
  const roles = parts.map(({ part }) => part.role);
  return roles.includes('list') && roles.some((role) => WRITES.has(role));
}

/** Returns the least number of items that all lists of a collection may show, by their `minItems`. */
export function leastShown(parts: readonly Assignment[], api: Api): number {
  const counts = parts.map(({ part: { list, success } }) =>
    list === undefined ? 0 : minItemsAt(list.path, success.schema, api),
  );
  return Math.min(MOST, Math.max(0, ...counts));
}

function minItemsAt(path: readonly string[], schema: Schema | undefined, api: Api): number {
  let inner = schema;
  for (const name of path) inner = inner === undefined ? undefined : membersOf(inner, api).get(name)?.schema;
  return (inner === undefined ? undefined : keywordOf(inner, 'minItems', api)) ?? 0;
}
