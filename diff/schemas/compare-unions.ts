import type { SchemaObject, SchemaType } from '../../model/schema-types.js';
import { quote, showTypes } from '../phrases.js';
import { compareDiscriminators } from './compare-discriminators.js';
import type { Scope, Side } from './schema-pairs.js';
import { type Alternative, type AlternativeMatch, matchAlternatives } from './match-alternatives.js';
import { type ObjectPart, type Shape, type Union, readAlternatives } from './effective-schema.js';
import { type Part, isAnnotation } from './schema-location.js';

/** Compares the choices of two sites that have as many, and their discriminators. */
export function compareUnions(old: Shape, next: Shape, scope: Scope): void {
  const matches: AlternativeMatch[] = [];
  for (let index = 0; index < Math.max(old.unions.length, next.unions.length); index += 1) {
    const [was, is] = [old.unions[index], next.unions[index]];
    if (was !== undefined && is !== undefined) {
      matches.push(compareUnion({ was, is, old, next }, scope));
      continue;
    }
    const title = next.place.title;
    if (is !== undefined)
      scope.report({
        kind: 'choice-added',
        message: `${title} must also fit one of ${is.alternatives.length} alternatives now`,
        old: old.place,
        new: is.owner.place.child(is.keyword),
        anchor: 'new',
      });
    if (was !== undefined)
      scope.report({
        kind: 'choice-removed',
        message: `${title} need not fit one of ${was.alternatives.length} alternatives any more`,
        old: was.owner.place.child(was.keyword),
        new: next.place,
        anchor: 'old',
      });
  }
  compareDiscriminators({ old, next, matches }, scope);
}

interface UnionPair {
  readonly was: Union;
  readonly is: Union;
  readonly old: Shape;
  readonly next: Shape;
}

function compareUnion({ was, is, old, next }: UnionPair, scope: Scope): AlternativeMatch {
  const places = { old: was.owner.place.child(was.keyword), new: is.owner.place.child(is.keyword) };
  if (was.keyword !== is.keyword)
    scope.report({
      kind: 'choice-rule-changed',
      message: `${next.place.title} has ${is.keyword}, had ${was.keyword}`,
      ...places,
    });
  const read = ({ alternatives }: Union, { sites }: Side): Alternative[] =>
    alternatives.map((part) => ({ site: sites.site(part), place: part.place }));
  return reportMatch({ old, next, was: read(was, scope.graph.old), is: read(is, scope.graph.new) }, scope);
}

interface AlternativeLists {
  readonly old: Shape;
  readonly next: Shape;
  readonly was: readonly Alternative[];
  readonly is: readonly Alternative[];
}

function reportMatch({ old, next, was, is }: AlternativeLists, scope: Scope): AlternativeMatch {
  const match = matchAlternatives(was, is, scope);
  const title = next.place.title;
  for (const [before, now] of match.pairs) scope.compareAlternatives(before.site, now.site);
  for (const gone of match.removed)
    scope.report({
      kind: 'alternative-removed',
      message: `${title} has an alternative less: ${describe(gone, scope.graph.old)}`,
      old: gone.place,
      new: next.place,
      anchor: 'old',
    });
  for (const added of match.added)
    scope.report({
      kind: 'alternative-added',
      message: `${title} has one more alternative: ${describe(added, scope.graph.new)}`,
      old: old.place,
      new: added.place,
      anchor: 'new',
    });
  return match;
}

function describe({ site }: Alternative, side: Side): string {
  if (site.name !== undefined) return quote(site.name);
  const { types, nullable } = side.shapeOf(site);
  return types === undefined ? 'a value of any type' : showTypes(types, nullable);
}

/**
 * Compares a site that is a choice with one that is none, which is a choice of one: of its types, one each. Says `false`
 * where this is no such pair, or where the choice merely adds demands to what stands beside it.
 */
export function compareWithUnion(old: Shape, next: Shape, scope: Scope): boolean {
  const [union, ...more] = [...old.unions, ...next.unions];
  if (union === undefined || more.length > 0) return false;
  const [plain, choice] = old.unions.length === 0 ? [old, next] : [next, old];
  if (plain.types === undefined || !union.alternatives.some(isSubstantial)) return false;
  const [plainSide, choiceSide] =
    plain === old ? [scope.graph.old, scope.graph.new] : [scope.graph.new, scope.graph.old];
  const single = splitByType(plain, plainSide);
  const several = distribute(choice, union, choiceSide);
  if (old.nullable !== next.nullable)
    scope.report({
      kind: next.nullable ? 'nullable-added' : 'nullable-removed',
      message: `${next.place.title} ${next.nullable ? 'may be null now' : 'must not be null any more'}`,
      old: old.place,
      new: next.place,
      isOfNull: scope.isTop,
    });
  const lists = plain === old ? { was: single, is: several } : { was: several, is: single };
  reportMatch({ old, next, ...lists }, scope);
  return true;
}

/** Whether an alternative says what a value is, not merely which members it must have. */
function isSubstantial({ schema }: Part): boolean {
  if (typeof schema === 'boolean') return false;
  const words = ['$ref', 'type', 'properties', 'items', 'enum', 'const', 'allOf', 'anyOf', 'oneOf'] as const;
  return words.some((word) => Object.hasOwn(schema, word));
}

const TYPE_SCHEMAS: ReadonlyMap<SchemaType, SchemaObject> = new Map(
  (['boolean', 'object', 'array', 'number', 'integer', 'string'] as const).map((type) => [type, { type }]),
);

function splitByType({ site, place, types }: Shape, { sites }: Side): Alternative[] {
  if (types === undefined || types.size < 2) return [{ site, place }];
  return [...types].map((type) => ({
    site: sites.join([...site.parts, { schema: TYPE_SCHEMAS.get(type) ?? { type }, place }]),
    place,
  }));
}

/** Each alternative with what stands beside the choice. */
function distribute({ parts }: Shape, union: Union, { sites }: Side): Alternative[] {
  const base = parts.flatMap((part): Part[] => {
    const rest = withoutOpened(part, part.schema === union.owner.schema ? union.keyword : undefined);
    return Object.keys(rest).every(isAnnotation) ? [] : [{ schema: rest, place: part.place }];
  });
  return union.alternatives.map((part) => ({ site: sites.join([part, ...base]), place: part.place }));
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
