import { hashText } from '../../schema/sample/random.js';
import { isRecord, setMember } from '../../model/document/records.js';

/** An item: a JSON object. */
export type Item = Readonly<Record<string, unknown>>;

/** A copy with another value at a path; creates the objects on the way. */
export function withValueAt(item: Item, path: readonly string[], value: unknown): Item {
  const [name, ...rest] = path;
  if (name === undefined) return item;
  const inner = Object.hasOwn(item, name) ? item[name] : undefined;
  return withMember(item, name, rest.length === 0 ? value : withValueAt(isRecord(inner) ? inner : {}, rest, value));
}

/** An item with one member set: a copy, unless it has that value already. */
export function withMember(item: Item, name: string, value: unknown): Item {
  if (item[name] === value && Object.hasOwn(item, name)) return item;
  const copy = { ...item };
  setMember(copy, name, value);
  return copy;
}

/** An item without some members; where it has none of them, the item itself. */
export function withoutMembers(item: Item, isDropped: (name: string) => boolean): Item {
  const names = Object.keys(item);
  if (!names.some(isDropped)) return item;
  const copy: Record<string, unknown> = {};
  for (const name of names) if (!isDropped(name)) setMember(copy, name, item[name]);
  return copy;
}

/** A JSON merge patch (RFC 7396): `null` removes, objects are merged, everything else replaces. */
export function mergePatch(target: unknown, patch: unknown): unknown {
  if (!isRecord(patch)) return patch;
  const merged: Record<string, unknown> = isRecord(target) ? { ...target } : {};
  for (const [name, change] of Object.entries(patch)) {
    if (change === null) delete merged[name];
    else setMember(merged, name, mergePatch(Object.hasOwn(merged, name) ? merged[name] : undefined, change));
  }
  return merged;
}

/** A number that is the same for the same text (FNV-1a), for values that must not change between reads. */
export function seedFrom(text: string): number {
  return hashText(text) >>> 0;
}

/** A scalar as text; nothing of what is no scalar. */
export function textOf(value: unknown): string {
  if (typeof value === 'string') return value;
  return ['number', 'bigint', 'boolean'].includes(typeof value) ? String(value) : '';
}
