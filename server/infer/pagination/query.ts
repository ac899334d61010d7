import { stringifyExactJson } from '../../../runtime/json-integers.js';
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
import { createMatcher } from '../../stores/predicates.js';
import type { Key, KeyCondition, StoreQuery } from '../../stores/store.js';
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

/** The conditions that the filters of a request set: those that an index of the store may serve, and the others. */
export function conditionsOf(
  request: ListRequest,
  { filters, text }: ListParameters,
): Required<Pick<StoreQuery, 'match'>> & Pick<StoreQuery, 'filter'> {
  const match: KeyCondition[] = [];
  const tests: ((item: unknown) => boolean)[] = [];
  for (const filter of filters) {
    const condition = conditionOf(request, filter);
    if (condition === undefined) continue;
    // The default of a parameter says nothing about items without the member.
    if (condition.test !== 'equals' && !isSent(request, filter)) {
      const test = createMatcher({ match: [condition] });
      tests.push((item) => valueAtPath(item, filter.member.path) === undefined || test(item));
    } else match.push(condition);
  }
  const words = askedFor(request, text);
  if (typeof words === 'string' && words.trim() !== '')
    tests.push((item) => containsText(item, words.trim().toLowerCase()));
  return { match, ...(tests.length === 0 ? {} : { filter: (item) => tests.every((test) => test(item)) }) };
}

/** The test of the filters that a request has; `undefined` if it has none. */
export function createFilter(
  request: ListRequest,
  parameters: ListParameters,
): ((item: unknown) => boolean) | undefined {
  const conditions = conditionsOf(request, parameters);
  return conditions.match.length === 0 ? conditions.filter : createMatcher(conditions);
}

function isSent({ query }: ListRequest, { parameter }: Filter): boolean {
  return valueAtPath(query, parameter.path) !== undefined;
}

function conditionOf(request: ListRequest, filter: Filter): KeyCondition | undefined {
  const { parameter, member, test, isExclusive = false } = filter;
  const wanted = askedFor(request, parameter);
  if (wanted === undefined || wanted === '' || isEverything(wanted, member, request)) return undefined;
  const asked = Array.isArray(wanted) ? wanted : splitList(wanted, member, request);
  const values = [...new Set(asked.map((value) => comparable(value)))];
  if (values.length === 0) return undefined;
  const isByDefault = test === 'equals' && !isSent(request, filter);
  const name = stringifyExactJson(isByDefault ? [member.path, values] : [member.path]);
  const keysOf = (item: unknown): readonly Key[] => {
    const shown = valueAtPath(item, member.path);
    if (shown === undefined && isByDefault) return values;
    return typeof shown === 'object' && shown !== null ? scalarsOf(shown).map(comparable) : [comparable(shown)];
  };
  return { name, keysOf, test, values, isExclusive };
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
function comparable(value: unknown): Key {
  if (typeof value === 'number') return value;
  const text = textOrEmpty(value);
  if (/^-?\d+(\.\d+)?$/.test(text) && text.length < 16) return Number(text);
  const moment = /^\d{4}-\d\d-\d\d([T ]|$)/.test(text) ? Date.parse(text) : Number.NaN;
  return Number.isNaN(moment) ? text.toLowerCase() : moment;
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
