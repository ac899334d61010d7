import { parseExactJson, stringifyExactJson } from '../runtime/json-integers.js';
import { compareValues } from './stores/predicates.js';

/** Writes the token of the page after a key. `list` identifies the list: a path or a name. */
export function writeToken(list: string, key: unknown): string {
  return Buffer.from(stringifyExactJson([list, key])).toString('base64url');
}

/** Returns the content of a token; `undefined` if it is not a token of this list. */
export function readToken(token: string, list: string): { readonly key: unknown } | undefined {
  try {
    const parsed: unknown = parseExactJson(Buffer.from(token, 'base64url').toString());
    if (!Array.isArray(parsed) || parsed.length !== 2 || parsed[0] !== list) return undefined;
    const key: unknown = parsed[1];
    return writeToken(list, key) === token ? { key } : undefined;
  } catch {
    return undefined;
  }
}

export interface PageRequest<Item, Key> {
  /** The most items on a page. */
  readonly size: number;
  /** The token of the page. Absent or empty: the first page. */
  readonly token?: string | undefined;
  /** The list that tokens belong to, such as its path: a token of another list is not valid. */
  readonly list: string;
  /** The sort key, unique for each item. It is part of the token. */
  readonly keyOf: (item: Item) => Key;
  /** The order of the items by their keys. Default: ascending. */
  readonly compare?: (one: Key, other: Key) => number;
}

export interface Page<Item> {
  readonly items: readonly Item[];
  /** `undefined` on the last page. */
  readonly nextToken: string | undefined;
}

/**
 * Cuts one page out of sorted items. A token holds the key of the previous page's last item, so pages do not shift when
 * items are added or deleted in between. Returns `undefined` if the token is not from this list.
 */
export function cutPage<Item, Key>(items: readonly Item[], request: PageRequest<Item, Key>): Page<Item> | undefined {
  const { size, token = '', list, keyOf, compare = compareValues } = request;
  const after = token === '' ? undefined : readToken(token, list);
  if (token !== '' && after === undefined) return undefined;
  // Tokens are written here with a key of `keyOf`.
  const rest = after === undefined ? items : items.filter((item) => compare(keyOf(item), after.key as Key) > 0);
  const page = rest.slice(0, size);
  const last = page.at(-1);
  const hasMore = last !== undefined && rest.length > page.length;
  return { items: page, nextToken: hasMore ? writeToken(list, keyOf(last)) : undefined };
}
