import { isRecord } from '../../model/document/records.js';
import { showJson } from '../../model/exact-json.js';

/** A value as JSON text with sorted members, so that equal values have the same text. */
export function canonicalJson(value: unknown): string {
  return showJson(sortMembers(value), '');
}

/** Sorts members at any depth. `Object.fromEntries` defines them, so a key such as `__proto__` stays data. */
function sortMembers(value: unknown): unknown {
  if (Array.isArray(value)) return value.map((item) => sortMembers(item));
  if (!isRecord(value)) return value;
  const sorted = Object.entries(value).sort(([one], [other]) => (one < other ? -1 : 1));
  return Object.fromEntries(sorted.map(([name, member]) => [name, sortMembers(member)]));
}

/**
 * Whether two values of documents are equal, ignoring the order of members. `isOther` may report that a `$ref` leads to
 * something else in the other document.
 */
export function isSameValue(old: unknown, next: unknown, isOther?: (ref: string) => boolean): boolean {
  if (typeof old !== 'object' || typeof next !== 'object' || old === null || next === null) return Object.is(old, next);
  if (Array.isArray(old) || Array.isArray(next)) {
    if (!Array.isArray(old) || !Array.isArray(next) || old.length !== next.length) return false;
    return old.every((item, index) => isSameValue(item, next[index], isOther));
  }
  const [was, is] = [old as Readonly<Record<string, unknown>>, next as Readonly<Record<string, unknown>>];
  let count = 0;
  for (const key in was) {
    count += 1;
    if (!Object.hasOwn(is, key)) return false;
    const value = was[key];
    if (key === '$ref' && typeof value === 'string' && isOther?.(value) === true) return false;
    if (!isSameValue(value, is[key], isOther)) return false;
  }
  return count === Object.keys(is).length;
}
