import { hashText } from '../../schema/sample/random.js';
import { EACH_ITEM, type PathStep } from '../../resources/references.js';
import { isRecord, setMember } from '../../model/document/records.js';
import type { Api } from '../../model/api.js';
import type { Schema } from '../../model/schema-types.js';
import { keepsUnknownMembers, membersOf } from '../../schema/facts/members.js';

/** An item: a JSON object. */
export type Item = Readonly<Record<string, unknown>>;

/** Copies an item with another value at a path. Creates missing objects on the way. */
export function withValueAt(item: Item, path: readonly string[], value: unknown): Item {
  const [name, ...rest] = path;
  if (name === undefined) return item;
  const inner = Object.hasOwn(item, name) ? item[name] : undefined;
  return withMember(item, name, rest.length === 0 ? value : withValueAt(isRecord(inner) ? inner : {}, rest, value));
}

/** A copy with other values where there are values at a path. */
export function replaceAt(value: unknown, path: readonly PathStep[], replace: () => unknown): unknown {
  const [step, ...rest] = path;
  if (step === undefined) return replace();
  if (step === EACH_ITEM) return Array.isArray(value) ? value.map((one) => replaceAt(one, rest, replace)) : value;
  if (!isRecord(value) || !Object.hasOwn(value, step)) return value;
  return withMember(value, step, replaceAt(value[step], rest, replace));
}

/** Returns an item with one member set: a copy, unless it already has the value. */
export function withMember(item: Item, name: string, value: unknown): Item {
  if (item[name] === value && Object.hasOwn(item, name)) return item;
  const copy = { ...item };
  setMember(copy, name, value);
  return copy;
}

/** Returns an item without some members: a copy, unless it has none of them. */
export function withoutMembers(item: Item, isDropped: (name: string) => boolean): Item {
  const names = Object.keys(item);
  if (!names.some(isDropped)) return item;
  const copy: Record<string, unknown> = {};
  for (const name of names) if (!isDropped(name)) setMember(copy, name, item[name]);
  return copy;
}

/** Copies an object without the members for which `isOmitted` returns true. */
export function omitMembers<Value extends object>(value: Value, isOmitted: (name: string) => boolean): Partial<Value> {
  // Safe cast: members were only left out.
  return withoutMembers(value as Item, isOmitted) as Partial<Value>;
}

/** Applies a JSON merge patch (RFC 7396): `null` removes, objects are merged, everything else replaces. */
export function mergePatch(target: unknown, patch: unknown): unknown {
  if (!isRecord(patch)) return patch;
  const merged: Record<string, unknown> = isRecord(target) ? { ...target } : {};
  for (const [name, change] of Object.entries(patch)) {
    if (change === null) delete merged[name];
    else setMember(merged, name, mergePatch(Object.hasOwn(merged, name) ? merged[name] : undefined, change));
  }
  return merged;
}

/** Hashes a text to a number (FNV-1a), for values that must not change between reads. */
export function seedFrom(text: string): number {
  return hashText(text) >>> 0;
}

/** Returns a scalar as text; an empty text for other values. */
export function textOrEmpty(value: unknown): string {
  if (typeof value === 'string') return value;
  return ['number', 'bigint', 'boolean'].includes(typeof value) ? String(value) : '';
}

/** Returns the members of an item that a schema declares, because a list may show a short form. */
export function projectItem(item: Item, schema: Schema, api: Api): Item {
  const members = membersOf(schema, api);
  if (members.size === 0 || keepsUnknownMembers(schema, api)) return item;
  return withoutMembers(item, (name) => !members.has(name));
}
