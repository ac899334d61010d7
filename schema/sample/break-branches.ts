import { isRecord } from '../../model/document/records.js';
import type { Schema } from '../../model/schema-types.js';
import type { ValueContext, ValuePlace } from './sample-context.js';
import type { Exclusion, Shape } from './shape.js';
import { declaredNames } from './shape-members.js';

/** Values of each type, one of which is wrong for nearly every member. */
const WRONG = [0, 'x', true, [], {}, null];
const MAX_NAMES = 20;

/**
 * Gives an object that matches several branches of a `oneOf` members that the other branches forbid, such as
 * `{ "error": "x", "ignored": 0 }`. The chosen branch still holds.
 */
export function breakBranches(
  value: unknown,
  { exclusions }: Shape,
  place: ValuePlace,
  context: ValueContext,
): unknown {
  let broken = value;
  for (const exclusion of exclusions)
    for (const other of exclusion.others) broken = breakBranch(broken, { ...exclusion, other }, { place, context });
  return broken;
}

function breakBranch(
  value: unknown,
  { chosen, other }: Pick<Exclusion, 'chosen'> & { readonly other: Schema },
  { place, context }: { readonly place: ValuePlace; readonly context: ValueContext },
): unknown {
  const matches = (schema: Schema, one: unknown): boolean => context.cache.findProblem([schema], one) === undefined;
  if (!isRecord(value) || !matches(other, value)) return value;
  for (const name of declaredNames(context.shapeOf([other], place)).slice(0, MAX_NAMES)) {
    for (const wrong of WRONG) {
      context.steps += 1;
      const changed = { ...value, [name]: wrong };
      if (!matches(other, changed) && matches(chosen, changed)) return changed;
    }
  }
  return value;
}
