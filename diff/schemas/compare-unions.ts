import type { SchemaObject, SchemaType } from '../../model/schema-types.js';
import { quote, showTypes } from '../phrases.js';
import { compareDiscriminators } from './compare-discriminators.js';
import type { Scope, Side } from './scope.js';
import { type Alternative, type AlternativeMatch, matchAlternatives } from './match-alternatives.js';
import { type ObjectPart, type EffectiveSchema, type Union, readAlternatives } from './effective-schema.js';
import { type Part, isAnnotation } from './schema-location.js';

/** Compares the choices of two sites that have as many, and their discriminators. */
export function compareUnions(old: EffectiveSchema, next: EffectiveSchema, scope: Scope): void {
  const matches: AlternativeMatch[] = [];
  for (let index = 0; index < Math.max(old.unions.length, next.unions.length); index += 1) {
    const [was, is] = [old.unions[index], next.unions[index]];
    if (was !== undefined && is !== undefined) {
      matches.push(compareUnion({ was, is, old, next }, scope));
      continue;
    }
    const title = next.location.title;
    if (is !== undefined)
      scope.report({
        kind: 'choice-added',
        message: `${title} must also fit one of ${is.alternatives.length} alternatives now`,
        old: old.location,
        new: is.owner.location.child(is.keyword),
        anchor: 'new',
      });
    if (was !== undefined)
      scope.report({
        kind: 'choice-removed',
        message: `${title} need not fit one of ${was.alternatives.length} alternatives any more`,
        old: was.owner.location.child(was.keyword),
        new: next.location,
        anchor: 'old',
      });
  }
  compareDiscriminators({ old, next, matches }, scope);
}

interface UnionPair {
  readonly was: Union;
  readonly is: Union;
  readonly old: EffectiveSchema;
  readonly next: EffectiveSchema;
}

function compareUnion({ was, is, old, next }: UnionPair, scope: Scope): AlternativeMatch {
  const locations = { old: was.owner.location.child(was.keyword), new: is.owner.location.child(is.keyword) };
  if (was.keyword !== is.keyword)
    scope.report({
      kind: 'choice-rule-changed',
      message: `${next.location.title} has ${is.keyword}, had ${was.keyword}`,
      ...locations,
    });
  const read = ({ alternatives }: Union, { sites }: Side): Alternative[] =>
    alternatives.map((part) => ({ site: sites.site(part), location: part.location }));
  return reportMatch({ old, next, was: read(was, scope.sides.old), is: read(is, scope.sides.new) }, scope);
}

interface AlternativeLists {
  readonly old: EffectiveSchema;
  readonly next: EffectiveSchema;
  readonly was: readonly Alternative[];
  readonly is: readonly Alternative[];
}

function reportMatch({ old, next, was, is }: AlternativeLists, scope: Scope): AlternativeMatch {
  const match = matchAlternatives(was, is, scope);
  const title = next.location.title;
  for (const [before, now] of match.pairs) scope.compareAlternatives(before.site, now.site);
  for (const gone of match.removed)
    scope.report({
      kind: 'alternative-removed',
      message: `${title} has an alternative less: ${describe(gone, scope.sides.old)}`,
      old: gone.location,
      new: next.location,
      anchor: 'old',
    });
  for (const added of match.added)
    scope.report({
      kind: 'alternative-added',
      message: `${title} has one more alternative: ${describe(added, scope.sides.new)}`,
      old: old.location,
      new: added.location,
      anchor: 'new',
    });
  return match;
}

function describe({ site }: Alternative, side: Side): string {
  if (site.name !== undefined) return quote(site.name);
  const { types, nullable } = side.effectiveOf(site);
  return types === undefined ? 'a value of any type' : showTypes(types, nullable);
}

/**
 * Compares a choice with a schema without one, as a choice with one alternative for each of its types. Returns `false`
 * if this is no such pair, or if the choice only adds constraints to the keywords beside it.
 */
export function compareWithUnion(old: EffectiveSchema, next: EffectiveSchema, scope: Scope): boolean {
  const [union, ...more] = [...old.unions, ...next.unions];
  if (union === undefined || more.length > 0) return false;
  const [plain, choice] = old.unions.length === 0 ? [old, next] : [next, old];
  if (plain.types === undefined || !union.alternatives.some(isSubstantial)) return false;
  const [plainSide, choiceSide] =
    plain === old ? [scope.sides.old, scope.sides.new] : [scope.sides.new, scope.sides.old];
  const single = splitByType(plain, plainSide);
  const several = distribute(choice, union, choiceSide);
  if (old.nullable !== next.nullable)
    scope.report({
      kind: next.nullable ? 'nullable-added' : 'nullable-removed',
      message: `${next.location.title} ${next.nullable ? 'may be null now' : 'must not be null any more'}`,
      old: old.location,
      new: next.location,
      isOfNull: scope.isTop,
    });
  const lists = plain === old ? { was: single, is: several } : { was: several, is: single };
  reportMatch({ old, next, ...lists }, scope);
  return true;
}

/** Whether an alternative constrains the value itself, not only which members are required. */
function isSubstantial({ schema }: Part): boolean {
  if (typeof schema === 'boolean') return false;
  const words = ['$ref', 'type', 'properties', 'items', 'enum', 'const', 'allOf', 'anyOf', 'oneOf'] as const;
  return words.some((word) => Object.hasOwn(schema, word));
}

const TYPE_SCHEMAS: ReadonlyMap<SchemaType, SchemaObject> = new Map(
  (['boolean', 'object', 'array', 'number', 'integer', 'string'] as const).map((type) => [type, { type }]),
);

function splitByType({ site, location, types }: EffectiveSchema, { sites }: Side): Alternative[] {
  if (types === undefined || types.size < 2) return [{ site, location }];
  return [...types].map((type) => ({
    site: sites.join([...site.parts, { schema: TYPE_SCHEMAS.get(type) ?? { type }, location }]),
    location,
  }));
}

/** Each alternative, combined with the keywords beside the choice. */
function distribute({ parts }: EffectiveSchema, union: Union, { sites }: Side): Alternative[] {
  const base = parts.flatMap((part): Part[] => {
    const rest = withoutOpened(part, part.schema === union.owner.schema ? union.keyword : undefined);
    return Object.keys(rest).every(isAnnotation) ? [] : [{ schema: rest, location: part.location }];
  });
  return union.alternatives.map((part) => ({ site: sites.join([part, ...base]), location: part.location }));
}

const strippedSchemas = new WeakMap<SchemaObject, Map<string, SchemaObject>>();

/**
 * A schema without what its shape has opened, whose parts are among those of the shape: references, `allOf`, choices with
 * one alternative, and the choice itself. The same schema gives the same one, so that it is the same site.
 */
function withoutOpened(part: ObjectPart, choice: 'anyOf' | 'oneOf' | undefined): SchemaObject {
  const known = strippedSchemas.get(part.schema) ?? new Map<string, SchemaObject>();
  strippedSchemas.set(part.schema, known);
  const isOpened = (key: string): boolean =>
    key === '$ref' ||
    key === 'allOf' ||
    key === 'discriminator' ||
    key === choice ||
    ((key === 'anyOf' || key === 'oneOf') && readAlternatives(part, key).length === 1);
  const stripped =
    known.get(choice ?? '') ?? Object.fromEntries(Object.entries(part.schema).filter(([key]) => !isOpened(key)));
  known.set(choice ?? '', stripped);
  return stripped;
}
