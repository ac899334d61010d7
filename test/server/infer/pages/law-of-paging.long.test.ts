import { describe, expect, it } from 'vitest';

import { type Names, type ReadPage, readPages, startWords } from './paged-lists.js';

/** Parameters and members whose names go together, and where the member is. */
const TOKENS: readonly (readonly [parameter: string, pointer: string])[] = [
  ...[
    'cursor',
    'page_token',
    'pageToken',
    'after',
    'start_cursor',
    'starting_after',
    'marker',
    'continuationToken',
  ].flatMap((parameter) =>
    ['/next_cursor', '/meta/nextPageToken', '/next'].map((pointer) => [parameter, pointer] as const),
  ),
  ['starting_after', '/pages/next/starting_after'],
  ['starting_after', '/starting_after'],
  ['starting_after', '/last_id'],
  ['after', '/last_id'],
  ['after', '/paging/cursors/after'],
  ['after', '/page_info/end_cursor'],
  ['after_id', '/last_id'],
  ['last_word_id', '/next_word_id'],
  ['exclusiveStartKey', '/lastEvaluatedKey'],
  ['startKey', '/nextKey'],
  ['marker', '/nextMarker'],
  ['$skiptoken', '/@odata.nextLink'],
  ['page[after]', '/links/next'],
  ['page[cursor]', '/meta/page/nextCursor'],
  ['scroll_id', '/_scroll_id'],
  ['token', '/nextToken'],
  ['offset', '/offset'],
  ['next', '/response_metadata/pagination/next'],
  ['bookmark', '/bookmark'],
  ['continue', '/metadata/continue'],
  ['from_key', '/next_from_key'],
  ['page', '/nextPage'],
  ['resumeToken', '/resumeToken'],
  ['search_after', '/next_search_after'],
  ['cursor', '/words_meta/next_cursor'],
];

const SIZES = ['limit', 'per_page', '$top', 'maxResults', 'page[size]', 'first'];

const SHAPES: readonly Names[] = [
  ...TOKENS.map(([step, next], index): Names => {
    const isLink = /links?(?:\/|$)|nextLink$/.test(next);
    const names = { size: SIZES[index % SIZES.length] ?? 'limit', step, next } as const;
    const more = index % 3 === 0 ? {} : { more: index % 2 === 0 ? '/has_more' : '/meta/hasNextPage' };
    return { ...names, ...more, total: '/total', style: isLink ? 'link' : 'token' };
  }),
  { size: 'limit', step: 'offset', style: 'offset', more: '/has_more', total: '/total_count' },
  { size: 'take', step: 'skip', style: 'offset', next: '/next', total: '/count' },
  { size: 'maxResults', step: 'startAt', style: 'offset', more: '/page/hasMore', total: '/page/totalElements' },
  { size: 'per_page', step: 'page', style: 'page', next: '/next_page', total: '/total' },
  { size: 'pageSize', step: 'pageNumber', style: 'page', more: '/has_next', total: '/meta/pagination/total' },
  { size: 'limit', step: 'starting_after', style: 'after', more: '/has_more' },
  { size: 'limit', step: 'after', style: 'after', more: '/has_more', total: '/total' },
  { size: 'limit', step: 'since_id', style: 'after', total: '/total' },
  { size: 'limit', step: '', style: 'link', next: '/links/next', total: '/meta/total' },
  { size: 'limit', step: '', style: 'link', next: '/_links/next/href', more: '/has_more' },
  { size: 'per_page', step: 'page', style: 'link', next: 'Link', total: '/total' },
  { size: 'limit', step: 'cursor', style: 'link', next: 'Link', total: '/total' },
];

const COUNTS = [0, 1, 2, 5];
const PAGE_SIZES = [1, 2, 5];

function named({ step, next = '-', style }: Names): string {
  return `${step || 'no parameter'} and ${next} (${style})`;
}

/** The pages that break the law: one sentence for each. */
async function findBreaches(shape: Parameters<typeof startWords>[0]): Promise<string[]> {
  const found: string[] = [];
  for (const count of COUNTS) {
    const { fetch } = await startWords(shape, count);
    const all = (await readIds(fetch, {})).toSorted();
    if (all.join() !== Array.from({ length: count }, (_, index) => `w${index}`).join())
      found.push(`${count} items: ${all.join()}`);
    for (const size of PAGE_SIZES)
      for (const query of [{}, { sort: '-word' }, { rank: '1' }]) {
        const pages = await readPages(fetch, shape, { ...query, [shape.size]: String(size) });
        const wanted = await readIds(fetch, query);
        const breaches = breachesOf(shape, pages, { wanted, size });
        found.push(...breaches.map((one) => `${count} items by ${size} ${JSON.stringify(query)}: ${one}`));
      }
  }
  return found;
}

function breachesOf(
  { more, total, style }: Names,
  pages: readonly ReadPage[],
  { wanted, size }: { readonly wanted: readonly string[]; readonly size: number },
): string[] {
  const ids = pages.flatMap((page) => page.ids);
  const shown = pages.filter((page) => page.ids.length > 0 || wanted.length === 0);
  const ofPages = shown.flatMap((page, index) => {
    const isLast = index === shown.length - 1;
    const count = isLast ? wanted.length - index * size : size;
    return [
      ...(page.ids.length === count ? [] : [`page ${index} has ${page.ids.length} items`]),
      ...(more === undefined || page.more === !isLast ? [] : [`${more} of page ${index} is ${String(page.more)}`]),
      ...(total === undefined || page.total === wanted.length ? [] : [`${total} is ${String(page.total)}`]),
    ];
  });
  const next = pages.at(-1)?.next ?? undefined;
  return [
    ...(ids.join() === wanted.join() ? [] : [`${ids.join()} instead of ${wanted.join()}`]),
    ...ofPages,
    ...(style === 'token' && next !== undefined ? [`the last page leads on`] : []),
  ];
}

async function readIds(fetch: Parameters<typeof readPages>[0], query: Record<string, string>): Promise<string[]> {
  const response = await fetch(`/words?${new URLSearchParams(query).toString()}`);
  const { words } = (await response.json()) as { readonly words: readonly { readonly id: string }[] };
  return words.map(({ id }) => id);
}

describe('the pages of a list add up to it, each item once, with', () => {
  it.each(SHAPES.map((shape) => [named(shape), shape] as const))('%s', async (_, shape) => {
    expect(await findBreaches(shape)).toEqual([]);
  });
});
