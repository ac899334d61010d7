import type { SchemaType } from '../../model/schema-types.js';
import { showTypes } from '../phrases.js';
import { compareArrays } from './compare-arrays.js';
import { compareConditions } from './compare-conditions.js';
import { compareMembers } from './compare-members.js';
import { compareNumbers, compareTexts, compareListedValues } from './compare-scalars.js';
import { compareNull, compareUnions, compareWithUnion } from './compare-unions.js';
import type { LocatedSchema } from './schema-location.js';
import type { ShapePair } from './scope.js';
import type { EffectiveSchema } from './effective-schema.js';
import { coversTypes, intersectTypes } from './effective-types.js';

/** Compares what two sites allow, and reports how they differ. */
export function compareEffectiveSchemas(pair: ShapePair): void {
  const { old, next } = pair;
  if (compareWithUnion(pair)) return;
  compareTypes(pair);
  // Only types that both allow need further comparison.
  const types = intersectTypes(old.types, next.types);
  // If one side allows any type and the other does not, the change of types covers everything, including the keywords
  // of a type.
  const areAlike = (old.types === undefined) === (next.types === undefined);
  const has = (...some: readonly SchemaType[]): boolean =>
    areAlike && (types === undefined || some.some((type) => types.has(type)));
  compareListedValues(pair);
  if (has('string')) compareTexts(pair);
  if (has('number', 'integer')) compareNumbers(pair, types);
  if (has('object')) compareMembers(pair);
  if (has('array')) compareArrays(pair);
  compareUnions(pair);
  compareConditions(pair);
}

function compareTypes(pair: ShapePair): void {
  const { old, next } = pair;
  const places = { was: findType(old), is: findType(next) };
  const isWider = coversTypes(next.types, old.types);
  const isNarrower = coversTypes(old.types, next.types);
  if (!isWider || !isNarrower) {
    const narrowed = isNarrower ? 'type-narrowed' : 'type-changed';
    pair.report({
      kind: isWider ? 'type-widened' : narrowed,
      message: `${pair.title} is ${showTypes(next.types, next.nullable)}, was ${showTypes(old.types, old.nullable)}`,
      ...places,
    });
  }
  // Any type includes null, so the change of types already covers it.
  if (old.types !== undefined && next.types !== undefined) compareNull(pair, places);
}

function findType({ parts }: EffectiveSchema): Pick<LocatedSchema, 'location'> | undefined {
  const typed = parts.find(({ schema }) => schema.type !== undefined);
  return typed === undefined ? undefined : { location: typed.location.child('type') };
}
