import type { HandlerResponse } from '../handler-api.js';
import { readHeader } from '../../http/messages.js';
import { makeEtag, matchesEtag, quoteEtag } from '../entity-tags.js';
import { foldName } from '../../resources/inflection.js';
import { documents, takesParameter } from '../../resources/success-response.js';
import type { Item } from './json-path.js';
import { refuseCall, refuseUnknown } from './refusals.js';
import { type Scope, keyOfCall } from './request-context.js';

const NOT_MODIFIED: number = 304;

/** Makes an entity tag for the member of an item; a write that changes nothing else changes it too. */
export function uniqueEtag(random: Scope['call']['random']): string {
  return Buffer.from(random.bytes(16)).toString('base64');
}

/** Returns the entity tag of an item without quotes: its own member, or else a hash of its content. */
export function etagOf(item: Item): string {
  const name = Object.keys(item).find((member) => foldName(member) === 'etag');
  const own = name === undefined ? undefined : item[name];
  return typeof own === 'string' ? own.replaceAll(/^(W\/)?"|"$/g, '') : makeEtag(item);
}

/** Refuses a write if `If-Match` does not name the current state of the item. */
export function checkIfMatch(scope: Scope, known: Item | undefined): HandlerResponse | undefined {
  const { call } = scope;
  // Returns early, because an entity tag hashes the whole item and few requests need one.
  if (readHeader(call.request, 'if-match') === undefined) return undefined;
  if (!takesParameter(call.operation, 'header', 'if-match')) return undefined;
  const isNamed = matchesEtag(call.request, 'if-match', known === undefined ? '' : etagOf(known));
  if (isNamed === undefined) return undefined;
  if (known === undefined) return refuseUnknown(scope);
  if (isNamed || !documents(call.operation, 412)) return undefined;
  return refuseCall(scope, {
    reason: 'changed',
    id: keyOfCall(scope),
    status: 412,
    message: 'The item has changed: its entity tag is not the one that If-Match names.',
  });
}

/** Responds 304 if the client has the current state. */
export function checkIfNoneMatch({ call }: Scope, item: Item): HandlerResponse | undefined {
  if (readHeader(call.request, 'if-none-match') === undefined || !documents(call.operation, 304)) return undefined;
  const etag = etagOf(item);
  return matchesEtag(call.request, 'if-none-match', etag) === true
    ? call.respond(NOT_MODIFIED, undefined, { etag: quoteEtag(etag) })
    : undefined;
}
