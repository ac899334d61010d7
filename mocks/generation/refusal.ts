import { cutPage, HttpError, omitMembers, type ResourceHooks, type Violation } from 'specmill/mock';

import type { ErrorStatus } from '../../generated/generation/types.js';

interface Reason {
  /** Default: 400. */
  readonly status?: 400 | 401 | 404 | 409 | 500 | 503;
  /** Default: the canonical code of the status. */
  readonly code?: ErrorStatus;
  readonly violations?: readonly Violation[];
}

/** An error for a request that the model, a file, a setting or the state does not allow. */
export function refuse(message: string, { status = 400, code, violations = [] }: Reason = {}): HttpError {
  return new HttpError(status, message, {
    details: { ...(code === undefined ? {} : { status: code }), ...(violations.length > 0 ? { violations } : {}) },
  });
}

export function notFound(what: string): HttpError {
  return refuse(`${what} was not found.`, { status: 404 });
}

/** The rules that all resources of the service share: they start empty, and their lists leave out empty members. */
export function describeResource(
  what: string,
  page: Pick<NonNullable<ResourceHooks<object>['page']>, 'defaultSize' | 'maxSize' | 'order'>,
): Pick<ResourceHooks<object>, 'examples' | 'refuse' | 'page'> {
  return {
    examples: [],
    refuse: ({ reason, id }) =>
      reason === 'page' ? refuse('The page token is not valid.') : notFound(`${what}/${id}`),
    page: { ...page, show: (list) => omitMembers(list, (name) => isEmptyList(list[name])) },
  };
}

function isEmptyList(value: unknown): boolean {
  return Array.isArray(value) && value.length === 0;
}

/** A member of the body breaks a rule that no schema can express. */
export function refuseMember(pointer: string, name: string, problem: string): HttpError {
  return refuse(`${name} ${problem}.`, { violations: [{ in: 'body', pointer, message: problem }] });
}

/** Milliseconds. */
export const SECOND = 1_000;
export const MINUTE: number = 60 * SECOND;
export const HOUR: number = 60 * MINUTE;

/** Seconds with the suffix `s`, such as `3.5s`, in milliseconds. */
export function fromDuration(duration: string): number {
  return Math.round(Number(duration.slice(0, -1)) * SECOND);
}

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
 * @throws HttpError if the token is not valid.
 */
export function readPage<Item>(
  items: readonly Item[],
  request: PageRequest,
  rankOf: (item: Item) => number,
): { readonly page: readonly Item[]; readonly nextPageToken: string | undefined } {
  const { pageSize = 0, pageToken, kind, byDefault, atMost } = request;
  const size = pageSize === 0 ? byDefault : Math.min(pageSize, atMost);
  const page = cutPage(items, { size, token: pageToken, list: kind, keyOf: rankOf });
  if (page === undefined) throw refuse('The page token is not valid.');
  return { page: page.items, nextPageToken: page.nextToken };
}
