import { isAnnotation } from '../../model/schema-keywords.js';
import type { Discriminator, SchemaObject, SchemaType } from '../../model/schema-types.js';
import { quoteShort, showTypes, showValues } from '../phrases.js';
import type { ShapeChange, ShapePair, Side } from './scope.js';
import { type Alternative, type AlternativeMatch, matchAlternatives } from './match-alternatives.js';
import type { EffectiveSchema, SchemaUnion } from './effective-schema.js';
import { withoutOpened } from './opened-schemas.js';
import type { LocatedSchema } from './schema-location.js';
import type { ChangeKind } from '../change-catalog.js';
import type { SpecLocation } from '../location.js';

/** Compares the choices of two sites in their order, and their discriminators. */
export function compareUnions(pair: ShapePair): void {
  const { old, next, title } = pair;
  const matches: AlternativeMatch[] = [];
  for (let index = 0; index < Math.max(old.unions.length, next.unions.length); index += 1) {
    const [was, is] = [old.unions[index], next.unions[index]];
    if (was !== undefined && is !== undefined) matches.push(compareUnion(was, is, pair));
    else if (is !== undefined) {
      const message = `${title} must also fit one of ${is.alternatives.length} alternatives now`;
      pair.report({ kind: 'choice-added', message, is, anchor: 'new' });
    } else if (was !== undefined) {
      const message = `${title} need not fit one of ${was.alternatives.length} alternatives any more`;
      pair.report({ kind: 'choice-removed', message, was, anchor: 'old' });
    }
  }
  compareDiscriminators(pair, matches);
}

function compareUnion(was: SchemaUnion, is: SchemaUnion, pair: ShapePair): AlternativeMatch {
  const { old, new: next } = pair.scope.sides;
  if (was.keyword !== is.keyword) {
    const message = `${pair.title} has ${is.keyword}, had ${was.keyword}`;
    pair.report({ kind: 'choice-rule-changed', message, was, is });
  }
  const read = ({ alternatives }: SchemaUnion, { sites }: Side): Alternative[] =>
    alternatives.map((part) => ({ site: sites.join([part]), location: part.location }));
  return reportMatch(read(was, old), read(is, next), pair);
}

function reportMatch(was: readonly Alternative[], is: readonly Alternative[], pair: ShapePair): AlternativeMatch {
  const { scope, title } = pair;
  const match = matchAlternatives(was, is, scope);
  for (const [before, now] of match.pairs) scope.compareAlternatives(before.site, now.site);
  for (const removedNames of match.removed) {
    const message = `${title} has one alternative fewer: ${describe(removedNames, scope.sides.old)}`;
    pair.report({ kind: 'alternative-removed', message, was: removedNames, anchor: 'old' });
  }
  for (const added of match.added) {
    const message = `${title} has one more alternative: ${describe(added, scope.sides.new)}`;
    pair.report({ kind: 'alternative-added', message, is: added, anchor: 'new' });
  }
  return match;
}

/** Compares whether `null` is allowed. */
export function compareNull(pair: ShapePair, places: Pick<ShapeChange, 'was' | 'is'> = {}): void {
  const { old, next, title, scope } = pair;
  if (old.nullable === next.nullable) return;
  pair.report({
    kind: next.nullable ? 'nullable-added' : 'nullable-removed',
    message: `${title} ${next.nullable ? 'may be null now' : 'must not be null any more'}`,
    isOfNull: scope.isTop,
    ...places,
  });
}

function describe({ site }: Alternative, side: Side): string {
  if (site.name !== undefined) return quoteShort(site.name);
  const { types, nullable } = side.effectiveOf(site);
  return types === undefined ? 'a value of any type' : showTypes(types, nullable);
}

/**
 * Compares a choice with a schema without one, which is treated as a choice with one alternative for each type. Returns
 * `false` if the pair is not of this kind, or if the choice only adds constraints to the keywords beside it.
 */
export function compareWithUnion(pair: ShapePair): boolean {
  const { old, next, scope } = pair;
  const [union, ...more] = [...old.unions, ...next.unions];
  if (union === undefined || more.length > 0) return false;
  const isNew = old.unions.length === 0;
  const plain = isNew ? old : next;
  if (plain.types === undefined || !union.alternatives.some(isSubstantial)) return false;
  compareNull(pair);
  if (isNew) reportMatch(splitByType(old, scope.sides.old), distribute(next, union, scope.sides.new), pair);
  else reportMatch(distribute(old, union, scope.sides.old), splitByType(next, scope.sides.new), pair);
  return true;
}

/** Whether an alternative constrains the value itself, not only which members are required. */
function isSubstantial({ schema }: LocatedSchema): boolean {
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

/** Combines each alternative with the keywords beside the choice. */
function distribute({ parts }: EffectiveSchema, union: SchemaUnion, { sites }: Side): Alternative[] {
  const base = parts.flatMap((part): LocatedSchema[] => {
    const rest = withoutOpened(part, part.schema === union.owner.schema ? union.keyword : undefined);
    return Object.keys(rest).every(isAnnotation) ? [] : [{ schema: rest, location: part.location }];
  });
  return union.alternatives.map((part) => ({ site: sites.join([part, ...base]), location: part.location }));
}

/**
 * Compares discriminators: the member, and its values except those that were added or removed with an alternative.
 *
 * @param matches - the changes of the alternatives beside them.
 */
function compareDiscriminators(pair: ShapePair, matches: readonly AlternativeMatch[]): void {
  const [was, is] = [findDiscriminator(pair.old), findDiscriminator(pair.next)];
  if (was === undefined && is === undefined) return;
  const { title, scope } = pair;
  const report = (kind: ChangeKind, message: string): void => pair.report({ kind, message, was, is });
  if (was === undefined || is === undefined) {
    const name = quoteShort((is ?? was)?.discriminator.propertyName ?? '');
    if (was !== undefined) report('discriminator-removed', `${title} is no longer discriminated by ${name}`);
    if (is !== undefined) report('discriminator-added', `${title} is now discriminated by ${name}`);
    return;
  }
  const [oldName, name] = [was.discriminator.propertyName, is.discriminator.propertyName];
  if (oldName !== name)
    report('discriminator-changed', `${title} is discriminated by ${quoteShort(name)}, was by ${quoteShort(oldName)}`);
  const oldDefault = showDefault(was.discriminator, scope.sides.old);
  const newDefault = showDefault(is.discriminator, scope.sides.new);
  if (oldDefault !== newDefault) {
    const message = `${title} without a known value of ${quoteShort(name)} is ${newDefault}, was ${oldDefault}`;
    report('discriminator-changed', message);
  }
  const removedNames = new Set(matches.flatMap(({ removed }) => removed.map(({ site }) => site.name)));
  const addedNames = new Set(matches.flatMap(({ added }) => added.map(({ site }) => site.name)));
  const oldValues = readValues(was.discriminator, scope.sides.old, removedNames);
  const values = readValues(is.discriminator, scope.sides.new, addedNames);
  const removed = [...oldValues].filter((value) => !values.has(value));
  const added = [...values].filter((value) => !oldValues.has(value));
  if (removed.length > 0)
    report(
      'discriminator-value-removed',
      `${quoteShort(name)} of ${title} must not be ${showValues(removed)} any more`,
    );
  if (added.length > 0)
    report('discriminator-value-added', `${quoteShort(name)} of ${title} may also be ${showValues(added)} now`);
}

/** Describes the alternative of unmapped values (OpenAPI 3.2). */
function showDefault({ defaultMapping }: Discriminator, side: Side): string {
  return defaultMapping === undefined ? 'nothing' : quoteShort(writtenName(defaultMapping, side));
}

/** The name of a schema as in its document. */
function writtenName(name: string, { sites }: Side): string {
  return sites.api.schemas.get(name)?.originalName ?? name;
}

function findDiscriminator({
  parts,
}: EffectiveSchema): { readonly discriminator: Discriminator; readonly location: SpecLocation } | undefined {
  for (const { schema, location } of parts) {
    const { discriminator } = schema;
    if (discriminator !== undefined) return { discriminator, location: location.child('discriminator') };
  }
  return undefined;
}

/**
 * Reads the values of a discriminator. Names of alternatives are values even if the mapping omits them (OpenAPI 3.1.1,
 * section 4.8.25).
 */
function readValues({ mapping }: Discriminator, side: Side, without: ReadonlySet<string | undefined>): Set<string> {
  const named = Object.entries(mapping).map(([value, name]) => [value, writtenName(name, side)] as const);
  return new Set(named.filter(([, name]) => !without.has(name)).flat());
}
