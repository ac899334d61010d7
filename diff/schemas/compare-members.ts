import type { SpecLocation } from '../location.js';
import { BOTH_DIRECTIONS } from '../raw-change.js';
import type { Direction } from '../types.js';
import { quote, showValues } from '../phrases.js';
import { compareCounts } from './compare-counts.js';
import { compareOtherMembers, isClosed } from './compare-other-members.js';
import type { Parts } from './schema-location.js';
import type { Scope } from './scope.js';
import { type FollowRef, isMarked } from './compare-annotations.js';
import type { EffectiveSchema } from './effective-schema.js';
import type { Part } from './schema-location.js';

/** A member of an object, put together from all schemas that speak of it. */
interface Member {
  readonly parts: Parts;
  readonly location: SpecLocation;
  readonly required: boolean;
  readonly readOnly: boolean;
  readonly writeOnly: boolean;
}

/** Compares the members of objects, and what else they may hold. */
export function compareMembers(old: EffectiveSchema, next: EffectiveSchema, scope: Scope): void {
  compareCounts({ old, next, scope }, 'members');
  const oldMembers = readMembers(old, (ref) => scope.sides.old.sites.target(ref));
  const newMembers = readMembers(next, (ref) => scope.sides.new.sites.target(ref));
  for (const [name, was] of oldMembers) {
    const is = newMembers.get(name);
    if (is === undefined) reportRemoved(was, next, scope);
    else compareMember(was, is, scope);
  }
  for (const [name, is] of newMembers) if (!oldMembers.has(name)) reportAdded(is, old, scope);
  compareOtherMembers(old, next, scope);
  compareDependents(old, next, scope);
}

/** A name that is required and described nowhere is a member of any type. */
function readMembers({ parts }: EffectiveSchema, follow: FollowRef): Map<string, Member> {
  const found = new Map<string, Part[]>();
  const required = new Map<string, SpecLocation>();
  for (const { schema, location } of parts) {
    for (const [name, member] of Object.entries(schema.properties ?? {})) {
      const known = found.get(name) ?? [];
      found.set(name, known);
      known.push({ schema: member, location: location.child('properties', name) });
    }
    for (const name of schema.required ?? []) required.set(name, location.child('properties', name));
  }
  const members = new Map<string, Member>();
  for (const name of new Set([...found.keys(), ...required.keys()])) {
    const [first, ...rest] = found.get(name) ?? [];
    const location = first?.location ?? required.get(name);
    if (location === undefined) continue;
    const all: Parts = first === undefined ? [{ schema: true, location }] : [first, ...rest];
    members.set(name, {
      parts: all,
      location,
      required: required.has(name),
      readOnly: isMarked(all, 'readOnly', follow),
      writeOnly: isMarked(all, 'writeOnly', follow),
    });
  }
  return members;
}

/** The directions in which a member travels. */
function directionsOf({ readOnly, writeOnly }: Pick<Member, 'readOnly' | 'writeOnly'>): Direction[] {
  return BOTH_DIRECTIONS.filter((direction) => !(direction === 'request' ? readOnly : writeOnly));
}

function reportAdded(is: Member, owner: EffectiveSchema, scope: Scope): void {
  scope.report({
    kind: 'member-added',
    message: `${is.location.title} is new${is.required ? ' and required' : ''}`,
    old: owner.location,
    new: is.location,
    anchor: 'new',
    directions: directionsOf(is),
    exceptions: is.required ? ['request'] : [],
  });
}

function reportRemoved(was: Member, owner: EffectiveSchema, scope: Scope): void {
  const closed = isClosed(owner);
  scope.report({
    kind: 'member-removed',
    message: `${was.location.title} is gone${closed ? ', and the object takes no other members' : ''}`,
    old: was.location,
    new: owner.location,
    anchor: 'old',
    directions: directionsOf(was),
    exceptions: [...(closed ? ['request' as const] : []), ...(was.required ? ['response' as const] : [])],
  });
}

function compareMember(was: Member, is: Member, scope: Scope): void {
  const locations = { old: was.location, new: is.location };
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

/** Compares which members must be beside another one (`dependentRequired`). */
function compareDependents(old: EffectiveSchema, next: EffectiveSchema, scope: Scope): void {
  const [was, is] = [readDependents(old), readDependents(next)];
  for (const name of new Set([...was.keys(), ...is.keys()])) {
    const [before, now] = [was.get(name), is.get(name)];
    const locations = { old: before?.location ?? old.location, new: now?.location ?? next.location };
    const added = [...(now?.names ?? [])].filter((one) => before?.names.has(one) !== true);
    const removed = [...(before?.names ?? [])].filter((one) => now?.names.has(one) !== true);
    const title = `${quote(name)} of ${next.location.title}`;
    if (added.length > 0)
      scope.report({
        kind: 'dependent-members-added',
        message: `Beside ${title} there must be ${showValues(added)} now`,
        ...locations,
      });
    if (removed.length > 0)
      scope.report({
        kind: 'dependent-members-removed',
        message: `Beside ${title} there need not be ${showValues(removed)} any more`,
        ...locations,
      });
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
      const known = found.get(name) ?? { names: new Set(), location: location.child('dependentRequired', name) };
      found.set(name, known);
      for (const one of names) known.names.add(one);
    }
  return found;
}
