import type { Parameter } from '../../../model/api.js';
import { appendPointer, toPointer } from '../../../model/document/pointer.js';
import { listPathOf } from '../../../resources/envelope.js';
import { successSchema } from '../../../resources/success-response.js';
import { membersOf, typesOf } from '../../../schema/facts/members.js';
import { idOf } from '../../../resources/extract-id.js';
import { type ProblemText, problem } from '../../checks/problem.js';
import type { ContractRun } from '../../execute/contract-run.js';
import type { Assertion, ListPlace } from '../../expectations/assertion.js';
import { findListPlace } from '../../expectations/lists.js';
import { memberPath } from '../../reproduction/member-path.js';
import type { Call, Exchange } from '../../types.js';
import { checkPageLinks } from './check-links.js';
import { readMore } from './links.js';
import { type Paging, type Walk, tokenMember, walkPages } from './walk.js';

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
  const isSized = !reportTooLarge(pages);
  const isOnce = !reportTwice(pages);
  if (reportEmptyEnd(pages) || !small.isWhole || !whole.isWhole || whole.items.length >= largest) return false;
  if (reportMissing(pages)) return false;
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
  return (item) => String(idOf(item, parameter) ?? JSON.stringify(item));
}

function report({ run, call, others }: Pages, text: ProblemText, exchange: Exchange, assertion: Assertion): true {
  run.report(problem('paging adds up', text), { call, phase: 'stateful', assertion, others }, exchange);
  return true;
}

function reportTooLarge(pages: Pages): boolean {
  const { small, size, list, sizeParameter } = pages;
  const large = small.pages.findIndex((page) => page.length > size);
  const [tooLarge, shown] = [small.pages[large], small.exchanges[large]];
  if (tooLarge === undefined || shown === undefined) return false;
  const text = {
    cause: 'size',
    message: `A page is larger than ${sizeParameter.name} asks for.`,
    expected: `at most ${size} items`,
    actual: `${tooLarge.length} items`,
  };
  return report(pages, text, shown, { expects: 'page size', list: { ...list, pages: [shown] }, most: size });
}

function reportTwice(pages: Pages): boolean {
  const { small, whole, list, key } = pages;
  const [keys, all] = [small.items.map(key), whole.items.map(key)];
  const twice = small.isWhole
    ? keys.find((one, index) => keys.indexOf(one) !== index)
    : findRepeated(small.pages.map((page) => page.map(key)));
  if (twice === undefined || new Set(all).size < all.length) return false;
  // The first page that repeats an item.
  const again = small.pages.findIndex((_, index) => {
    const until = small.pages
      .slice(0, index + 1)
      .flat()
      .map(key);
    return new Set(until).size < until.length;
  });
  const text = {
    cause: 'twice',
    message: 'An item is on more than one page.',
    expected: 'each item once',
    actual: twice,
  };
  const assertion = { expects: 'each once', list: { ...list, pages: list.pages.slice(0, again + 1) } } as const;
  return report(pages, text, small.exchanges[again] ?? small.last, assertion);
}

function reportMissing(pages: Pages): boolean {
  const { small, whole, size, list, key, paging } = pages;
  const [keys, all] = [small.items.map(key), whole.items.map(key)];
  const missing = all.find((one) => !keys.includes(one)) ?? keys.find((one) => !all.includes(one));
  if (missing === undefined) return false;
  const text = {
    cause: 'missing',
    message: 'Small pages together do not have the items of large ones.',
    expected: `${all.length} items, ${missing} among them`,
    actual: `${keys.length} items`,
  };
  const assertion = { expects: 'same items', list, whole: whole.last, size, ...nextOf(paging, small.last) } as const;
  return report(pages, text, small.last, assertion);
}

/** Reports a page that is not full, but has a token of a next page, which is empty. */
function reportEmptyEnd(pages: Pages): boolean {
  const { small, size, paging } = pages;
  const [last, end] = small.pages.slice(-2);
  const shown = small.exchanges.at(-2);
  if (paging.style !== 'token' || shown === undefined || last === undefined) return false;
  const [name] = tokenMember(shown, paging.next) ?? [];
  if (name === undefined || end?.length !== 0 || last.length >= size || !mayLack(pages, name)) return false;
  const text = {
    cause: 'end',
    pointer: appendPointer('', name),
    message: `A page that is not full has ${name}, but the next page is empty.`,
    expected: `no ${name}`,
    actual: `${last.length} items, and a next page`,
  };
  const assertion = {
    expects: 'that',
    exchanges: [shown],
    holds: ([page]: readonly Exchange[]) => page !== undefined && !tokenMember(page, paging.next)?.[1],
    code: ([body = '']: readonly string[]) => `!${body}${memberPath(appendPointer('', name), '?')}`,
  } as const;
  return report(pages, text, shown, assertion);
}

/** Whether the spec allows a page without a member: a token that is always present has no meaning. */
function mayLack({ call, run: { options } }: Pages, name: string): boolean {
  const member = membersOf(successSchema(call.operation), options.api).get(name);
  return member?.isRequired !== true || typesOf(member.schema, options.api).has('null');
}

/** An item of a repeated page: an endless walk may go in circles. */
function findRepeated(pages: readonly (readonly string[])[]): string | undefined {
  const texts = pages.map((page) => JSON.stringify(page));
  return pages.find((page, index) => page.length > 0 && texts.indexOf(texts[index] ?? '') !== index)?.[0];
}

/**
 * The pages up to the first one that is too short, unless tokens lead from page to page: with other items, later pages
 * would differ.
 */
function regularPages({ pages, exchanges }: Walk, { style }: Paging, size: number): readonly Exchange[] {
  const short = pages.findIndex((page) => page.length < size);
  return style === 'token' || short === -1 ? exchanges : exchanges.slice(0, short + 1);
}

/** Where a page names the next one, if the spec says so. */
function nextOf(paging: Paging, last: Exchange): { readonly nextAt?: string } {
  const more = paging.style === 'after' ? readMore(last)?.path : undefined;
  if (more !== undefined) return { nextAt: toPointer(more) };
  return paging.style === 'link' || paging.next === undefined ? {} : { nextAt: `/${paging.next}` };
}
