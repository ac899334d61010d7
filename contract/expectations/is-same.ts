import { isSameJson } from '../../model/exact-json.js';

/** Whether two responses show the same value. Times may be written differently, and the objects of a list may change. */
export function isSame(one: unknown, other: unknown): boolean {
  if (isSameJson(one, other)) return true;
  if (typeof one === 'number' && typeof other === 'number') return one === other;
  if (Array.isArray(one) && Array.isArray(other))
    return (
      one.length === other.length &&
      one.every((item, index) => isSame(item, other[index]) || (typeof item === 'object' && item !== null))
    );
  if (typeof one !== 'string' || typeof other !== 'string') return false;
  return isMoment(one) && Date.parse(one) === Date.parse(other);
}

/** Prints an `expect` call for what `isSame` decides. `value`: what `wanted` was when it was last seen. */
export function printSame(code: { readonly shown: string; readonly wanted: string }, value: unknown): string {
  const { shown, wanted } = code;
  if (Array.isArray(value) && value.some((item) => typeof item === 'object' && item !== null))
    return `expect(${shown}).toHaveLength(${wanted}.length);`;
  if (isMoment(value)) return `expect(Date.parse(${shown})).toBe(Date.parse(${wanted}));`;
  // A null member may be left out.
  return value === null ? `expect(${shown} ?? null).toBeNull();` : `expect(${shown}).toEqual(${wanted});`;
}

function isMoment(value: unknown): boolean {
  return typeof value === 'string' && /^\d{4}-\d\d-\d\dT/i.test(value) && !Number.isNaN(Date.parse(value));
}
