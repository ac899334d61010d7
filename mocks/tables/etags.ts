import { createHash } from 'node:crypto';

import type { HandlerContext, HeaderMap, MockRequest } from 'specmill/mock';

import type { TableRecord } from './table-record.js';
import { refuse } from './table-refusal.js';

/** A new entity tag. */
export function newEtag({ random }: Pick<HandlerContext, 'random'>): string {
  return Buffer.from(random.bytes(16)).toString('base64');
}

/** Always the same entity tag for the same content. */
export function hashEtag(content: unknown): string {
  return createHash('sha256').update(JSON.stringify(content)).digest().subarray(0, 16).toString('base64');
}

export function etagHeader({ etag }: Pick<TableRecord, 'etag'>): HeaderMap {
  return { etag: `"${etag}"` };
}

/** Whether a header names an entity tag: with or without quotes, several with commas between, or `*`. */
function names(header: string, etag: string): boolean {
  const tags = new Set(header.split(',').map((tag) => tag.trim().replaceAll(/^(?:W\/)?"|"$/g, '')));
  return tags.has('*') || tags.has(etag);
}

/** @throws HttpError 412 where `If-Match` names another state of the table. */
export function checkIfMatch({ headers }: Pick<MockRequest, 'headers'>, { etag }: TableRecord): void {
  const header = [headers['if-match']].flat().join(', ');
  if (header === '' || names(header, etag)) return;
  const details = { reason: 'conditionNotMet', location: 'If-Match', locationType: 'header' } as const;
  throw refuse('Precondition check failed.', { status: 412, ...details });
}

/** Whether the caller has the table as it is. */
export function isUnchanged({ headers }: Pick<MockRequest, 'headers'>, { etag }: TableRecord): boolean {
  const header = [headers['if-none-match']].flat().join(', ');
  return header !== '' && names(header, etag);
}
