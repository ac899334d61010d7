import type { DiffPlace } from '../location.js';
import { BOTH_DIRECTIONS } from '../raw-change.js';
import type { Direction } from '../types.js';
import { compareCounts } from './compare-counts.js';
import { compareOtherMembers, isClosed } from './compare-other-members.js';
import type { Parts, Scope } from './schema-pairs.js';
import { type FollowRef, isMarked } from './annotations.js';
import type { Shape } from './effective-schema.js';
import type { Part } from './schema-location.js';

/** A member of an object, put together from all schemas that speak of it. */
interface Member {
  readonly parts: Parts;
  readonly place: DiffPlace;
  readonly required: boolean;
  readonly readOnly: boolean;
  readonly writeOnly: boolean;
}

/** Compares the members of objects, and what else they may hold. */
export function compareMembers(old: Shape, next: Shape, scope: Scope): void {
  compareCounts({ old, next, scope }, 'members');
  const oldMembers = readMembers(old, (ref) => scope.graph.old.sites.target(ref));
  const newMembers = readMembers(next, (ref) => scope.graph.new.sites.target(ref));
  for (const [name, was] of oldMembers) {
    const is = newMembers.get(name);
    if (is === undefined) reportRemoved(was, next, scope);
    else compareMember(was, is, scope);
  }
  for (const [name, is] of newMembers) if (!oldMembers.has(name)) reportAdded(is, old, scope);
  compareOtherMembers(old, next, scope);
}

/** A name that is required and described nowhere is a member of any type. */
function readMembers({ parts }: Shape, follow: FollowRef): Map<string, Member> {
  const found = new Map<string, Part[]>();
  const required = new Map<string, DiffPlace>();
  for (const { schema, place } of parts) {
    for (const [name, member] of Object.entries(schema.properties ?? {})) {
      const known = found.get(name) ?? [];
      found.set(name, known);
      known.push({ schema: member, place: place.child('properties', name) });
    }
    for (const name of schema.required ?? []) required.set(name, place.child('properties', name));
  }
  const members = new Map<string, Member>();
  for (const name of new Set([...found.keys(), ...required.keys()])) {
    const [first, ...rest] = found.get(name) ?? [];
    const place = first?.place ?? required.get(name);
    if (place === undefined) continue;
    const all: Parts = first === undefined ? [{ schema: true, place }] : [first, ...rest];
    members.set(name, {
      parts: all,
      place,
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

function reportAdded(is: Member, owner: Shape, scope: Scope): void {
  scope.report({
    kind: 'member-added',
    message: `${is.place.title} is new${is.required ? ' and required' : ''}`,
    old: owner.place,
    new: is.place,
    anchor: 'new',
    directions: directionsOf(is),
    exceptions: is.required ? ['request'] : [],
  });
}

function reportRemoved(was: Member, owner: Shape, scope: Scope): void {
  const closed = isClosed(owner);
  scope.report({
    kind: 'member-removed',
    message: `${was.place.title} is gone${closed ? ', and the object takes no other members' : ''}`,
    old: was.place,
    new: owner.place,
    anchor: 'old',
    directions: directionsOf(was),
    exceptions: [...(closed ? ['request' as const] : []), ...(was.required ? ['response' as const] : [])],
  });
}

function compareMember(was: Member, is: Member, scope: Scope): void {
  const places = { old: was.place, new: is.place };
  if (was.required !== is.required)
    scope.report({
      kind: is.required ? 'member-became-required' : 'member-became-optional',
      message: `${is.place.title} ${is.required ? 'is required now' : 'is optional now'}`,
      ...places,
      directions: directionsOf(is.required ? is : was),
    });
  if (was.readOnly !== is.readOnly)
    scope.report({
      kind: is.readOnly ? 'read-only-added' : 'read-only-removed',
      message: `${is.place.title} is ${is.readOnly ? 'read-only now' : 'not read-only any more'}`,
      ...places,
      exceptions: is.required && was.required ? ['request'] : [],
    });
  if (was.writeOnly !== is.writeOnly)
    scope.report({
      kind: is.writeOnly ? 'write-only-added' : 'write-only-removed',
      message: `${is.place.title} is ${is.writeOnly ? 'write-only now' : 'not write-only any more'}`,
      ...places,
      exceptions: was.required ? ['response'] : [],
    });
  const directions = directionsOf({
    readOnly: was.readOnly && is.readOnly,
    writeOnly: was.writeOnly && is.writeOnly,
  });
  scope.compare(was.parts, is.parts, directions);
}
