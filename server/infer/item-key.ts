import { toExactNumber } from '../../runtime/json-integers.js';
import { type Item, withValueAt } from './json-path.js';
import { valueAtPath } from '../../model/document/pointer.js';
import { idInText } from '../../resources/extract-id.js';
import { fillTemplate } from '../../resources/path-template.js';
import type { MemberPlace, ResourceCore } from '../../resources/resource.js';
import type { Api } from '../../model/api.js';
import { hasNumber, keywordOf, typesOf } from '../../schema/facts/members.js';
import { generateValue } from '../../schema/generate-value.js';

/** The key under which a singleton is stored. */
export const SINGLETON_KEY = 'value';

/** Returns the key under which an item is stored: the text of its id, as in paths. */
export function itemKeyOf({ id, kind, outerIds }: ResourceCore, item: Item): string | undefined {
  if (kind === 'singleton') return SINGLETON_KEY;
  if (id !== undefined && outerIds !== undefined) {
    const parts = [...outerIds, id].map((member) => idAt(item, member.path) ?? '');
    return parts.includes('') ? undefined : joinKey(parts);
  }
  const text = idAt(item, id?.path ?? ['id']);
  const key = id === undefined || text === undefined ? text : withoutPrefix(text, id);
  return key === '' ? undefined : key;
}

/** Makes one key of the path values that name an item. */
export function joinKey(values: readonly string[]): string {
  return values.length === 1 ? (values[0] ?? '') : values.map(encodeURIComponent).join('/');
}

/** The path values that name an item, from its key. */
export function splitKey(key: string, core: Pick<ResourceCore, 'outerIds'> | undefined): string[] {
  return core?.outerIds === undefined ? [key] : key.split('/').map(decodeURIComponent);
}

/** Returns the text of a member if it can be an id. */
export function idAt(item: Item, path: readonly string[]): string | undefined {
  const value = valueAtPath(item, path);
  return typeof value === 'string' || typeof value === 'number' || typeof value === 'bigint'
    ? String(value)
    : undefined;
}

/** Returns an id as it is in paths, without its prefix. */
export function withoutPrefix(text: string, place: MemberPlace): string {
  return idInText(text, place);
}

/** Returns the numeric id at an index, from 0, in its collection. */
export function numberAt({ schema }: MemberPlace, place: number, api: Api): string {
  const minimum = Math.max(keywordOf(schema, 'minimum', api) ?? 1, 1);
  const step = keywordOf(schema, 'multipleOf', api) ?? 1;
  return String((Math.ceil(minimum / step) + place) * step);
}

/** The count at which a counter reaches the number of an id; 0 if it is no small number. */
export function countOfNumber({ schema }: MemberPlace, key: string, api: Api): number {
  if (!/^\d{1,6}$/.test(key)) return 0;
  return Number(key) - Number(numberAt({ path: [], schema, prefix: '' }, 0, api)) + 1;
}

/** Generates an id from its schema; empty if the result is not a text. */
export function generatedId(id: MemberPlace, seed: number, api: Api): string {
  const made = generateValue(api, id.schema, { direction: 'response', seed });
  return made.ok && typeof made.value === 'string' ? withoutPrefix(made.value, id) : '';
}

/** Copies an item and sets its id and the members that repeat its path parameters. */
export function withPathValues(
  item: Item,
  core: ResourceCore,
  place: { readonly key: string; readonly parents: ReadonlyMap<string, string>; readonly api: Api },
): Item {
  const values = splitKey(place.key, core);
  const key = values.at(-1) ?? place.key;
  let named = core.id === undefined ? item : withId(item, core.id, { ...place, key });
  for (const [index, member] of (core.outerIds ?? []).entries())
    named = setValue(named, member, { text: values[index] ?? '', api: place.api });
  for (const [name, member] of core.parentMembers) {
    const text = place.parents.get(name);
    if (text !== undefined) named = setValue(named, member, { text, api: place.api });
  }
  return named;
}

/** Sets the id. An address that ends with it stays, since it may have the origin of the mock. */
function withId(
  item: Item,
  id: MemberPlace,
  { key, parents, api }: { readonly key: string; readonly parents: ReadonlyMap<string, string>; readonly api: Api },
): Item {
  if (id.isLink !== true) return setValue(item, id, { text: key, api });
  const known = idAt(item, id.path);
  if (known !== undefined && idInText(known, id) === key) return item;
  return withValueAt(item, id.path, fillTemplate(id.prefix, [...parents.values()]) + encodeURIComponent(key));
}

function setValue(item: Item, member: MemberPlace, { text, api }: { readonly text: string; readonly api: Api }): Item {
  return withValueAt(item, member.path, toMemberValue(member, text, api));
}

/** Converts the text of a path parameter to the value of the member that repeats it. */
export function toMemberValue({ schema, prefix }: MemberPlace, text: string, api: Api): unknown {
  const types = typesOf(schema, api);
  const isNumber = types.size === 0 ? /^\d{1,15}$/.test(text) : hasNumber(types) && !types.has('string');
  return isNumber && text.trim() !== '' && Number.isFinite(Number(text)) ? toExactNumber(text) : prefix + text;
}
