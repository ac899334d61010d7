import { jsonTypeOf } from '../../model/schema-types.js';
import { fitsNumber } from './number.js';
import type { Shape } from './shape.js';
import { fitsString } from './string.js';
import { isEqual } from '../../runtime/checks.js';

/** Whether a scalar fits a shape, as far as the shape describes it. */
export function fitsScalar(shape: Shape, value: unknown): boolean {
  if (shape.values !== undefined && !shape.values.some((one) => isEqual(one, value))) return false;
  return fitsUnlisted(shape, value);
}

/** {@link fitsScalar} without comparing with the listed values, for values from that list. */
export function fitsUnlisted(shape: Shape, value: unknown): boolean {
  const type = jsonTypeOf(value);
  if (shape.types !== undefined && !shape.types.includes(type)) return false;
  if (typeof value === 'string') return fitsString(shape, value);
  if (typeof value === 'number') return fitsNumber(shape, value);
  return type === 'null' || type === 'boolean';
}
