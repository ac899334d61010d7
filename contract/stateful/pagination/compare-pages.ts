import type { Parameter } from '../../../model/api.js';
import { toPointer } from '../../../model/document/pointer.js';
import { listPathOf } from '../../../resources/envelope.js';
import { successSchema } from '../../../resources/success-response.js';
import { membersOf, typesOf } from '../../../schema/facts/members.js';
import { idOf } from '../../../resources/extract-id.js';
import type { ContractRun } from '../../execute/contract-run.js';
import { type ListPlace, type Value, bodyAt } from '../../expectations/assertion.js';
import { findListPlace } from '../../expectations/lists.js';
import type { Call, Exchange } from '../../types.js';
import { checkPageLinks } from './check-links.js';
import { nextLinkPlace, readMore } from './links.js';
import { type Paging, type Walk, tokenMember, walkPages } from './walk.js';
import { stringifyExactJson } from '../../../runtime/json-integers.js';

export interface Comparison {
  readonly call: Call;
  readonly paging: Paging;
  /** The parameter for the size of a page. */
  readonly sizeParameter: Parameter;
  /** All items on one page. */
  readonly whole: Walk;
  /** The most items of a page. */
  readonly largest: number;
  /** The name of the id parameter. */
  readonly parameter: string;
  /** The calls that created some of the items. */
  readonly others: readonly Exchange[];
}

/**
 * Reports pages of a size that are too large, repeat or lack items, or do not end. Returns whether they are correct.
 */
export async function comparePages(run: ContractRun, size: number, comparison: Comparison): Promise<boolean> {
  const { call, paging, whole, largest, parameter } = comparison;
  const small = await walkPages(run, call, { paging, pageSize: size });
  if (small === undefined) return false;
  const path = listPathOf(call.operation, run.options.api);
  const list = findListPlace(regularPages(small, paging, size), parameter, path);
  const pages: Pages = { ...comparison, run, size, small, list, key: keyBy(parameter) };
  const isSized = expectSmall(pages);
  const isOnce = expectOnce(pages);
  const isComparable = small.isWhole && whole.isWhole && whole.items.length < largest;
  if (isComparable && !expectSameItems(pages)) return false;
  if (!expectEnd(pages) || !isComparable) return false;
  if (paging.style !== 'link')
    await checkPageLinks(run, call, { ...pages, whole: whole.last, size: comparison.sizeParameter, pageSize: size });
  return isSized && isOnce;
}

interface Pages extends Comparison {
  readonly run: ContractRun;
  readonly size: number;
  readonly small: Walk;
  readonly list: ListPlace;
  readonly key: (item: unknown) => string;
}

function keyBy(parameter: string): (item: unknown) => string {
  return (item) => String(idOf(item, parameter) ?? stringifyExactJson(item));
}

function expectSmall({ run, small, size, list, sizeParameter, others }: Pages): boolean {
  const large = small.exchanges[small.pages.findIndex((page) => page.length > size)];
  const pages = large === undefined ? list.pages : [large];
  return run.findings.expect(
    'paging adds up',
    { expects: 'page size', list: { ...list, pages }, most: size },
    { cause: 'size', message: `A page is larger than ${sizeParameter.name} asks for.`, others },
  );
}

function expectOnce({ run, small, whole, list, key, others }: Pages): boolean {
  const all = whole.items.map(key);
  if (new Set(all).size < all.length) return true;
  if (!small.isWhole && !repeatsPage(small)) return true;
  // The first page that repeats an item.
  const again = small.pages.findIndex((_, index) => {
    const until = small.pages.slice(0, index + 1).flatMap((page) => page.map(key));
    return new Set(until).size < until.length;
  });
  if (again === -1) return true;
  return run.findings.expect(
    'paging adds up',
    { expects: 'each once', list: { ...list, pages: small.exchanges.slice(0, again + 1) } },
    { cause: 'twice', message: 'An item is on more than one page.', others },
  );
}

function expectSameItems({ run, small, whole, size, list, key, paging, others }: Pages): boolean {
  const [keys, all] = [small.items.map(key), whole.items.map(key)];
  const missing = all.find((one) => !keys.includes(one)) ?? keys.find((one) => !all.includes(one));
  if (missing === undefined) return true;
  return run.findings.expect(
    'paging adds up',
    { expects: 'same items', list, whole: whole.last, size, ...nextOf(paging, small) },
    {
      cause: 'missing',
      message: 'Small pages together do not have the items of a large one.',
      expected: `${all.length} items, ${missing} among them`,
      actual: `${keys.length} items`,
      at: small.last,
      others,
    },
  );
}

/** Expects that a page that is not full has no token of a next page, if that page is empty. */
function expectEnd(pages: Pages): boolean {
  const { run, small, size, paging, others } = pages;
  const [last, end] = small.pages.slice(-2);
  const shown = small.exchanges.at(-2);
  if (paging.style !== 'token' || shown === undefined || last === undefined) return true;
  const path = tokenMember(shown, paging.next)?.path;
  if (path === undefined || end?.length !== 0 || last.length >= size || !mayLack(pages, path)) return true;
  const name = path.join('.');
  return run.findings.expect(
    'paging adds up',
    { expects: 'empty', value: bodyAt(shown, toPointer(path)) },
    {
      cause: 'end',
      message: `A page that is not full has ${name}, but the next page is empty.`,
      expected: `no ${name}`,
      actual: `${last.length} items, and a next page`,
      others: [...small.exchanges.slice(0, -2), ...others],
    },
  );
}

/** Whether the spec allows a page without a member: a token that is always present has no meaning. */
function mayLack({ call, run: { options } }: Pages, path: readonly string[]): boolean {
  let schema = successSchema(call.operation);
  for (const name of path) {
    const member = membersOf(schema, options.api).get(name);
    if (member?.isRequired !== true || typesOf(member.schema, options.api).has('null')) return true;
    schema = member.schema;
  }
  return false;
}

/** Whether a walk that does not end goes in a circle. */
function repeatsPage({ pages }: Walk): boolean {
  const texts = pages.filter((page) => page.length > 0).map((page) => stringifyExactJson(page));
  return new Set(texts).size < texts.length;
}

/** Pages up to the first short one; with page tokens, all pages. With other items, later pages would differ. */
function regularPages({ pages, exchanges }: Walk, { style }: Paging, size: number): readonly Exchange[] {
  const short = pages.findIndex((page) => page.length < size);
  return style === 'token' || short === -1 ? exchanges : exchanges.slice(0, short + 1);
}

/** Where the last page would lead to a next one. */
function nextOf(paging: Paging, { exchanges, last }: Walk): { readonly next?: Value } {
  if (paging.style === 'link') return { next: { from: 'next link', exchange: last } };
  const more = paging.style === 'after' ? readMore(last)?.path : undefined;
  if (more !== undefined) return { next: bodyAt(last, toPointer(more)) };
  if (paging.style !== 'token') return {};
  const path = exchanges.map((one) => tokenMember(one, paging.next)?.path).find((one) => one !== undefined);
  if (path !== undefined) return { next: bodyAt(last, toPointer(path)) };
  const place = exchanges.map(nextLinkPlace).find((one) => one !== undefined);
  return place === undefined ? {} : { next: bodyAt(last, place) };
}
