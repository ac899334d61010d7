import { jsonTypeOf, refName, type Schema } from '../../model/schema-types.js';
import { NoValue, type ValueContext, type ValuePlace, countOnTrail, isLean } from './sample-context.js';
import { fitsUnlisted } from './fits-scalar.js';
import { itemSchemas, openLength, tupleLength } from './shape-members.js';
import type { Shape } from './shape.js';
import { isEqual } from '../../runtime/checks.js';

const UNIQUE_ATTEMPTS = 30;

export function makeArray(shape: Shape, place: ValuePlace, context: ValueContext): unknown[] | NoValue {
  const least = Math.max(shape.minItems, ...shape.contains.map(({ min }) => min), 0);
  const most = Math.min(shape.maxItems, openLength(shape));
  if (least > most) return new NoValue('minItems is above what maxItems or items allow');
  if (least > context.limits.maxItems) return new NoValue(`an array of ${least} items is too long to make`);
  const length = Math.min(most, Math.max(least, chooseLength(shape, place, context)));
  const items: unknown[] = [];
  const pool = shape.isUnique ? uniquePool(shape, place, context) : undefined;
  for (let index = 0; index < length; index += 1) {
    const item = pool === undefined ? makeItem(items, { shape, place, context }) : pool[index];
    if (item === undefined || item instanceof NoValue) {
      if (items.length >= least) break;
      return item ?? new NoValue('there are not enough different items');
    }
    items.push(item);
  }
  return items;
}

function chooseLength(shape: Shape, place: ValuePlace, context: ValueContext): number {
  if (isLean(context, place) || shape.contains.some(({ max }) => max !== Infinity)) return 0;
  const tuple = tupleLength(shape);
  const schemas = itemSchemas(shape, tuple);
  const leadsBack = schemas.some(
    (schema) =>
      typeof schema === 'object' && schema.$ref !== undefined && countOnTrail(place.trail, refName(schema.$ref)) > 0,
  );
  if (leadsBack || schemas.some((schema) => context.cache.minDepths.of(schema) === Infinity)) return tuple;
  if (tuple > 0) return tuple;
  if (context.variant === 'full') return place.depth === 0 ? 3 : 2;
  return place.depth <= 1 ? 2 : 1;
}

interface ItemJob {
  readonly shape: Shape;
  readonly place: ValuePlace;
  readonly context: ValueContext;
}

function makeItem(before: readonly unknown[], job: ItemJob): unknown {
  const { shape, place, context } = job;
  const index = before.length;
  const random = place.random.fork(index);
  const schemas = [...itemSchemas(shape, index), ...containedSchemas(shape, index)];
  const attempts = shape.isUnique ? UNIQUE_ATTEMPTS : 1;
  const { characters } = context;
  for (let attempt = 0; attempt < attempts; attempt += 1) {
    context.characters = characters;
    const make = index === 0 && attempt === 0 ? context.make : context.makeNew;
    const own = attempt === 0 ? random : random.fork(attempt);
    const { name, owner, depth, trail, now } = place;
    const item = make(schemas, { random: own, kin: own, name, owner, depth: depth + 1, trail, now });
    if (item instanceof NoValue || !shape.isUnique || !before.some((other) => isEqual(other, item))) return item;
  }
  return new NoValue('no further different item was found');
}

/** The schemas that `contains` requires of the first items, one schema after the other. */
function containedSchemas({ contains }: Shape, index: number): Schema[] {
  let from = 0;
  for (const { schema, min } of contains) {
    if (index < from + min) return [schema];
    from += min;
  }
  return [];
}

/** If items must be unique and from a short list, returns that list in random order. */
function uniquePool(shape: Shape, place: ValuePlace, context: ValueContext): unknown[] | undefined {
  if (tupleLength(shape) > 0 || shape.contains.length > 0) return undefined;
  const item = context.shapeOf(itemSchemas(shape, 0), place);
  if (
    item.values === undefined ||
    item.hasChoice ||
    item.needsCheck ||
    item.values.some((value) => ['object', 'array'].includes(jsonTypeOf(value)))
  )
    return undefined;
  const shuffled = [...new Set(item.values)].filter((value) => fitsUnlisted(item, value));
  for (let index = shuffled.length - 1; index > 0; index -= 1) {
    const other = place.random.int(0, index);
    [shuffled[index], shuffled[other]] = [shuffled[other], shuffled[index]];
  }
  return shuffled;
}
