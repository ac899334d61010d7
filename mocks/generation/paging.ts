import { refuse } from './refusal.js';

export interface PageRequest {
  /** 0 or unset: the default. */
  readonly pageSize?: number | undefined;
  readonly pageToken?: string | undefined;
  /** Tokens of one listing are no tokens of another. */
  readonly kind: string;
  readonly byDefault: number;
  /** A larger size is lowered to it. */
  readonly atMost: number;
}

/**
 * One page of items that are sorted by a number. What is deleted meanwhile moves nothing.
 *
 * @throws HttpError where the token is not valid.
 */
export function readPage<Item>(
  items: readonly Item[],
  request: PageRequest,
  rankOf: (item: Item) => number,
): { readonly page: readonly Item[]; readonly nextPageToken: string | undefined } {
  const { pageSize = 0, pageToken = '', kind, byDefault, atMost } = request;
  const after = pageToken === '' ? -Infinity : readToken(pageToken, kind);
  const rest = items.filter((item) => rankOf(item) > after);
  const page = rest.slice(0, pageSize === 0 ? byDefault : Math.min(pageSize, atMost));
  const last = page.at(-1);
  const hasMore = last !== undefined && rest.length > page.length;
  return { page, nextPageToken: hasMore ? Buffer.from(`${kind}/${rankOf(last)}`).toString('base64url') : undefined };
}

function readToken(token: string, kind: string): number {
  const rank = new RegExp(`^${kind}/(-?\\d+)$`).exec(Buffer.from(token, 'base64url').toString())?.[1];
  if (rank === undefined) throw refuse('The page token is not valid.');
  return Number(rank);
}
