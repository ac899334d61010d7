import { isRecord } from '../model/document/records.js';
import { valueAtPath } from '../model/document/pointer.js';
import { foldName } from './inflection.js';
import type { MemberPlace, Resource } from './resource.js';

export type Id = string | number | bigint;

export function isId(value: unknown): value is Id {
  return ['string', 'number', 'bigint'].includes(typeof value);
}

/** The last segment of an id: some servers show the resource name `files/abc` where others show `abc`. */
export function lastPartOf(id: unknown): string {
  return String(id).split('/').at(-1) ?? '';
}

/** The id in the text of a member: without the prefix that paths leave out, or the last segment of an address. */
export function idInText(text: string, { prefix, isLink }: Pick<MemberPlace, 'prefix' | 'isLink'>): string {
  if (isLink !== true) return text.startsWith(prefix) ? text.slice(prefix.length) : text;
  const last = lastPartOf(text.split(/[?#]/, 1)[0]?.replace(/\/$/, ''));
  return decode(last) ?? last;
}

/** How an id is found: by the analysis of its resource, or by the name of the parameter that takes it. */
export type IdSource = string | (Partial<Pick<Resource, 'id' | 'createdId' | 'read'>> & Pick<Resource, 'parameter'>);

/** The likeliest id of an item, read from the item itself. */
export function idOf(item: unknown, source: IdSource): Id | undefined {
  return idsOf(item, source)[0];
}

/**
 * Candidates for the id of an item, likeliest first: the member that the spec shows to be the id, which is the only one
 * if that is sure; else the member with the parameter's name, also one object deeper, then `id` and similar names.
 */
export function idsOf(item: unknown, source: IdSource): Id[] {
  if (!isRecord(item)) return [];
  if (typeof source === 'string') return guessIds(item, source);
  const { id, parameter } = source;
  const shown = id === undefined ? undefined : shownId(item, id);
  if (shown !== undefined && id?.basis.isSure === true) return [shown];
  return [...new Set([...(shown === undefined ? [] : [shown]), ...guessIds(item, parameter)])];
}

/** The value of the id's member in an item, which may be in an envelope. */
function shownId(item: Readonly<Record<string, unknown>>, id: MemberPlace): Id | undefined {
  const values = [item, ...Object.values(item).filter(isRecord)].map((one) => {
    const value = toId(valueAtPath(one, id.path));
    return id.isLink === true && typeof value === 'string' ? toId(idInText(value, id)) : value;
  });
  const [own, ...inner] = values;
  const found = [...new Set(inner.filter((value) => value !== undefined))];
  return own ?? (found.length === 1 ? found[0] : undefined);
}

/** The values that name an item together with its id, by path parameter. */
function outerIdsOf(shown: unknown, { outerIds = [] }: Pick<Resource, 'outerIds'>): Map<string, Id> {
  const item: unknown = Array.isArray(shown) && shown.length === 1 ? shown[0] : shown;
  if (!isRecord(item)) return new Map();
  return new Map(
    outerIds.flatMap(({ parameter, ...member }) => {
      const value = shownId(item, member);
      const id = typeof value === 'string' ? idInText(value, member) : value;
      return id === undefined ? [] : [[parameter, id] as const];
    }),
  );
}

/** What may show the names around an item: the item, and the address of a created one. */
interface Shown {
  readonly item: unknown;
  readonly location?: string | null | undefined;
}

/**
 * The parameters of an item's path beside its id, by name, as a response shows them: by members of the item, and by a URL
 * in it or in `Location` that matches the path and ends with the id: all of its parameters belong together.
 */
export function namesAround(
  id: Id,
  { item, location }: Shown,
  resource: Pick<Resource, 'outerIds' | 'name' | 'parameter'>,
): Map<string, Id> {
  const { name, parameter } = resource;
  const found = outerIdsOf(item, resource);
  if (name.split('{').length < 3) return found;
  for (const text of [location, ...addressesIn(item, 0)]) {
    const values = text === null || text === undefined ? undefined : matchEnd(text, name);
    if (values?.get(parameter) !== String(id)) continue;
    values.delete(parameter);
    return new Map([...found, ...values]);
  }
  return found;
}

/** How deep in an item its addresses are looked for. */
const MAX_DEPTH = 2;

/** The texts of an item that look like URLs or absolute paths. */
function addressesIn(value: unknown, depth: number): string[] {
  if (typeof value === 'string') return /^(?:https?:\/\/|\/)[^\s]*$/.test(value) ? [value] : [];
  if (depth > MAX_DEPTH || typeof value !== 'object' || value === null) return [];
  return Object.values(value).flatMap((inner) => addressesIn(inner, depth + 1));
}

function guessIds(item: Readonly<Record<string, unknown>>, parameter: string): Id[] {
  const wanted = foldName(parameter);
  const inner = Object.values(item).filter(isRecord);
  const only = inner.length === 1 ? inner : [];
  const loose = wanted.endsWith('id') ? ['id'] : ['id', `${wanted}id`];
  const found = [
    namedMember(item, wanted),
    ...inner.map((member) => namedMember(member, wanted)),
    ...loose.map((name) => namedMember(item, name)),
    ...only.flatMap((member) => loose.map((name) => namedMember(member, name))),
    ...['uuid', 'guid', 'key', 'name'].map((name) => namedMember(item, name)),
  ];
  return [...new Set(found.filter((id) => id !== undefined))];
}

/**
 * An id as shown, and as a number if it may be one elsewhere: some items show as text what paths take as an integer.
 */
export function idReadings(id: Id): Id[] {
  return typeof id === 'string' && /^(?:0|[1-9]\d{0,14})$/.test(id) ? [id, Number(id)] : [id];
}

function namedMember(item: Readonly<Record<string, unknown>>, wanted: string): Id | undefined {
  return toId(Object.entries(item).find(([name]) => foldName(name) === wanted)?.[1]);
}

function toId(value: unknown): Id | undefined {
  if (typeof value === 'string' && value !== '') return value;
  // An integer beyond the precision of a double is identified by its digits.
  if (typeof value === 'bigint') return String(value);
  return typeof value === 'number' ? value : undefined;
}

/** A response to a creation. */
export interface CreationResponse {
  readonly headers: { get(name: string): string | null };
  readonly json?: unknown;
}

/**
 * Candidates for the id of a created item: `Location` leads to the item, so it comes first, then the member where the
 * spec shows the id.
 */
export function createdIds(response: CreationResponse, source: Exclude<IdSource, string>): Id[] {
  const { parameter, read, createdId } = source;
  const path = pathOf(response.headers.get('location'));
  const exact = path === undefined || read === undefined ? undefined : matchEnd(path, read.path)?.get(parameter);
  const last = path?.split('/').at(-1);
  // The response may be a list with only the created item.
  const { json } = response;
  const created: unknown = Array.isArray(json) && json.length === 1 ? json[0] : json;
  const shown = createdId === undefined ? undefined : toId(valueAtPath(json, createdId.path));
  const ids = [exact, shown, ...idsOf(created, source), last].filter((id) => id !== undefined);
  return [...new Set(ids)].filter((id) => id !== '');
}

/** The parameters of a template in a URL or path whose end matches it, by name; `undefined` if it does not match. */
export function matchEnd(location: string, template: string): Map<string, string> | undefined {
  const wanted = template.split('/').filter((part) => part !== '');
  const parts = (pathOf(location) ?? '').split('/').filter((part) => part !== '');
  const offset = parts.length - wanted.length;
  if (offset < 0) return undefined;
  const found = new Map<string, string>();
  for (const [index, part] of wanted.entries()) {
    const actual = parts[index + offset] ?? '';
    const name = /^\{([^{}]+)\}$/.exec(part)?.[1];
    const value = name === undefined ? undefined : decode(actual);
    if (name !== undefined && value !== undefined) found.set(name, value);
    else if (!part.includes('{') && part !== actual) return undefined;
  }
  return found;
}

function decode(text: string): string | undefined {
  try {
    return decodeURIComponent(text);
  } catch {
    return undefined;
  }
}

function pathOf(location: string | null): string | undefined {
  return location?.replace(/^[a-z][a-z0-9+.-]*:\/\/[^/?#]*/i, '').split(/[?#]/, 1)[0];
}
