import type { Schema } from '../../model/schema-types.js';
import type { SpecLocation } from '../location.js';
import { quote } from '../phrases.js';
import type { Parts } from './schema-location.js';
import type { Scope } from './scope.js';
import type { EffectiveSchema } from './effective-schema.js';
import type { Part } from './schema-location.js';

/** Whether an object takes no members but those that are named. */
export function isClosed(shape: EffectiveSchema): boolean {
  return otherMembers(shape).some(({ schema }) => schema === false);
}

/** Compares what may be in an object beside its named members: `additionalProperties`, `patternProperties`. */
export function compareOtherMembers(old: EffectiveSchema, next: EffectiveSchema, scope: Scope): void {
  comparePatternMembers(old, next, scope);
  const [wasClosed, closed] = [isClosed(old), isClosed(next)];
  if (wasClosed !== closed) {
    scope.report({
      kind: closed ? 'members-closed' : 'members-opened',
      message: `${next.location.title} takes ${closed ? 'no other members any more' : 'other members now'}`,
      old: otherPlace(old),
      new: otherPlace(next),
    });
    return;
  }
  const [was, is] = [otherMembers(old), otherMembers(next)];
  if (!closed && was.length + is.length > 0)
    scope.compare(orAnything(was, old.location), orAnything(is, next.location));
}

/** The schemas of undeclared members; `unevaluatedProperties` means the same, one step later. */
function otherMembers({ parts }: EffectiveSchema): Part[] {
  for (const keyword of ['additionalProperties', 'unevaluatedProperties'] as const) {
    const found = parts.flatMap(({ schema, location }): Part[] => {
      const others: Schema | undefined = schema[keyword];
      return others === undefined || others === true ? [] : [{ schema: others, location: location.child(keyword) }];
    });
    if (found.length > 0) return found;
  }
  return [];
}

function otherPlace(shape: EffectiveSchema): SpecLocation {
  return otherMembers(shape)[0]?.location ?? shape.location;
}

function orAnything([first, ...rest]: readonly Part[], owner: SpecLocation): Parts {
  return first === undefined ? [{ schema: true, location: owner.child('additionalProperties') }] : [first, ...rest];
}

function comparePatternMembers(old: EffectiveSchema, next: EffectiveSchema, scope: Scope): void {
  const [oldPatterns, newPatterns] = [readPatterns(old), readPatterns(next)];
  for (const [pattern, was] of oldPatterns) {
    const is = newPatterns.get(pattern);
    if (is !== undefined) scope.compare(was, is);
    else
      scope.report({
        kind: 'condition-removed',
        message: `Nothing is said any more of members of ${next.location.title} that match ${quote(pattern)}`,
        old: was[0].location,
        new: next.location,
        anchor: 'old',
      });
  }
  for (const [pattern, is] of newPatterns)
    if (!oldPatterns.has(pattern))
      scope.report({
        kind: 'condition-added',
        message: `Members of ${next.location.title} that match ${quote(pattern)} have a schema now`,
        old: old.location,
        new: is[0].location,
        anchor: 'new',
      });
}

function readPatterns({ parts }: EffectiveSchema): Map<string, Parts> {
  const found = new Map<string, Parts>();
  for (const { schema, location } of parts) {
    for (const [pattern, member] of Object.entries(schema.patternProperties ?? {})) {
      const part = { schema: member, location: location.child('patternProperties', pattern) };
      const known = found.get(pattern);
      found.set(pattern, known === undefined ? [part] : [...known, part]);
    }
  }
  return found;
}
