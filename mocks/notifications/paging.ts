/** One page of items, and the links to the others. */
export interface Page<Item> {
  readonly items: readonly Item[];
  /** The value of `Link`; absent where everything is on one page. */
  readonly link: string | undefined;
}

interface PageRequest {
  readonly page: number;
  readonly perPage: number;
  /** Of this request: absolute, with its query. */
  readonly url: string;
}

/** Cuts out a page. Pages are counted from 1; one beyond the last is empty. */
export function cutPage<Item>(items: readonly Item[], { page, perPage, url }: PageRequest): Page<Item> {
  const last = Math.max(1, Math.ceil(items.length / perPage));
  const start = (page - 1) * perPage;
  const links: readonly (readonly [string, number, boolean])[] = [
    ['first', 1, page > 1],
    ['prev', Math.min(page - 1, last), page > 1],
    ['next', page + 1, page < last],
    ['last', last, page < last],
  ];
  const shown = links.filter(([, , isThere]) => isThere && last > 1);
  const link = shown.map(([name, number]) => `<${withPage(url, number)}>; rel="${name}"`).join(', ');
  return { items: items.slice(start, start + perPage), link: link === '' ? undefined : link };
}

function withPage(url: string, page: number): string {
  const changed = new URL(url);
  changed.searchParams.set('page', String(page));
  return changed.href;
}
