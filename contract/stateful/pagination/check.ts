import { listPathOf } from '../../../resources/envelope.js';
import type { Operation } from '../../../model/api.js';
import { type ProblemText, problem } from '../../checks/problem.js';
import type { ContractRun } from '../../execute/contract-run.js';
import type { Assertion } from '../../reproduction/assertion.js';
import { toPointer } from '../../../model/document/pointer.js';
import { findListPlace } from '../../reproduction/evaluate-assertion.js';
import { idOf } from '../../../resources/extract-id.js';
import type { Exchange } from '../../types.js';
import { widestList } from './request.js';
import { checkPageLinks } from './check-links.js';
import { readMore } from './links.js';
import { type Paging, type Walk, findPaging, walkPages } from './walk.js';

const PAGE_SIZE = 2;

/**
 * Page sizes are obeyed, no item comes twice, none is missing.
 *
 * @param others - the creations of some items.
 */
export async function checkPaging(run: ContractRun, operation: Operation, others: readonly Exchange[]): Promise<void> {
  const paging = findPaging(operation, run.options.api);
  if (paging?.size === undefined || !allowsSize(paging.size.schema)) return;
  const resource = run.context.pool.resources.find(({ list }) => list === operation);
  const call = await widestList(run, operation);
  if (call === undefined) return;
  // In one page, so that what is wrong with steps does not show here as well.
  const largest = largestSize(paging.size.schema);
  const whole = await walkPages(run, call, { paging: { ...paging, isSingle: true }, pageSize: largest });
  const small = await walkPages(run, call, { paging, pageSize: PAGE_SIZE });
  if (whole === undefined || small === undefined) return;
  const report = (text: ProblemText, exchange: Exchange, claim: Assertion): void =>
    run.report(problem('paging adds up', text), { call, phase: 'stateful', claim, others }, exchange);
  const list = findListPlace(
    regularPages(small, paging),
    resource?.parameter ?? 'id',
    listPathOf(operation, run.options.api),
  );
  const large = small.pages.findIndex((page) => page.length > PAGE_SIZE);
  const [tooLarge, shown] = [small.pages[large], small.exchanges[large]];
  if (tooLarge !== undefined && shown !== undefined)
    report(
      {
        cause: 'size',
        message: `A page is larger than ${paging.size.name} asks for.`,
        expected: `at most ${PAGE_SIZE} items`,
        actual: `${tooLarge.length} items`,
      },
      shown,
      { expects: 'page size', list: { ...list, pages: [shown] }, most: PAGE_SIZE },
    );
  const key = (item: unknown): string => String(idOf(item, resource?.parameter ?? 'id') ?? JSON.stringify(item));
  const [keys, all] = [small.items.map(key), whole.items.map(key)];
  const twice = small.isWhole
    ? keys.find((one, index) => keys.indexOf(one) !== index)
    : findRepeated(small.pages.map((page) => page.map(key)));
  // The first page that has an item of those before it, or one twice.
  const again = small.pages.findIndex((_, index) => {
    const until = small.pages
      .slice(0, index + 1)
      .flat()
      .map(key);
    return new Set(until).size < until.length;
  });
  if (twice !== undefined && new Set(all).size === all.length)
    report(
      { cause: 'twice', message: 'An item is on more than one page.', expected: 'each item once', actual: twice },
      small.exchanges[again] ?? small.last,
      { expects: 'each once', list: { ...list, pages: list.pages.slice(0, again + 1) } },
    );
  if (!small.isWhole || !whole.isWhole || whole.items.length >= largest) return;
  const missing = all.find((one) => !keys.includes(one)) ?? keys.find((one) => !all.includes(one));
  if (missing === undefined && paging.style !== 'link')
    await checkPageLinks(run, call, {
      ...{ small, whole: whole.last, size: paging.size, pageSize: PAGE_SIZE },
      ...{ parameter: resource?.parameter ?? 'id', key, others },
    });
  if (missing !== undefined)
    report(
      {
        cause: 'missing',
        message: 'Small pages together do not have the items of large ones.',
        expected: `${all.length} items, ${missing} among them`,
        actual: `${keys.length} items`,
      },
      small.last,
      { expects: 'same items', list, whole: whole.last, size: PAGE_SIZE, ...nextOf(paging, small.last) },
    );
}

/** An item of a page that has come before: a walk without an end may go in a circle. */
function findRepeated(pages: readonly (readonly string[])[]): string | undefined {
  const texts = pages.map((page) => JSON.stringify(page));
  return pages.find((page, index) => page.length > 0 && texts.indexOf(texts[index] ?? '') !== index)?.[0];
}

/** Where each step is made of what came before, those up to the first page that is too short: with other items, others follow. */
function regularPages({ pages, exchanges }: Walk, { style }: Paging): readonly Exchange[] {
  const short = pages.findIndex((page) => page.length < PAGE_SIZE);
  return style === 'token' || short === -1 ? exchanges : exchanges.slice(0, short + 1);
}

/** Where a page names the next one, as far as the spec says it. */
function nextOf(paging: Paging, last: Exchange): { readonly nextAt?: string } {
  const more = paging.style === 'after' ? readMore(last)?.path : undefined;
  if (more !== undefined) return { nextAt: toPointer(more) };
  return paging.style === 'link' || paging.next === undefined ? {} : { nextAt: `/${paging.next}` };
}

function largestSize(schema: Operation['parameters'][number]['schema']): number {
  return Math.min(typeof schema === 'object' ? (schema.maximum ?? 100) : 100, 1_000);
}

function allowsSize(schema: Operation['parameters'][number]['schema']): boolean {
  return (
    typeof schema !== 'object' || ((schema.minimum ?? 0) <= PAGE_SIZE && (schema.maximum ?? Infinity) >= PAGE_SIZE)
  );
}
