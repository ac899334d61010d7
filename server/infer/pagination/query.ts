import type { Api } from '../../../model/api.js';
import { isRecord } from '../../../model/document/records.js';
import { type Item, textOrEmpty } from '../json-path.js';
import { valueAtPath } from '../../../model/document/pointer.js';
import type { Filter, ListParameters } from '../../../resources/list-parameters.js';
import { type ItemMember, type ListParameter, membersByFoldedName } from '../../../resources/list-inputs.js';
import { foldName } from '../../../resources/inflection.js';
import type { Schema } from '../../../model/schema-types.js';
import { getOrInsert } from '../../../model/maps.js';
import { keywordOf, typesOf } from '../../../schema/facts/members.js';
import { toMemberPath } from '../../stores/member-path.js';
import { OWN_TOKEN } from './page-links.js';
import type { Scope } from '../request-context.js';

export interface ListRequest {
  /** Identifies the list: page tokens of another list are not valid. */
  readonly list: string;
  readonly query: Item;
  /** The token of a link that the mock wrote with a parameter of its own. */
  readonly own: string | undefined;
  readonly api: Api;
  /** The page sizes from hooks. */
  readonly sizes?: { readonly defaultSize?: number; readonly maxSize?: number };
}

export function listRequestOf({ input, call, hooks, name }: Scope): ListRequest {
  const sizes = hooks?.page;
  return {
    list: name,
    query: input.query,
    own: ownToken(call),
    api: call.api,
    ...(sizes === undefined ? {} : { sizes }),
  };
}

/** The token of a link with a parameter of the mock's own. */
export function ownToken({ request: { target } }: Pick<Scope['call'], 'request'>): string | undefined {
  if (!target.includes(`${OWN_TOKEN}=`)) return undefined;
  return new URLSearchParams(target.split('?')[1] ?? '').get(OWN_TOKEN) ?? undefined;
}

/** Returns the value of a parameter, or its default. */
export function askedFor({ query, api }: ListRequest, parameter: ListParameter | undefined): unknown {
  if (parameter === undefined) return undefined;
  return valueAtPath(query, parameter.path) ?? keywordOf(parameter.schema, 'default', api);
}

/** The test of the filters that a request has; `undefined` if it has none. */
export function createFilter(
  request: ListRequest,
  { filters, text }: ListParameters,
): ((item: unknown) => boolean) | undefined {
  const tests = filters.flatMap((filter) => createTest(request, filter) ?? []);
  const words = askedFor(request, text);
  if (typeof words === 'string' && words.trim() !== '')
    tests.push((item) => containsText(item, words.trim().toLowerCase()));
  return tests.length === 0 ? undefined : (item) => tests.every((test) => test(item));
}

function createTest(
  request: ListRequest,
  { parameter, member, test, isExclusive = false }: Filter,
): ((item: unknown) => boolean) | undefined {
  const wanted = askedFor(request, parameter);
  const isSent = valueAtPath(request.query, parameter.path) !== undefined;
  if (wanted === undefined || wanted === '' || isEverything(wanted, member, request)) return undefined;
  const values = (Array.isArray(wanted) ? wanted : splitList(wanted, member, request)).map((value) =>
    comparable(value),
  );
  if (values.length === 0) return undefined;
  return (item) => {
    const shown = valueAtPath(item, member.path);
    // The default of a parameter says nothing about items without the member.
    if (shown === undefined && !isSent) return true;
    const candidates = scalarsOf(shown).map((value) => comparable(value));
    return candidates.some((candidate) =>
      values.some((value) => !(isExclusive && candidate === value) && compare(candidate, value, test)),
    );
  };
}

/** Whether a value such as `state=all` matches every item, because `all` is not a state itself. */
function isEverything(wanted: unknown, { schema }: ItemMember, { api }: ListRequest): boolean {
  if (typeof wanted !== 'string' || !/^(all|any|\*)$/i.test(wanted)) return false;
  return !(keywordOf(schema, 'enum', api)?.includes(wanted) ?? false);
}

/** Splits a text such as `labels=bug,ui` if the member is a list. */
function splitList(wanted: unknown, { schema }: ItemMember, { api }: ListRequest): unknown[] {
  return typeof wanted === 'string' && typesOf(schema, api).has('array') ? wanted.split(',') : [wanted];
}

/** Returns the scalars of a member: itself, its items, or the scalars of an object (a tag by its name). */
function scalarsOf(value: unknown): unknown[] {
  if (Array.isArray(value)) return value.flatMap(scalarsOf);
  return isRecord(value) ? Object.values(value).filter((inner) => typeof inner !== 'object') : [value];
}

/** Makes a value comparable: times as moments, numbers as numbers, everything else as text, ignoring case. */
function comparable(value: unknown): string | number {
  if (typeof value === 'number') return value;
  const text = textOrEmpty(value);
  if (/^-?\d+(\.\d+)?$/.test(text) && text.length < 16) return Number(text);
  const moment = /^\d{4}-\d\d-\d\d([T ]|$)/.test(text) ? Date.parse(text) : Number.NaN;
  return Number.isNaN(moment) ? text.toLowerCase() : moment;
}

function compare(candidate: string | number, value: string | number, test: Filter['test']): boolean {
  if (test === 'equals') return candidate === value;
  if (typeof candidate !== typeof value) return false;
  return test === 'from' ? candidate >= value : candidate <= value;
}

function containsText(value: unknown, words: string): boolean {
  if (typeof value === 'string') return value.toLowerCase().includes(words);
  return (
    isRecord(value) &&
    Object.values(value).some(
      (member) => (isRecord(member) || typeof member === 'string') && containsText(member, words),
    )
  );
}

/** Reads the requested order: `-name`, `name desc`, `name:desc,id`, or a member and a direction parameter. */
export function readOrder(
  scope: Scope,
  { sort, direction }: ListParameters,
): { readonly path: string; readonly descending: boolean }[] {
  const asked = askedFor(listRequestOf(scope), sort);
  const fields = Array.isArray(asked) ? asked.map(textOrEmpty) : textOrEmpty(asked).split(',');
  const isDescending = /^desc/i.test(textOrEmpty(askedFor(listRequestOf(scope), direction)));
  return fields.flatMap((field) => {
    const [, minus = '', text = ''] = /^([-+]?)([^]*)$/.exec(field.trim()) ?? [];
    const ending = /(?<![\s:])[\s:]+(asc|desc)\w*$/i.exec(text);
    const name = ending === null ? text : text.slice(0, ending.index);
    const way = ending?.[1];
    const member = findMember(name, scope);
    if (member === undefined) return [];
    return [
      {
        path: toMemberPath(...member),
        descending: way === undefined ? minus === '-' || isDescending : /desc/i.test(way),
      },
    ];
  });
}

/** Finds a member by name; `created` also finds `created_at`. */
function findMember(name: string, { core, call }: Scope): readonly string[] | undefined {
  const members = sortMembersOf(core.schema, call.api);
  if (members.size === 0) return name === '' ? undefined : [name];
  const wanted = foldName(name);
  if (wanted === '') return undefined;
  const timed = [...members].find(([folded]) => folded.replace(/(at|on|date|time)$/, '') === wanted);
  return members.get(wanted)?.path ?? timed?.[1].path;
}

const known = new WeakMap<object, ReadonlyMap<string, ItemMember>>();

function sortMembersOf(schema: Schema, api: Api): ReadonlyMap<string, ItemMember> {
  return typeof schema === 'object' ? getOrInsert(known, schema, () => membersByFoldedName(schema, api)) : new Map();
}
