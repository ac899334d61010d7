import type { Schema } from '../../model/schema-types.js';
import type { SpecLocation } from '../location.js';
import { quote } from '../phrases.js';
import { type EffectiveSchema, partsByName } from './effective-schema.js';
import type { Part, Parts } from './schema-location.js';
import type { ShapePair } from './scope.js';

/** Whether an object takes no members but those that are named. */
export function isClosed(shape: EffectiveSchema): boolean {
  return otherMembers(shape).some(({ schema }) => schema === false);
}

/** Compares what may be in an object beside its named members: `additionalProperties`, `patternProperties`. */
export function compareOtherMembers(pair: ShapePair): void {
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

function orAnything([first, ...rest]: readonly Part[], owner: SpecLocation): Parts {
  return first === undefined ? [{ schema: true, location: owner.child('additionalProperties') }] : [first, ...rest];
}

function comparePatternMembers(pair: ShapePair): void {
  const oldPatterns = partsByName(pair.old, 'patternProperties');
  const newPatterns = partsByName(pair.next, 'patternProperties');
  for (const [pattern, was] of oldPatterns) {
    const is = newPatterns.get(pattern);
    const message = `Nothing is said any more of members of ${pair.title} that match ${quote(pattern)}`;
    if (is !== undefined) pair.scope.compare(was, is);
    else pair.report({ kind: 'condition-removed', message, was: was[0], anchor: 'old' });
  }
  for (const [pattern, is] of newPatterns) {
    if (oldPatterns.has(pattern)) continue;
    const message = `Members of ${pair.title} that match ${quote(pattern)} have a schema now`;
    pair.report({ kind: 'condition-added', message, is: is[0], anchor: 'new' });
  }
}
