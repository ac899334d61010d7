import type { Schema } from '../../model/schema-types.js';
import type { DiffPlace } from '../location.js';
import { quote } from '../phrases.js';
import type { Parts, Scope } from './schema-pairs.js';
import type { Shape } from './effective-schema.js';
import type { Part } from './schema-location.js';

/** Whether an object takes no members but those that are named. */
export function isClosed(shape: Shape): boolean {
  return otherMembers(shape).some(({ schema }) => schema === false);
}

/** Compares what may be in an object beside its named members: `additionalProperties`, `patternProperties`. */
export function compareOtherMembers(old: Shape, next: Shape, scope: Scope): void {
  comparePatternMembers(old, next, scope);
  const [wasClosed, closed] = [isClosed(old), isClosed(next)];
  if (wasClosed !== closed) {
    scope.report({
      kind: closed ? 'members-closed' : 'members-opened',
      message: `${next.place.title} takes ${closed ? 'no other members any more' : 'other members now'}`,
      old: otherPlace(old),
      new: otherPlace(next),
    });
    return;
  }
  const [was, is] = [otherMembers(old), otherMembers(next)];
  if (!closed && was.length + is.length > 0) scope.compare(orAnything(was, old.place), orAnything(is, next.place));
}

/** What holds for members that have no name of their own; `unevaluatedProperties` says the same one step later. */
function otherMembers({ parts }: Shape): Part[] {
  for (const keyword of ['additionalProperties', 'unevaluatedProperties'] as const) {
    const found = parts.flatMap(({ schema, place }): Part[] => {
      const others: Schema | undefined = schema[keyword];
      return others === undefined || others === true ? [] : [{ schema: others, place: place.child(keyword) }];
    });
    if (found.length > 0) return found;
  }
  return [];
}

function otherPlace(shape: Shape): DiffPlace {
  return otherMembers(shape)[0]?.place ?? shape.place;
}

function orAnything([first, ...rest]: readonly Part[], owner: DiffPlace): Parts {
  return first === undefined ? [{ schema: true, place: owner.child('additionalProperties') }] : [first, ...rest];
}

function comparePatternMembers(old: Shape, next: Shape, scope: Scope): void {
  const [oldPatterns, newPatterns] = [readPatterns(old), readPatterns(next)];
  for (const [pattern, was] of oldPatterns) {
    const is = newPatterns.get(pattern);
    if (is !== undefined) scope.compare(was, is);
    else
      scope.report({
        kind: 'condition-removed',
        message: `Nothing is said any more of members of ${next.place.title} that match ${quote(pattern)}`,
        old: was[0].place,
        new: next.place,
        anchor: 'old',
      });
  }
  for (const [pattern, is] of newPatterns)
    if (!oldPatterns.has(pattern))
      scope.report({
        kind: 'condition-added',
        message: `Members of ${next.place.title} that match ${quote(pattern)} have a schema now`,
        old: old.place,
        new: is[0].place,
        anchor: 'new',
      });
}

function readPatterns({ parts }: Shape): Map<string, Parts> {
  const found = new Map<string, Parts>();
  for (const { schema, place } of parts) {
    for (const [pattern, member] of Object.entries(schema.patternProperties ?? {})) {
      const part = { schema: member, place: place.child('patternProperties', pattern) };
      const known = found.get(pattern);
      found.set(pattern, known === undefined ? [part] : [...known, part]);
    }
  }
  return found;
}
