import type { Api } from '../../../model/api.js';
import type { Schema } from '../../../model/schema-types.js';
import { setMember } from '../../../model/document/records.js';
import { foldName } from '../../../resources/inflection.js';
import type { PageWindow } from './window.js';
import {
  hasNumber,
  isObjectSchema,
  keywordOf,
  type Member,
  membersOf,
  typesOf,
} from '../../../schema/facts/members.js';

export interface ListPage {
  readonly total: number;
  readonly window: PageWindow;
  readonly count: number;
  /** The token of the next page; `undefined` on the last page. */
  readonly nextToken: string | undefined;
  /** Returns the URL of another page, if there is one. */
  readonly linkTo: (which: 'self' | 'first' | 'prev' | 'next' | 'last') => string | undefined;
}

/** Returns the envelope of a page: the members of the response other than its items. */
export function fillEnvelope(
  schema: Schema,
  page: ListPage,
  { api, itemsPath, depth = 0 }: { readonly api: Api; readonly itemsPath: readonly string[]; readonly depth?: number },
): Record<string, unknown> {
  const envelope: Record<string, unknown> = {};
  const members = membersOf(schema, api);
  const hasTotal = [...members.keys()].some((name) => TOTALS.has(foldName(name)));
  for (const member of members.values()) {
    const [name, ...inside] = itemsPath;
    if (member.name === name && inside.length === 0) continue;
    const value =
      member.name === name
        ? fillEnvelope(member.schema, page, { api, itemsPath: inside, depth: depth + 1 })
        : envelopeValue(member, page, { api, hasTotal, depth });
    if (value !== undefined) setMember(envelope, member.name, value);
  }
  return envelope;
}

const TOTALS: ReadonlySet<string> = new Set([
  'total',
  'totalcount',
  'totalitems',
  'totalresults',
  'totalsize',
  'totalelements',
  'totalrecords',
  'itemcount',
  'totalhits',
  'totalrows',
]);
const MORE: ReadonlySet<string> = new Set(['hasmore', 'hasnext', 'hasnextpage', 'more', 'truncated', 'istruncated']);
const NEXT_TOKENS: ReadonlySet<string> = new Set([
  'nextpagetoken',
  'nexttoken',
  'nextcursor',
  'cursor',
  'endcursor',
  'continuationtoken',
  'nextpage',
  'next',
  'nextmarker',
  'after',
]);
const NEXT_LINKS: ReadonlySet<string> = new Set([
  'next',
  'nextlink',
  'nexturl',
  'nextpageurl',
  'nextpage',
  'odatanextlink',
  'nexthref',
]);
const SIZES: ReadonlySet<string> = new Set(['limit', 'perpage', 'pagesize', 'size', 'take', 'itemsperpage']);
const OFFSETS: ReadonlySet<string> = new Set(['offset', 'skip', 'startindex']);
const PAGES: ReadonlySet<string> = new Set(['page', 'pagenumber', 'currentpage', 'pageindex', 'number']);
const PAGE_COUNTS: ReadonlySet<string> = new Set(['totalpages', 'pagecount', 'pages', 'lastpage']);
const NESTED: ReadonlySet<string> = new Set([
  'meta',
  'metadata',
  'pagination',
  'paging',
  'page',
  'pageinfo',
  'links',
  'cursors',
  'responsemetadata',
]);

interface EnvelopeContext {
  readonly api: Api;
  readonly hasTotal: boolean;
  readonly depth: number;
}

function envelopeValue(member: Member, page: ListPage, { api, hasTotal, depth }: EnvelopeContext): unknown {
  const { schema, name } = member;
  const folded = foldName(name);
  if (isObjectSchema(schema, api)) {
    if (!NESTED.has(folded) || depth > 1) return undefined;
    const inner = fillEnvelope(schema, page, { api, itemsPath: [], depth: depth + 1 });
    return Object.keys(inner).length > 0 || member.isRequired ? inner : undefined;
  }
  const constant =
    keywordOf(schema, 'const', api) ??
    onlyOne(keywordOf(schema, 'enum', api)) ??
    (folded === 'kind' ? keywordOf(schema, 'default', api) : undefined);
  if (constant !== undefined) return constant;
  const types = typesOf(schema, api);
  if (types.has('boolean')) return MORE.has(folded) ? hasNext(page) : undefined;
  if (hasNumber(types)) return numberFor(folded, page, hasTotal);
  return types.has('string') || types.size === 0 ? textFor(member, page, api) : undefined;
}

function onlyOne(values: readonly unknown[] | undefined): unknown {
  return values?.length === 1 ? values[0] : undefined;
}

function hasNext({ window, count, total }: ListPage): boolean {
  return window.skip + count < total;
}

function numberFor(name: string, { total, window, count }: ListPage, hasTotal: boolean): number | undefined {
  if (TOTALS.has(name)) return total;
  if (name === 'count' || name === 'resultcount') return hasTotal ? count : total;
  if (SIZES.has(name)) return Number.isFinite(window.take) ? window.take : count;
  if (OFFSETS.has(name)) return window.skip;
  if (PAGES.has(name))
    return (
      window.page ??
      (Number.isFinite(window.take) && window.take > 0
        ? Math.floor(window.skip / window.take) + window.firstPage
        : window.firstPage)
    );
  if (PAGE_COUNTS.has(name))
    return Number.isFinite(window.take) && window.take > 0 ? Math.ceil(total / window.take) : 1;
  return undefined;
}

/** Returns a link if the schema or the name asks for one, else a token; `null` or nothing on the last page. */
function textFor({ name, schema }: Member, page: ListPage, api: Api): unknown {
  const folded = foldName(name);
  const isLink = (keywordOf(schema, 'format', api)?.startsWith('uri') ?? false) || /link|url|href/i.test(name);
  const none = typesOf(schema, api).has('null') ? null : undefined;
  if (isLink && NEXT_LINKS.has(folded)) return page.linkTo('next') ?? none;
  const other = isLink ? LINKS.get(folded) : undefined;
  if (other !== undefined) return page.linkTo(other) ?? none;
  if (!NEXT_TOKENS.has(folded)) return undefined;
  return page.nextToken ?? none;
}

const LINKS: ReadonlyMap<string, 'self' | 'first' | 'prev' | 'last'> = new Map([
  ['self', 'self'],
  ['first', 'first'],
  ['prev', 'prev'],
  ['previous', 'prev'],
  ['last', 'last'],
]);
