import { compareCounts } from './compare-counts.js';
import type { Scope } from './schema-pairs.js';
import type { Shape } from './effective-schema.js';
import type { Part } from './schema-location.js';

/** Compares items, their number, and whether they must differ. */
export function compareArrays(old: Shape, next: Shape, scope: Scope): void {
  compareCounts({ old, next, scope }, 'items');
  compareUnique(old, next, scope);
  const length = Math.max(prefixLength(old), prefixLength(next));
  for (let index = 0; index < length; index += 1) scope.compare(itemsAt(old, index), itemsAt(next, index));
  if (hasRest(old) || hasRest(next)) scope.compare(itemsAt(old, length), itemsAt(next, length));
}

function compareUnique(old: Shape, next: Shape, scope: Scope): void {
  const find = ({ parts }: Shape): Part | undefined => parts.find(({ schema }) => schema.uniqueItems === true);
  const [was, is] = [find(old), find(next)];
  if ((was === undefined) === (is === undefined)) return;
  scope.report({
    kind: is === undefined ? 'unique-items-removed' : 'unique-items-added',
    message: `The items of ${next.place.title} ${is === undefined ? 'may be the same now' : 'must all differ now'}`,
    old: was?.place.child('uniqueItems') ?? old.place,
    new: is?.place.child('uniqueItems') ?? next.place,
  });
}

function prefixLength({ parts }: Shape): number {
  return Math.max(0, ...parts.map(({ schema }) => schema.prefixItems?.length ?? 0));
}

function hasRest({ parts }: Shape): boolean {
  return parts.some(({ schema }) => schema.items !== undefined);
}

/** What holds for the item at an index: `prefixItems` as far as they go, then `items`. */
function itemsAt({ parts, place }: Shape, index: number): readonly [Part, ...Part[]] {
  const found = parts.flatMap(({ schema, place }): Part[] => {
    const prefix = schema.prefixItems?.[index];
    if (prefix !== undefined) return [{ schema: prefix, place: place.child('prefixItems', index) }];
    return schema.items === undefined ? [] : [{ schema: schema.items, place: place.child('items') }];
  });
  const [first, ...rest] = found;
  return first === undefined ? [{ schema: true, place: place.child('items') }] : [first, ...rest];
}
