import type { SchemaType } from '../../model/schema-types.js';
import { showTypes } from '../phrases.js';
import { compareArrays } from './compare-arrays.js';
import { compareConditions } from './compare-conditions.js';
import { compareMembers } from './compare-members.js';
import { compareNumbers, compareTexts, compareValues } from './compare-scalars.js';
import { compareUnions, compareWithUnion } from './compare-unions.js';
import type { Scope } from './scope.js';
import type { EffectiveSchema } from './effective-schema.js';
import { coversTypes, intersectTypes } from './effective-types.js';

/** Compares what two sites allow, and reports how they differ. */
export function compareEffectiveSchemas(old: EffectiveSchema, next: EffectiveSchema, scope: Scope): void {
  if (compareWithUnion(old, next, scope)) return;
  const types = compareTypes(old, next, scope);
  // Between any type and a certain one the types have said it all: what is said of a type is no change then.
  const areAlike = (old.types === undefined) === (next.types === undefined);
  const has = (...some: readonly SchemaType[]): boolean =>
    areAlike && (types === undefined || some.some((type) => types.has(type)));
  compareValues(old, next, scope);
  if (has('string')) compareTexts(old, next, scope);
  if (has('number', 'integer')) compareNumbers({ old, next, types }, scope);
  if (has('object')) compareMembers(old, next, scope);
  if (has('array')) compareArrays(old, next, scope);
  compareUnions(old, next, scope);
  compareConditions(old, next, scope);
}

/** Compares types, and gives those that both allow: only there is more to compare. */
function compareTypes(old: EffectiveSchema, next: EffectiveSchema, scope: Scope): ReadonlySet<SchemaType> | undefined {
  const isWider = coversTypes(next.types, old.types);
  const isNarrower = coversTypes(old.types, next.types);
  if (!isWider || !isNarrower) {
    const narrowed = isNarrower ? 'type-narrowed' : 'type-changed';
    const message = `${next.location.title} is ${showTypes(next.types, next.nullable)}, was ${showTypes(old.types, old.nullable)}`;
    scope.report({
      kind: isWider ? 'type-widened' : narrowed,
      message,
      old: typeLocation(old),
      new: typeLocation(next),
    });
  }
  // Any type includes null, so there the types have said it all.
  if (old.types !== undefined && next.types !== undefined && old.nullable !== next.nullable)
    scope.report({
      kind: next.nullable ? 'nullable-added' : 'nullable-removed',
      message: `${next.location.title} ${next.nullable ? 'may be null now' : 'must not be null any more'}`,
      old: typeLocation(old),
      new: typeLocation(next),
      isOfNull: scope.isTop,
    });
  return intersectTypes(old.types, next.types);
}

function typeLocation({ parts, location }: EffectiveSchema): EffectiveSchema['location'] {
  const typed = parts.find(({ schema }) => schema.type !== undefined);
  return typed?.location.child('type') ?? location;
}
