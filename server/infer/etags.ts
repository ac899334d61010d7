import { createHash } from 'node:crypto';

import type { HeaderMap } from '../../http/messages.js';
import type { HandlerResponse } from '../handler-api.js';
import type { Item } from './json-path.js';
import { foldName } from '../../resources/inflection.js';
import type { Scope } from './request-context.js';
import { documents, takesParameter } from '../../resources/success-response.js';

const NOT_MODIFIED: number = 304;

/** The entity tag of an item: its own member, else a hash of what it holds. Without quotes. */
export function etagOf(item: Item): string {
  const name = Object.keys(item).find((member) => foldName(member) === 'etag');
  const own = name === undefined ? undefined : item[name];
  if (typeof own === 'string') return own.replaceAll(/^(W\/)?"|"$/g, '');
  return createHash('sha256').update(JSON.stringify(item)).digest('base64url').slice(0, 22);
}

/** The entity tag as headers carry it. */
export function quoteEtag(etag: string): string {
  return `"${etag}"`;
}

/** Whether a header such as `If-Match` names an entity tag, with or without its quotes. */
function namesEtag(header: string, etag: string): boolean {
  const tags = new Set(header.split(',').map((tag) => tag.trim().replaceAll(/^(W\/)?"|"$/g, '')));
  return tags.has('*') || tags.has(etag);
}

/** Refuses a write that was made for another state of the item than the present one. */
export function checkIfMatch({ call }: Scope, known: Item | undefined): HandlerResponse | undefined {
  const header = headerOf(call.request.headers, 'if-match');
  if (header === undefined || !takesParameter(call.operation, 'header', 'if-match')) return undefined;
  if (known === undefined) return call.refuse(404, 'There is nothing that If-Match could name.');
  if (namesEtag(header, etagOf(known)) || !documents(call.operation, 412)) return undefined;
  return call.refuse(412, 'The item has changed: its entity tag is not the one that If-Match names.');
}

/** 304 for a reader that holds the present state. */
export function checkIfNoneMatch({ call }: Scope, item: Item): HandlerResponse | undefined {
  const header = headerOf(call.request.headers, 'if-none-match');
  if (header === undefined || !documents(call.operation, 304)) return undefined;
  const etag = etagOf(item);
  return namesEtag(header, etag) ? call.respond(NOT_MODIFIED, undefined, { etag: quoteEtag(etag) }) : undefined;
}

function headerOf(headers: HeaderMap, name: string): string | undefined {
  const value = headers[name];
  return typeof value === 'object' ? value.join(', ') : value;
}
