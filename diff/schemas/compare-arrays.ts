import { compareCounts } from './compare-counts.js';
import type { EffectiveSchema } from './effective-schema.js';
import type { LocatedSchema, LocatedSchemas } from './schema-location.js';
import type { ShapePair } from './scope.js';

/** Compares items, their number, and whether they must differ. */
export function compareArrays(pair: ShapePair): void {
  const { old, next, scope } = pair;
  compareCounts(pair, 'items');
  // minContains and maxContains mean nothing without `contains`.
  if (hasKeyword(old, 'contains') && hasKeyword(next, 'contains')) compareCounts(pair, 'contains');
  compareUnique(pair);
  const length = Math.max(prefixLength(old), prefixLength(next));
  for (let index = 0; index < length; index += 1) scope.compare(itemsAt(old, index), itemsAt(next, index));
  if (hasKeyword(old, 'items') || hasKeyword(next, 'items')) scope.compare(itemsAt(old, length), itemsAt(next, length));
}

function compareUnique(pair: ShapePair): void {
  const [was, is] = [findUnique(pair.old), findUnique(pair.next)];
  if ((was === undefined) === (is === undefined)) return;
  pair.report({
    kind: is === undefined ? 'unique-items-removed' : 'unique-items-added',
    message: `The items of ${pair.title} ${is === undefined ? 'may be the same now' : 'must all differ now'}`,
    was,
    is,
  });
}

function findUnique({ parts }: EffectiveSchema): Pick<LocatedSchema, 'location'> | undefined {
  const part = parts.find(({ schema }) => schema.uniqueItems === true);
  return part === undefined ? undefined : { location: part.location.child('uniqueItems') };
}

function prefixLength({ parts }: EffectiveSchema): number {
  return Math.max(0, ...parts.map(({ schema }) => schema.prefixItems?.length ?? 0));
}

function hasKeyword({ parts }: EffectiveSchema, keyword: 'items' | 'contains'): boolean {
  return parts.some(({ schema }) => schema[keyword] !== undefined);
}

/** The schemas of the item at an index: `prefixItems` as far as they go, then `items`. */
function itemsAt({ parts, location }: EffectiveSchema, index: number): LocatedSchemas {
  const [first, ...rest] = parts.flatMap(({ schema, location }): LocatedSchema[] => {
    const prefix = schema.prefixItems?.[index];
    if (prefix !== undefined) return [{ schema: prefix, location: location.child('prefixItems', index) }];
    return schema.items === undefined ? [] : [{ schema: schema.items, location: location.child('items') }];
  });
  return first === undefined ? [{ schema: true, location: location.child('items') }] : [first, ...rest];
}
