import type { Parameter } from '../../../model/api.js';
import { escapeRegExp } from '../../../model/glob.js';
import { credentialPlaces } from '../../execute/http/made-up-credentials.js';
import type { ContractRun } from '../../execute/contract-run.js';
import { findListPlace } from '../../expectations/lists.js';
import { type Assertion, type ListPlace, countOf, headerOf, literalOf } from '../../expectations/assertion.js';
import type { Call, Exchange } from '../../types.js';
import { linkTo, nextLink } from '../../expectations/next-link.js';
import { listPathOf, listedItems } from '../../../resources/envelope.js';
import { followLink } from './links.js';
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

/** Checks that `Link` headers, if pages have them as well, lead to the same items, and that the last page has some. */
export async function checkPageLinks(run: ContractRun, call: Call, pages: Linked): Promise<void> {
  await checkNextLinks(run, call, pages);
  await checkLastLink(run, call, pages);
}

/** Checks that the link to the last page (`rel="last"`) does not lead behind it. */
async function checkLastLink(run: ContractRun, call: Call, { small, parameter, others }: Linked): Promise<void> {
  const [first] = small.exchanges;
  const link = first === undefined ? undefined : linkTo(first, 'last');
  if (first === undefined || link === undefined || small.items.length === 0) return;
  const following = followLink(run, call, { exchange: first, link });
  // A printed test takes the link from the first page, unless a credential has to be added to it.
  const takesKeys = credentialPlaces(run.options.api).query.size > 0;
  const asked = following === undefined || takesKeys ? following : { ...following, address: link.href };
  const last = asked === undefined ? undefined : await run.client.sendValid(asked);
  if (last?.status !== 200 || listedItems(call.operation, last.json, run.options.api)?.length !== 0) return;
  const list = findListPlace([last], parameter, listPathOf(call.operation, run.options.api));
  run.findings.expect(
    'paging adds up',
    { expects: 'at least', left: countOf(list), right: literalOf(1) },
    {
      cause: 'last link',
      message: 'The link to the last page (rel="last") leads to a page without items.',
      expected: 'at least one item',
      others: [first, ...others],
    },
  );
}

async function checkNextLinks(run: ContractRun, call: Call, pages: Linked): Promise<void> {
  const { small, whole, size, pageSize, parameter, key, others } = pages;
  const [first] = small.exchanges;
  if (first === undefined || nextLink(first) === undefined) return;
  const linked = await walkPages(run, call, { paging: { style: 'link', size }, pageSize });
  if (linked === undefined) return;
  const [wanted, found] = [small.items.map(key), linked.items.map(key)];
  const isCircle = !linked.isWhole && found.length > wanted.length && new Set(found).size < found.length;
  if (!isCircle && !linked.isWhole) return;
  const list = findListPlace(linked.exchanges, parameter);
  const assertion: Assertion = isCircle
    ? leadsOn(linked, { key, count: wanted.length, list })
    : { expects: 'same items', list, whole, size: pageSize, next: { from: 'next link', exchange: linked.last } };
  run.findings.expect('paging adds up', assertion, {
    cause: 'links',
    message: 'The links to the next page (rel="next") lead to other items than the pages themselves.',
    expected: `${wanted.length} items`,
    actual: `${found.length} items${isCircle ? ', and no end' : ''}`,
    others,
  });
}

interface Circle {
  readonly key: (item: unknown) => string;
  /** The number of items of the list. */
  readonly count: number;
  readonly list: ListPlace;
}

/** The assertion on the page where links start to go in a circle: it leads back, or should be the last one. */
function leadsOn({ pages, exchanges }: Walk, { key, count, list }: Circle): Assertion {
  const addresses = exchanges.map(({ request }) => queryOf(new URL(request.url)));
  const seen = new Set<string>();
  for (const [index, exchange] of exchanges.entries()) {
    for (const item of pages[index] ?? []) seen.add(key(item));
    if (index === exchanges.length - 1) break;
    const next = nextLink(exchange);
    const value = headerOf(exchange, 'link');
    if (seen.size >= count) return { expects: 'matches not', value, pattern: String.raw`rel="?next\b` };
    const isBack = next !== undefined && addresses.slice(0, index + 1).includes(queryOf(next));
    if (isBack)
      return {
        expects: 'matches not',
        value,
        pattern: `${escapeRegExp(next.search)}>[^,<]*${String.raw`rel="?next\b`}`,
      };
  }
  return { expects: 'each once', list };
}

function queryOf({ searchParams }: URL): string {
  const sorted = new URLSearchParams(searchParams);
  sorted.sort();
  return sorted.toString();
}
