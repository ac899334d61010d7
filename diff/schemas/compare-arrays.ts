import { compareCounts } from './compare-counts.js';
import type { Scope } from './scope.js';
import type { EffectiveSchema } from './effective-schema.js';
import type { Part } from './schema-location.js';

/** Compares items, their number, and whether they must differ. */
export function compareArrays(old: EffectiveSchema, next: EffectiveSchema, scope: Scope): void {
  compareCounts({ old, next, scope }, 'items');
  if (hasContains(old) && hasContains(next)) compareCounts({ old, next, scope }, 'contains');
  compareUnique(old, next, scope);
  const length = Math.max(prefixLength(old), prefixLength(next));
  for (let index = 0; index < length; index += 1) scope.compare(itemsAt(old, index), itemsAt(next, index));
  if (hasRest(old) || hasRest(next)) scope.compare(itemsAt(old, length), itemsAt(next, length));
}

function compareUnique(old: EffectiveSchema, next: EffectiveSchema, scope: Scope): void {
  const find = ({ parts }: EffectiveSchema): Part | undefined =>
    parts.find(({ schema }) => schema.uniqueItems === true);
  const [was, is] = [find(old), find(next)];
  if ((was === undefined) === (is === undefined)) return;
  scope.report({
    kind: is === undefined ? 'unique-items-removed' : 'unique-items-added',
    message: `The items of ${next.location.title} ${is === undefined ? 'may be the same now' : 'must all differ now'}`,
    old: was?.location.child('uniqueItems') ?? old.location,
    new: is?.location.child('uniqueItems') ?? next.location,
  });
}

function prefixLength({ parts }: EffectiveSchema): number {
  return Math.max(0, ...parts.map(({ schema }) => schema.prefixItems?.length ?? 0));
}

function hasRest({ parts }: EffectiveSchema): boolean {
  return parts.some(({ schema }) => schema.items !== undefined);
}

/** The schemas of the item at an index: `prefixItems` as far as they go, then `items`. */
function itemsAt({ parts, location }: EffectiveSchema, index: number): readonly [Part, ...Part[]] {
  const found = parts.flatMap(({ schema, location }): Part[] => {
    const prefix = schema.prefixItems?.[index];
    if (prefix !== undefined) return [{ schema: prefix, location: location.child('prefixItems', index) }];
    return schema.items === undefined ? [] : [{ schema: schema.items, location: location.child('items') }];
  });
  const [first, ...rest] = found;
  return first === undefined ? [{ schema: true, location: location.child('items') }] : [first, ...rest];
}

/** minContains and maxContains mean nothing without it. */
function hasContains({ parts }: EffectiveSchema): boolean {
  return parts.some(({ schema }) => schema.contains !== undefined);
}
