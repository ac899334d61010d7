import type { Api } from '../../../model/api.js';
import { isRecord } from '../../../model/document/records.js';
import type { Schema } from '../../../model/schema-types.js';
import type { Lead, ListPages } from '../../../resources/paging.js';
import type { PageMember, PageNode } from '../../../resources/page-members.js';
import { isValidValue } from '../../../schema/compile-validator.js';
import { hasNumber, typesOf } from '../../../schema/facts/members.js';
import { takeAt } from '../../../schema/value-path.js';
import { type Item, withValueAt } from '../json-path.js';
import type { ListPage } from './list-page.js';

interface Filling {
  readonly pages: ListPages;
  readonly api: Api;
}

/** Returns the envelope of a page: the members of the response other than its items. */
export function fillEnvelope(page: ListPage, { pages, api }: Filling): Item {
  let envelope: Item = {};
  for (const node of pages.nodes) {
    const { path, isGroup, within, constant } = node;
    if (isGroup || (within !== undefined && !has(within, page))) continue;
    const value = constant === undefined ? valueOf(node, { page, pages, api }) : constant.value;
    if (value !== undefined) envelope = withValueAt(envelope, path, value);
  }
  return withGroups(envelope, pages, api);
}

/** Adds required objects that have no members. */
function withGroups(envelope: Item, { nodes }: ListPages, api: Api): Item {
  let filled = envelope;
  for (const { path, schema, isRequired, isGroup } of nodes) {
    const isMissing = isRequired && isGroup && takeAt(filled, path) === undefined;
    if (isMissing && isRecord(takeAt(filled, path.slice(0, -1))))
      filled = withValueAt(filled, path, typesOf(schema, api).has('null') ? null : {});
  }
  return filled;
}

interface FilledPage extends Filling {
  readonly page: ListPage;
}

function valueOf(node: PageNode, filled: FilledPage): unknown {
  const { page, pages } = filled;
  const { role, words } = node.member ?? {};
  switch (role) {
    case undefined:
      return undefined;
    case 'more':
      return pages.paging !== undefined && saysMore(words ?? '', page);
    case 'earlier':
      return has('previous', page);
    case 'is last':
      return pages.paging === undefined || !has('next', page);
    case 'is first':
      return !has('previous', page);
    case 'next':
    case 'previous':
      return leadTo(role, node, filled);
    case 'self':
    case 'first':
    case 'last':
      return page.linkTo(role) ?? noneOf(node, filled.api);
    default:
      return numberFor(role, page, pages);
  }
}

/** Whether there are more pages in the direction that was asked for. */
function saysMore(words: string, page: ListPage): boolean {
  return has(page.window.isBackward && !words.includes('next') ? 'previous' : 'next', page);
}

/** Whether there is another page on that side. */
function has(side: 'next' | 'previous', { window: { skip }, count, total }: ListPage): boolean {
  return side === 'previous' ? skip > 0 : skip + count < total;
}

function pageNumber({ window: { page, take, skip, firstPage } }: ListPage): number {
  if (page !== undefined) return page;
  return isCut(take) ? Math.floor(skip / take) + firstPage : firstPage;
}

function isCut(take: number): boolean {
  return Number.isFinite(take) && take > 0;
}

function numberFor(role: PageMember['role'], page: ListPage, { nodes }: ListPages): number | undefined {
  const { total, window, count } = page;
  const { take, skip } = window;
  if (role === 'total') return total;
  if (role === 'count') return nodes.some(({ member }) => member?.role === 'total') ? count : total;
  if (role === 'size') return Number.isFinite(take) ? take : count;
  if (role === 'offset') return skip;
  if (role === 'page') return pageNumber(page);
  if (role === 'page count') return isCut(take) ? Math.ceil(total / take) : 1;
  return undefined;
}

/** What leads to the page on one side: a URL, a number or a token, whatever a parameter of the operation takes. */
function leadTo(side: 'next' | 'previous', node: PageNode, { page, pages, api }: FilledPage): unknown {
  const lead = pages.leads.get(node);
  const isThere = lead !== undefined && has(side, page) && page.count > 0;
  const value = isThere ? toLead(side, lead, page) : undefined;
  if (value !== undefined) return inForm(node.schema, value, api);
  const none = noneOf(node, api);
  if (none !== undefined || !node.isRequired || lead === undefined) return none;
  // It must be there, so it leads to a page without items.
  const end =
    lead === 'link'
      ? page.linkTo(side === 'next' ? 'end' : 'first')
      : lead === 'place'
        ? page.beyond[side]
        : toLead(side, lead, page);
  return end === undefined ? undefined : inForm(node.schema, end, api);
}

function toLead(side: 'next' | 'previous', lead: Lead, page: ListPage): string | undefined {
  const { window, count } = page;
  const isNext = side === 'next';
  if (lead === 'link') return page.linkTo(isNext ? 'next' : 'prev');
  if (lead === 'place') return isNext ? page.nextPlace : page.previousPlace;
  if (lead === 'page') return String(pageNumber(page) + (isNext ? 1 : -1));
  return String(isNext ? window.skip + count : Math.max(0, window.skip - window.take));
}

/** What says that there is no such page, if the member must be there: `null` or an empty text. */
function noneOf({ schema, isRequired }: PageNode, api: Api): unknown {
  if (typesOf(schema, api).has('null')) return null;
  return isRequired && isValidValue('', schema, api) ? '' : undefined;
}

function inForm(schema: Schema, text: string, api: Api): unknown {
  const types = typesOf(schema, api);
  return hasNumber(types) && !types.has('string') && /^-?\d+$/.test(text) ? Number(text) : text;
}
