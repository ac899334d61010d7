import type { Api } from '../model/api.js';
import { isRecord } from '../model/document/records.js';
import type { Schema } from '../model/schema-types.js';
import { hasNumber, isObjectSchema, keywordOf, membersOf, typesOf } from '../schema/facts/members.js';
import { holdingParts } from '../schema/facts/parts.js';
import { pageWordsOf } from './page-words.js';

/** What a member of a page says about the list. */
export type PageRole =
  | 'next'
  | 'previous'
  /** Whether there are more pages, or earlier ones; whether this is the last page, or the first one. */
  | 'more'
  | 'earlier'
  | 'is last'
  | 'is first'
  /** The number of items of the list, on this page, and of pages. */
  | 'total'
  | 'count'
  | 'page count'
  /** What was asked for. */
  | 'size'
  | 'offset'
  | 'page'
  /** Links. */
  | 'self'
  | 'first'
  | 'last';

/** The headers with the number of items of a list. */
export const TOTAL_HEADERS: readonly string[] = [
  'x-total-count',
  'x-total',
  'total-count',
  'x-pagination-total',
  'x-total-items',
];

export interface PageMember {
  readonly role: PageRole;
  /** Names from the body down to the member. */
  readonly path: readonly string[];
  readonly form: 'text' | 'link' | 'number' | 'boolean';
  /** The words of its name and of the objects around it. */
  readonly words: string;
}

/** A member whose name and kind are known. */
interface Shape {
  readonly name: string;
  readonly form: PageMember['form'] | 'unknown';
}

const LINK_GROUP = /\blink\b/;

/** Whether an object around members, such as `meta.pagination`, is about paging by its name. */
function isPageGroup(name: string, nouns: ReadonlySet<string>): boolean {
  return pageWordsOf(name, nouns) !== undefined;
}

/**
 * Reads what a member says about a list.
 *
 * @param path - names of the objects around it. Below a name that has nothing to do with paging, only a member whose
 *   own name is clear counts.
 */
function readPageMember(
  { name, form }: Shape,
  path: readonly string[],
  nouns: ReadonlySet<string>,
): PageMember | undefined {
  const own = pageWordsOf(name, nouns);
  if (own === undefined) return undefined;
  const outer = path.map((part) => pageWordsOf(part, nouns));
  const around = outer.slice(outer.lastIndexOf(undefined) + 1).join(' ');
  const words = `${around} ${own}`.trim().replaceAll(/ +/g, ' ');
  const isOdataCount = isCountOfOdata(name.toLowerCase());
  const role = isOdataCount && form === 'number' ? 'total' : roleOf({ own, around, words, form });
  if (role === undefined) return undefined;
  if (outer.includes(undefined) && !isClear(role, own)) return undefined;
  const isLink = form === 'link' || (form !== 'number' && form !== 'boolean' && LINK_GROUP.test(words));
  return { role, path: [...path, name], form: isLink ? 'link' : form === 'unknown' ? 'text' : form, words };
}

/** Whether a name says `odata` and later `count`, such as `@odata.count` and `odata_total_count`. */
function isCountOfOdata(name: string): boolean {
  const start = name.indexOf('odata');
  return start !== -1 && name.includes('count', start);
}

function isClear(role: PageRole, own: string): boolean {
  return role === 'more' || ((role === 'next' || role === 'previous') && own.includes(' '));
}

interface Words {
  readonly own: string;
  readonly around: string;
  readonly words: string;
  readonly form: Shape['form'];
}

function roleOf(named: Words): PageRole | undefined {
  const { own, form } = named;
  if (form === 'boolean') return flagOf(own);
  if (form === 'number') return numberRoleOf(named);
  return textRoleOf(named);
}

function flagOf(own: string): PageRole | undefined {
  if (/\bprevious\b/.test(own)) return 'earlier';
  if (/\b(?:more|truncated)\b|^(?:has|is) next\b|^next(?: page)?$/.test(own)) return 'more';
  if (/^(?:is )?last(?: page)?$/.test(own)) return 'is last';
  return /^(?:is )?first(?: page)?$/.test(own) ? 'is first' : undefined;
}

function numberRoleOf({ own, around, words }: Words): PageRole | undefined {
  if (/\btotal pages?\b|\bpages? total\b|^pages$|\bpage count\b|\bnumber (?:page|pages)$|^last page$/.test(own))
    return 'page count';
  if (/\btotal\b/.test(own) || own === 'item count') return 'total';
  if (/^(?:page |max )*(?:limit|size|take)$|\bper page$/.test(own)) return 'size';
  if (/^(?:item )?count$|^number item$/.test(own)) return 'count';
  if (/\b(?:next|after)\b|\b(?:cursor|continue)$|^last(?: item)? id$/.test(words)) return 'next';
  if (/\b(?:previous|before)\b|^first(?: item)? id$/.test(words)) return 'previous';
  if (/^(?:page |current )?(?:offset|skip)$|^start(?: index)?$/.test(own)) return 'offset';
  if (/^(?:current )?page(?: number| index)?$|^current$/.test(own)) return 'page';
  return own === 'number' && /\bpage\b/.test(around) ? 'page' : undefined;
}

/** Words of a text that leads on without the word `next`. */
const ON =
  /(?:^| )(?:cursor|after|continue|marker|skip token|page token|last(?: item)? id|last key|scroll id|token|offset|end(?: item)? id)$/;

function textRoleOf({ own, around, words, form }: Words): PageRole | undefined {
  const isLink = form === 'link' || LINK_GROUP.test(words);
  if (/\b(?:next)\b/.test(words)) return /\b(?:previous|total|count|size|self)\b/.test(own) ? undefined : 'next';
  if (/\b(?:previous|before)\b/.test(words)) return 'previous';
  if (/\b(?:start|first)(?: item)? (?:cursor|id|key|token)$/.test(own)) return 'previous';
  if (isLink && /^(?:self|current)(?: page| link)*$/.test(own)) return 'self';
  if (isLink && /^first(?: page| link)*$/.test(own)) return 'first';
  if (isLink && /^last(?: page| link)*$/.test(own)) return 'last';
  if (/^link$/.test(own) && / ?(self|first|last)$/.test(around))
    return around.endsWith('self') ? 'self' : around.endsWith('first') ? 'first' : 'last';
  return ON.test(own) ? 'next' : undefined;
}

/** How deep members of a page are looked for below the body. */
const MAX_DEPTH = 4;

/** A member of a page, and an object around others, as the spec describes them. */
export interface PageNode {
  readonly path: readonly string[];
  readonly schema: Schema;
  readonly isRequired: boolean;
  readonly isGroup: boolean;
  /** The other page that the objects around it describe: without that page, it is absent. */
  readonly within?: 'next' | 'previous';
  /** Absent for objects, and for members with a constant. */
  readonly member?: PageMember;
  /** The only value that the spec allows. */
  readonly constant?: { readonly value: unknown };
}

interface Reading {
  readonly api: Api;
  readonly nouns: ReadonlySet<string>;
  /** Where the items are. */
  readonly itemsPath: readonly string[];
}

/** An object of a page, and those around it. */
interface PageObject {
  readonly path: readonly string[];
  readonly around: readonly Schema[];
}

const BODY: PageObject = { path: [], around: [] };

/** The members of a page other than its items, outermost first. */
export function readPageNodes(schema: Schema, reading: Reading, { path, around }: PageObject = BODY): PageNode[] {
  const { api, nouns, itemsPath } = reading;
  const target = holdingParts(schema, api).find(({ $ref }) => $ref === undefined) ?? schema;
  // Nothing below an object that contains itself is about paging; a metaschema would have thousands of members.
  if (path.length >= MAX_DEPTH || around.includes(target)) return [];
  return [...membersOf(schema, api).values()].flatMap((member): PageNode[] => {
    const place = [...path, member.name];
    const isGroup = isObjectSchema(member.schema, api);
    const within = otherPageIn(isGroup ? place : path, nouns);
    const { schema: own, isRequired } = member;
    const node = { path: place, schema: own, isRequired, isGroup, ...(within === undefined ? {} : { within }) };
    const isAround = place.every((name, index) => itemsPath[index] === name);
    if (isAround && place.length === itemsPath.length) return [];
    if (isGroup) {
      const inner = readPageNodes(member.schema, reading, { path: place, around: [...around, target] });
      const isKnown = isAround || isPageGroup(member.name, nouns) || inner.some((one) => one.member !== undefined);
      return isKnown ? [node, ...inner] : [];
    }
    const constant = constantOf(member.name, member.schema, api);
    const isKnown = path.every((name, index) => itemsPath[index] === name || isPageGroup(name, nouns));
    if (constant !== undefined) return isKnown ? [{ ...node, constant }] : [];
    const form = formOf(member.schema, api);
    const named = path.slice(isPrefix(itemsPath.slice(0, -1), path) ? itemsPath.length - 1 : 0);
    const read = form === undefined ? undefined : readPageMember({ name: member.name, form }, named, nouns);
    return read === undefined ? [] : [{ ...node, member: { ...read, path: place } }];
  });
}

function otherPageIn(path: readonly string[], nouns: ReadonlySet<string>): 'next' | 'previous' | undefined {
  const words = new Set(path.map((name) => pageWordsOf(name, nouns)));
  if (words.has('next')) return 'next';
  return words.has('previous') ? 'previous' : undefined;
}

function isPrefix(start: readonly string[], path: readonly string[]): boolean {
  return start.every((name, index) => path[index] === name);
}

function constantOf(name: string, schema: Schema, api: Api): { readonly value: unknown } | undefined {
  const choices = keywordOf(schema, 'enum', api);
  const value =
    keywordOf(schema, 'const', api) ??
    (choices?.length === 1 ? choices[0] : undefined) ??
    (/^kind$/i.test(name) ? keywordOf(schema, 'default', api) : undefined);
  return value === undefined ? undefined : { value };
}

function formOf(schema: Schema, api: Api): Shape['form'] | undefined {
  const types = typesOf(schema, api);
  if (types.has('boolean')) return 'boolean';
  if (hasNumber(types)) return 'number';
  if (!types.has('string') && types.size > 0) return undefined;
  const example = keywordOf(schema, 'examples', api)?.[0];
  const isUri = keywordOf(schema, 'format', api)?.startsWith('uri') === true;
  if (isUri || (typeof example === 'string' && isAddress(example))) return 'link';
  return types.size === 0 ? 'unknown' : 'text';
}

/** Whether a text is a URL or a path with a query. */
function isAddress(text: string): boolean {
  return /^(?:https?:\/\/|[/?])/.test(text);
}

/** The members of a body that was received, for a response that the spec does not describe. */
export function pageMembersIn(
  body: unknown,
  nouns: ReadonlySet<string> = new Set(),
  path: readonly string[] = [],
): PageMember[] {
  if (!isRecord(body) || path.length >= MAX_DEPTH) return [];
  return Object.entries(body).flatMap(([name, value]): PageMember[] => {
    if (isRecord(value)) return pageMembersIn(value, nouns, [...path, name]);
    const form = formOfValue(value);
    const member = form === undefined ? undefined : readPageMember({ name, form }, path, nouns);
    return member === undefined ? [] : [member];
  });
}

function formOfValue(value: unknown): Shape['form'] | undefined {
  if (typeof value === 'string') return isAddress(value) ? 'link' : 'text';
  if (typeof value === 'number' || typeof value === 'bigint') return 'number';
  if (typeof value === 'boolean') return 'boolean';
  return value === null ? 'unknown' : undefined;
}
