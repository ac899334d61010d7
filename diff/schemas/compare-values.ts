import { showValue, showValues } from '../phrases.js';
import type { Scope } from './schema-pairs.js';
import type { Shape } from './effective-schema.js';

/** Compares `enum` and `const`. */
export function compareValues(old: Shape, next: Shape, scope: Scope): void {
  if (old.values === undefined && next.values === undefined) return;
  const places = { old: old.valuesPlace, new: next.valuesPlace };
  const { place } = next;
  if (old.values === undefined || next.values === undefined) {
    if (next.values !== undefined)
      scope.report({
        kind: 'enum-added',
        message: `${place.title} must be one of ${showValues([...next.values.values()])} now`,
        ...places,
      });
    if (old.values !== undefined)
      scope.report({
        kind: 'enum-removed',
        message: `${place.title} is not limited to listed values any more`,
        ...places,
      });
    return;
  }
  const { values } = old;
  const { values: newValues } = next;
  const added = [...newValues].filter(([text]) => !values.has(text)).map(([, value]) => value);
  const removed = [...values].filter(([text]) => !newValues.has(text)).map(([, value]) => value);
  const [only] = added;
  if (values.size === 1 && newValues.size === 1 && added.length === 1) {
    const message = `${place.title} must be ${showValue(only)}, was ${showValue(removed[0])}`;
    scope.report({ kind: 'const-changed', message, ...places });
    return;
  }
  if (added.length > 0)
    scope.report({
      kind: 'enum-value-added',
      message: `${place.title} may also be ${showValues(added)} now`,
      ...places,
    });
  if (removed.length > 0)
    scope.report({
      kind: 'enum-value-removed',
      message: `${place.title} must not be ${showValues(removed)} any more`,
      ...places,
    });
}
