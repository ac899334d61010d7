import type { Parameter } from '../../../model/api.js';
import { problem } from '../../checks/problem.js';
import type { ContractRun } from '../../execute/contract-run.js';
import { findListPlace } from '../../expectations/lists.js';
import { type Assertion, headerOf } from '../../expectations/assertion.js';
import type { Call, Exchange } from '../../types.js';
import { nextLink } from './links.js';
import { type Walk, walkPages } from './walk.js';

export interface Linked {
  /** Small pages, walked by the paging parameter. */
  readonly small: Walk;
  /** All items on one page. */
  readonly whole: Exchange;
  readonly size: Parameter;
  readonly pageSize: number;
  readonly parameter: string;
  readonly key: (item: unknown) => string;
  readonly others: readonly Exchange[];
}

/** Checks that `Link` headers, if pages have them as well, lead to the same items. */
export async function checkPageLinks(run: ContractRun, call: Call, pages: Linked): Promise<void> {
  const { small, whole, size, pageSize, parameter, key, others } = pages;
  const [first] = small.exchanges;
  if (first === undefined || nextLink(first) === undefined) return;
  const linked = await walkPages(run, call, { paging: { style: 'link', size }, pageSize });
  if (linked === undefined) return;
  const [wanted, found] = [small.items.map(key), linked.items.map(key)];
  const isCircle = !linked.isWhole && found.length > wanted.length && new Set(found).size < found.length;
  const isOther = linked.isWhole && JSON.stringify([...wanted].sort()) !== JSON.stringify([...found].sort());
  if (!isCircle && !isOther) return;
  const list = findListPlace(linked.exchanges, parameter);
  const last = isCircle ? findLastPage(linked, { key, count: wanted.length }) : undefined;
  const assertion: Assertion =
    last !== undefined
      ? { expects: 'matches not', value: headerOf(last, 'link'), pattern: 'rel="?next\\b' }
      : isCircle
        ? { expects: 'each once', list }
        : { expects: 'same items', list, whole, size: pageSize };
  run.report(
    problem('paging adds up', {
      cause: 'links',
      message: `The links to the next page (rel="next") lead to other items than the pages themselves.`,
      expected: `${wanted.length} items`,
      actual: `${found.length} items${isCircle ? ', and no end' : ''}`,
    }),
    {
      call,
      phase: 'stateful',
      assertion,
      others,
    },
    last ?? linked.last,
  );
}

/** The page that completes the items: pages after it start again. */
function findLastPage(
  { pages, exchanges }: Walk,
  { key, count }: { readonly key: (item: unknown) => string; readonly count: number },
): Exchange | undefined {
  const seen = new Set<string>();
  const index = pages.findIndex((page) => {
    for (const item of page) seen.add(key(item));
    return seen.size >= count;
  });
  return index === pages.length - 1 ? undefined : exchanges[index];
}
