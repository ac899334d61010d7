import type { SpecLocation } from '../location.js';
import { type Match, matchByKey } from '../match-by-key.js';
import type { ComparisonScope, Side, Sides } from './scope.js';
import type { LocatedSchema, LocatedSchemas, Site } from './schema-location.js';
import { type EffectiveSchema, partsByName } from './effective-schema.js';
import { canonicalJson } from './canonical-json.js';

/** One of the schemas that a value may match. */
export interface Alternative {
  readonly site: Site;
  readonly location: SpecLocation;
}

/** Which alternatives of two choices correspond, changed or not, and which are new or removed. */
export type AlternativeMatch = Match<Alternative>;

/** Below this similarity, an alternative counts as removed and added, not as changed. */
const MIN_SIMILARITY = 0.25;

/**
 * Maximum number of pairs whose similarity is computed; larger sets of changed alternatives are not matched one by one.
 */
const MOST_MEASURED = 2_500;

/** Matches alternatives: by name, then by content, then by similarity. Ignores their order. */
export function matchAlternatives(
  old: readonly Alternative[],
  next: readonly Alternative[],
  { sides }: ComparisonScope,
): AlternativeMatch {
  const named = matchByKey(old, next, ({ site }) => site.name);
  if (named.removed.length === 0 || named.added.length === 0) return named;
  const lookIn = (side: Side) => (one: Alternative) => fingerprint(one.site, side);
  const alike = matchByKey(named.removed, named.added, lookIn(sides.old), lookIn(sides.new));
  return matchBySimilarity(alike, [...named.pairs, ...alike.pairs], sides);
}

/** Pairs the remaining alternatives, the most similar first. */
function matchBySimilarity(
  { removed, added }: AlternativeMatch,
  known: AlternativeMatch['pairs'],
  sides: Sides,
): AlternativeMatch {
  if (removed.length * added.length > MOST_MEASURED) return { pairs: known, removed, added };
  const measured = removed.flatMap((was) =>
    added.map((is) => {
      const shapes = [sides.old.effectiveOf(was.site), sides.new.effectiveOf(is.site)] as const;
      return { was, is, similarity: similarity(...shapes, sides) };
    }),
  );
  const pairs = [...known];
  const matched = new Set<Alternative>();
  for (const { was, is, similarity } of measured.sort((one, other) => other.similarity - one.similarity)) {
    if (similarity < MIN_SIMILARITY || matched.has(was) || matched.has(is)) continue;
    pairs.push([was, is]);
    matched.add(was).add(is);
  }
  const isLeft = (one: Alternative): boolean => !matched.has(one);
  return { pairs, removed: removed.filter(isLeft), added: added.filter(isLeft) };
}

const BOUNDS = [
  'minimum',
  'maximum',
  'exclusiveMinimum',
  'exclusiveMaximum',
  'minLength',
  'maxLength',
  'pattern',
  'format',
  'minItems',
  'maxItems',
] as const;

/** A digest of a site, two levels deep; alternatives with the same digest are matched. */
function fingerprint(site: Site, side: Side, depth = 2): string {
  const shape = side.effectiveOf(site);
  const types = shape.types === undefined ? 'any' : [...shape.types].sort();
  const head = [types, shape.nullable, [...(shape.values?.keys() ?? [])].sort()];
  if (depth === 0) return canonicalJson(head);
  const look = (parts: LocatedSchemas): string => fingerprint(side.sites.join(parts), side, depth - 1);
  const members = [...partsByName(shape, 'properties')].map(([name, parts]) => canonicalJson([name, look(parts)]));
  const bounds = BOUNDS.map((key) => shape.parts.flatMap(({ schema }) => schema[key] ?? []));
  const required = shape.parts.flatMap(({ schema }) => schema.required ?? []);
  return canonicalJson([
    ...head,
    bounds,
    [...new Set(required)].sort(),
    members.sort(),
    itemsOf(shape).map((part) => look([part])),
    shape.unions.map(({ alternatives }) => alternatives.map((part) => look([part])).sort()),
  ]);
}

/** The similarity of two shapes, from 0 (different) to 1. */
function similarity(
  old: EffectiveSchema,
  next: EffectiveSchema,
  sides: { readonly old: Side; readonly new: Side },
): number {
  const isAny = old.types === undefined || next.types === undefined;
  if (!isAny && ![...(old.types ?? [])].some((type) => next.types?.has(type) === true)) return isNumeric(old, next);
  if (old.types?.has('object') !== true || next.types?.has('object') !== true) return isAny ? 0 : 0.5;
  const [was, is] = [partsByName(old, 'properties'), partsByName(next, 'properties')];
  const common = [...was.keys()].filter((name) => is.has(name));
  for (const name of common) {
    const tag = tagOf(was.get(name), sides.old);
    const newTag = tagOf(is.get(name), sides.new);
    if (tag !== undefined && newTag !== undefined) return tag === newTag ? 1 : 0;
  }
  const all = new Set([...was.keys(), ...is.keys()]).size;
  return all === 0 ? 0.5 : common.length / all;
}

function isNumeric(old: EffectiveSchema, next: EffectiveSchema): number {
  const isNumber = ({ types }: EffectiveSchema): boolean =>
    types?.has('number') === true || types?.has('integer') === true;
  return isNumber(old) && isNumber(next) ? 0.5 : 0;
}

/** The only value that a member may have, which distinguishes alternatives. */
function tagOf(parts: LocatedSchemas | undefined, side: Side): string | undefined {
  if (parts === undefined) return undefined;
  const { values } = side.effectiveAt(...parts);
  return values?.size === 1 ? [...values.keys()][0] : undefined;
}

function itemsOf({ parts }: EffectiveSchema): LocatedSchema[] {
  return parts.flatMap(({ schema, location }) =>
    schema.items === undefined ? [] : [{ schema: schema.items, location: location.child('items') }],
  );
}
