import { getOrInsert } from '../../model/maps.js';
import { isMarked } from '../../schema/facts/parts.js';
import type { ChangeKind } from '../change-catalog.js';
import { bothLocations, type SpecLocation } from '../location.js';
import { quoteShort, showValues } from '../phrases.js';
import { BOTH_DIRECTIONS } from '../raw-change.js';
import type { Direction } from '../api-diff.js';
import { compareCounts } from './compare-counts.js';
import { type EffectiveSchema, partsByName } from './effective-schema.js';
import type { LocatedSchema, LocatedSchemas } from './schema-location.js';
import type { ComparisonScope, ShapePair, Side } from './scope.js';
import type { Schema } from '../../model/schema-types.js';

/** A member of an object, combined from all schemas that mention it. */
interface Member {
  readonly parts: LocatedSchemas;
  readonly location: SpecLocation;
  readonly required: boolean;
  readonly readOnly: boolean;
  readonly writeOnly: boolean;
}

/** Compares the named members of objects, and their other members. */
export function compareMembers(pair: ShapePair): void {
  compareCounts(pair, 'members');
  const { old, next, scope } = pair;
  const oldMembers = readMembers(old, scope.sides.old);
  const newMembers = readMembers(next, scope.sides.new);
  for (const [name, was] of oldMembers) {
    const is = newMembers.get(name);
    if (is === undefined) reportRemoved(was, pair);
    else compareMember(was, is, scope);
  }
  for (const [name, is] of newMembers) if (!oldMembers.has(name)) reportAdded(is, pair);
  compareOtherMembers(pair);
  compareDependents(pair);
}

/** Reads the members of an object. A required name without a description is a member of any type. */
function readMembers(shape: EffectiveSchema, { sites }: Side): Map<string, Member> {
  const found = partsByName(shape, 'properties');
  const required = new Map<string, SpecLocation>();
  for (const { schema, location } of shape.parts)
    for (const name of schema.required ?? []) required.set(name, location.child('properties', name));
  for (const [name, location] of required) if (!found.has(name)) found.set(name, [{ schema: true, location }]);
  const members = [...found].map(([name, parts]): [string, Member] => [
    name,
    {
      parts,
      location: parts[0].location,
      required: required.has(name),
      readOnly: parts.some(({ schema }) => isMarked(schema, 'readOnly', sites.api)),
      writeOnly: parts.some(({ schema }) => isMarked(schema, 'writeOnly', sites.api)),
    },
  ]);
  return new Map(members);
}

function directionsOf({ readOnly, writeOnly }: Pick<Member, 'readOnly' | 'writeOnly'>): Direction[] {
  return BOTH_DIRECTIONS.filter((direction) => !(direction === 'request' ? readOnly : writeOnly));
}

function reportAdded(is: Member, pair: ShapePair): void {
  pair.report({
    kind: 'member-added',
    message: `${is.location.title} is new${is.required ? ' and required' : ''}`,
    is,
    anchor: 'new',
    directions: directionsOf(is),
    exceptions: is.required ? ['request'] : [],
  });
}

function reportRemoved(was: Member, pair: ShapePair): void {
  const closed = isClosed(pair.next);
  pair.report({
    kind: 'member-removed',
    message: `${was.location.title} is gone${closed ? ', and the object takes no other members' : ''}`,
    was,
    anchor: 'old',
    directions: directionsOf(was),
    exceptions: [...(closed ? ['request' as const] : []), ...(was.required ? ['response' as const] : [])],
  });
}

function compareMember(was: Member, is: Member, scope: ComparisonScope): void {
  const locations = bothLocations(was.location, is.location);
  if (was.required !== is.required)
    scope.report({
      kind: is.required ? 'member-became-required' : 'member-became-optional',
      message: `${is.location.title} ${is.required ? 'is required now' : 'is optional now'}`,
      ...locations,
      directions: directionsOf(is.required ? is : was),
    });
  if (was.readOnly !== is.readOnly)
    scope.report({
      kind: is.readOnly ? 'read-only-added' : 'read-only-removed',
      message: `${is.location.title} is ${is.readOnly ? 'read-only now' : 'not read-only any more'}`,
      ...locations,
      exceptions: is.required && was.required ? ['request'] : [],
    });
  if (was.writeOnly !== is.writeOnly)
    scope.report({
      kind: is.writeOnly ? 'write-only-added' : 'write-only-removed',
      message: `${is.location.title} is ${is.writeOnly ? 'write-only now' : 'not write-only any more'}`,
      ...locations,
      exceptions: was.required ? ['response'] : [],
    });
  const directions = directionsOf({
    readOnly: was.readOnly && is.readOnly,
    writeOnly: was.writeOnly && is.writeOnly,
  });
  scope.compare(was.parts, is.parts, directions);
}

/** Compares which members another one requires (`dependentRequired`). */
function compareDependents(pair: ShapePair): void {
  const [old, next] = [readDependents(pair.old), readDependents(pair.next)];
  for (const name of new Set([...old.keys(), ...next.keys()])) {
    const [was, is] = [old.get(name), next.get(name)];
    const added = [...(is?.names ?? [])].filter((one) => was?.names.has(one) !== true);
    const removed = [...(was?.names ?? [])].filter((one) => is?.names.has(one) !== true);
    const title = `${quoteShort(name)} of ${pair.title}`;
    const report = (kind: ChangeKind, message: string): void => pair.report({ kind, message, was, is });
    if (added.length > 0) report('dependent-members-added', `Beside ${title} there must be ${showValues(added)} now`);
    if (removed.length > 0)
      report('dependent-members-removed', `Beside ${title} there need not be ${showValues(removed)} any more`);
  }
}

interface Dependents {
  readonly names: Set<string>;
  readonly location: SpecLocation;
}

function readDependents({ parts }: EffectiveSchema): Map<string, Dependents> {
  const found = new Map<string, Dependents>();
  for (const { schema, location } of parts)
    for (const [name, names] of Object.entries(schema.dependentRequired ?? {})) {
      const known = getOrInsert(found, name, () => ({
        names: new Set(),
        location: location.child('dependentRequired', name),
      }));
      for (const one of names) known.names.add(one);
    }
  return found;
}

/** Whether an object allows only named members. */
function isClosed(shape: EffectiveSchema): boolean {
  return otherMembers(shape).some(({ schema }) => schema === false);
}

/** Compares what an object may contain beside its named members: `additionalProperties`, `patternProperties`. */
function compareOtherMembers(pair: ShapePair): void {
  const { old, next, scope } = pair;
  comparePatternMembers(pair);
  const [wasClosed, closed] = [isClosed(old), isClosed(next)];
  const [was, is] = [otherMembers(old), otherMembers(next)];
  if (wasClosed !== closed)
    pair.report({
      kind: closed ? 'members-closed' : 'members-opened',
      message: `${pair.title} takes ${closed ? 'no other members any more' : 'other members now'}`,
      was: was[0],
      is: is[0],
    });
  else if (!closed && was.length + is.length > 0)
    scope.compare(orAnything(was, old.location), orAnything(is, next.location));
}

/** The schemas of undeclared members; `unevaluatedProperties` has the same effect here. */
function otherMembers({ parts }: EffectiveSchema): LocatedSchema[] {
  for (const keyword of ['additionalProperties', 'unevaluatedProperties'] as const) {
    const found = parts.flatMap(({ schema, location }): LocatedSchema[] => {
      const others: Schema | undefined = schema[keyword];
      return others === undefined || others === true ? [] : [{ schema: others, location: location.child(keyword) }];
    });
    if (found.length > 0) return found;
  }
  return [];
}

function orAnything([first, ...rest]: readonly LocatedSchema[], owner: SpecLocation): LocatedSchemas {
  return first === undefined ? [{ schema: true, location: owner.child('additionalProperties') }] : [first, ...rest];
}

function comparePatternMembers(pair: ShapePair): void {
  const oldPatterns = partsByName(pair.old, 'patternProperties');
  const newPatterns = partsByName(pair.next, 'patternProperties');
  for (const [pattern, was] of oldPatterns) {
    const is = newPatterns.get(pattern);
    const message = `Members of ${pair.title} that match ${quoteShort(pattern)} have no schema any more`;
    if (is !== undefined) pair.scope.compare(was, is);
    else pair.report({ kind: 'condition-removed', message, was: was[0], anchor: 'old' });
  }
  for (const [pattern, is] of newPatterns) {
    if (oldPatterns.has(pattern)) continue;
    const message = `Members of ${pair.title} that match ${quoteShort(pattern)} have a schema now`;
    pair.report({ kind: 'condition-added', message, is: is[0], anchor: 'new' });
  }
}
