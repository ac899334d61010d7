import { createHash } from 'node:crypto';

import { stringifyExactJson } from '../runtime/json-integers.js';
import { type MockRequest, readHeader } from '../http/messages.js';

/** Makes an entity tag, without quotes. The same JSON value always gives the same tag. */
export function makeEtag(content: unknown): string {
  return createHash('sha256').update(stringifyExactJson(content)).digest('base64url').slice(0, 22);
}

/** Quotes an entity tag for the header `ETag`. */
export function quoteEtag(etag: string): string {
  return `"${etag}"`;
}

/**
 * Whether `If-Match` or `If-None-Match` names an entity tag: with or without quotes, in a list, or as `*`.
 * `undefined` if the header is absent.
 */
export function matchesEtag(
  request: Pick<MockRequest, 'headers'>,
  name: 'if-match' | 'if-none-match',
  etag: string,
): boolean | undefined {
  const header = readHeader(request, name);
  if (header === undefined || header === '') return undefined;
  const tags = new Set(header.split(',').map((tag) => tag.trim().replaceAll(/^(?:W\/)?"|"$/g, '')));
  return tags.has('*') || tags.has(etag);
}
