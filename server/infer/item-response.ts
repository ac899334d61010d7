import { isRecord } from '../../model/document/records.js';
import type { Header } from '../../model/api.js';
import type { Schema } from '../../model/schema-types.js';
import type { HandlerResponse } from '../handler-api.js';
import type { HeaderMap } from '../../http/messages.js';
import { quoteEtag } from '../entity-tags.js';
import { etagOf } from './etags.js';
import { repairValue } from '../../schema/repair-value.js';
import { itemPathOf, toAbsolute } from './item-links.js';
import { toMemberValue } from './item-key.js';
import { type Item, projectItem, withoutMembers, withValueAt } from './json-path.js';
import { schemaAt } from '../../resources/find-id.js';
import type { ItemEnvelope, Success } from '../../resources/resource.js';
import { takesParameter } from '../../resources/success-response.js';
import { itemsOf, keywordOf, membersOf } from '../../schema/facts/members.js';
import type { KeyedItem, Scope } from './request-context.js';
import { BARE, encloseItem, findListEnvelope } from '../../resources/envelope.js';
import { nounOf } from '../../resources/path-template.js';

/** Responds with an item in its documented form. */
export function respondWithItem(
  scope: Scope,
  { key, item }: KeyedItem,
  success: Success = scope.part.success,
): HandlerResponse {
  const headers = itemHeaders(scope, { key, item, documented: success.headers });
  if (success.schema === undefined) {
    // Sends the item if the spec documents no success at all.
    const isSilent = scope.call.operation.responses.every(({ status }) => /^[45]/.test(status));
    return scope.call.respond(
      success.status,
      isSilent && success.status !== 204 ? toJson(shownItem(scope, item)) : undefined,
      headers,
    );
  }
  return scope.call.respond(success.status, toJson(toBody(scope, { key, item, schema: success.schema })), headers);
}

/**
 * Responds to the creation of several items: with all of them, with a result for each, or with the first one if the spec
 * documents one item. Returns `undefined` if it documents something else, which is then made up.
 */
export function respondWithItems(scope: Scope, made: readonly KeyedItem[]): HandlerResponse | undefined {
  const { call, core, part } = scope;
  const { api } = call;
  const { schema, status } = part.success;
  if (schema === undefined) return call.respond(status, undefined);
  if (part.envelope !== undefined) return made[0] === undefined ? undefined : respondWithItem(scope, made[0]);
  const list = findListEnvelope(schema, api, nounOf(core));
  if (list === undefined) return undefined;
  const items = made.map(({ key, item }) =>
    repairValue(api, list.item, projectItem(shownItem(scope, item), list.item, api), key),
  );
  const body = list.path.length === 0 ? items : repairValue(api, schema, withValueAt({}, list.path, items), scope.name);
  return call.respond(status, toJson(body));
}

/** Marks a body as JSON, because an item may look like another kind of body. */
export function toJson(value: unknown): { readonly kind: 'json'; readonly value: unknown } {
  return { kind: 'json', value };
}

function toBody(
  scope: Scope,
  { key, item, schema }: { readonly key: string; readonly item: Item; readonly schema: Schema },
): unknown {
  const { part, call } = scope;
  const envelope = part.envelope ?? BARE;
  const itemSchema = itemSchemaOf(schema, envelope, call.api);
  const shown = withSentBeside(projectItem(shownItem(scope, item), itemSchema, call.api), scope, itemSchema);
  const isBare = envelope.path.length === 0 && !envelope.isList;
  const enclosed = isBare ? shown : encloseItem(envelope, shown);
  const body = repairValue(call.api, schema, enclosed, key);
  const { createdId } = part;
  return createdId === undefined || !isRecord(body)
    ? body
    : withValueAt(body, createdId.path, toMemberValue(createdId, key, call.api));
}

/** Adds the sent members that responses show but the item does not have. They appear only in this response. */
function withSentBeside(item: Item, { core, call, input }: Scope, schema: Schema): Item {
  if (!isRecord(input.body)) return item;
  const [members, shown] = [membersOf(core.schema, call.api), membersOf(schema, call.api)];
  const isOther = (name: string): boolean => members.has(name) || !shown.has(name);
  if (Object.keys(input.body).every(isOther)) return item;
  return { ...withoutMembers(input.body, isOther), ...item };
}

function itemSchemaOf(schema: Schema, { path, isList }: ItemEnvelope, api: Scope['call']['api']): Schema {
  const inner = path.length === 0 ? schema : (schemaAt(schema, path, api) ?? true);
  return isList ? (itemsOf(inner, api) ?? true) : inner;
}

const ETAG_PARAMETERS: readonly string[] = ['if-match', 'if-none-match'];

/** Makes the headers of an item: location, etag, last change. */
function itemHeaders(
  scope: Scope,
  { key, item, documented }: { readonly key: string; readonly item: Item; readonly documented: readonly Header[] },
): HeaderMap | undefined {
  const headers: Record<string, string> = {};
  // Clients that send an etag must be able to get one.
  if (ETAG_PARAMETERS.some((name) => takesParameter(scope.call.operation, 'header', name)))
    headers['etag'] = quoteEtag(etagOf(item));
  for (const header of documented) {
    const name = header.name.toLowerCase();
    if (name === 'etag') headers[name] = quoteEtag(etagOf(item));
    if (name === 'location' || name === 'content-location') headers[name] = locationOf(scope, { key, item, header });
    if (name === 'last-modified') headers[name] = new Date(scope.call.clock.now()).toUTCString();
  }
  return Object.keys(headers).length === 0 ? undefined : headers;
}

function locationOf(
  scope: Scope,
  { key, item, header }: { readonly key: string; readonly item: Item; readonly header: Header },
): string {
  const path = itemPathOf(scope, item, key);
  return keywordOf(header.schema, 'format', scope.call.api) === 'uri' ? toAbsolute(scope.call, path) : path;
}

/** Responds to a deletion with the documented body: nothing, the deleted item, or a confirmation. */
export function respondToDeletion(
  scope: Scope,
  { key, item }: { readonly key: string; readonly item: Item },
): HandlerResponse {
  const { part, call } = scope;
  const { schema, status } = part.success;
  if (schema === undefined) return call.respond(status, undefined);
  const flags = [...membersOf(schema, call.api).keys()].filter((name) =>
    /^(is_?)?(deleted|success|ok|acknowledged)$/i.test(name),
  );
  const envelope = part.envelope ?? BARE;
  const shown = projectItem(shownItem(scope, item), itemSchemaOf(schema, envelope, call.api), call.api);
  const enclosed = encloseItem(envelope, membersOf(schema, call.api).size === 0 ? {} : shown);
  const body = isRecord(enclosed)
    ? { ...enclosed, ...Object.fromEntries(flags.map((name) => [name, true])) }
    : enclosed;
  return call.respond(status, toJson(repairValue(call.api, schema, body, key)));
}

/** Returns the item as the hook `show` shows it. */
function shownItem({ hooks, call }: Scope, item: Item): Item {
  const shown = hooks?.show?.(item, call);
  return isRecord(shown) ? shown : item;
}

/** Returns the item as the hook `page.showItem`, or else `show`, shows it. */
export function shownInList(scope: Scope, item: Item): Item {
  const shown = scope.hooks?.page?.showItem?.(item, scope.call);
  return isRecord(shown) ? shown : shownItem(scope, item);
}

/** Returns the page as the hook `page.show` shows it. */
export function shownPage({ hooks, call }: Scope, page: Item): Item {
  const shown = hooks?.page?.show?.(page, call);
  return isRecord(shown) ? shown : page;
}
