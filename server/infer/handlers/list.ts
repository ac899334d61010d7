import { isRecord } from '../../../model/document/records.js';
import type { Operation } from '../../../model/api.js';
import type { HandlerResponse } from '../../handler-api.js';
import { quoteEtag } from '../../entity-tags.js';
import { checkIfNoneMatch, etagOf } from '../etags.js';
import { repairValue } from '../../../schema/repair-value.js';
import { pathOf, toAbsolute } from '../item-links.js';
import { type Item, withValueAt, projectItem } from '../json-path.js';
import { valueAtPath } from '../../../model/document/pointer.js';
import { type ListPage, fillEnvelope } from '../pagination/fill-envelope.js';
import { type ListParameters, listParametersOf } from '../../../resources/list-parameters.js';
import { createFilter, listRequestOf, readOrder } from '../pagination/query.js';
import { type PageWindow, beginsBehindItem, encodeToken, readWindow } from '../pagination/window.js';
import { refuseCall } from '../refusals.js';
import { shownInList, shownPage, toJson } from '../item-response.js';
import type { ListEnvelope } from '../../../resources/resource.js';
import { type Scope, presentItem } from '../request-context.js';
import { documents } from '../../../resources/success-response.js';

/** Handles GET of a collection: returns one page, filtered and sorted, in the documented envelope. */
export async function listItems(scope: Scope): Promise<HandlerResponse> {
  const { call, core, part, collection } = scope;
  const envelope = part.list;
  if (envelope === undefined) throw new TypeError(`The list ${call.operation.id} has no envelope.`);
  const parameters = listParametersOf(call.operation, core.schema, call.api);
  const query = { order: orderOf(scope, parameters), ...filterOf(scope, parameters) };
  const request = listRequestOf(scope);
  const ids = beginsBehindItem(request, parameters) ? (await collection.query(query)).items.map(({ id }) => id) : [];
  const found = readWindow(request, parameters, ids);
  const status = found === undefined ? refusalStatus(call.operation) : undefined;
  if (status !== undefined) {
    const message = 'The page token is not one of this list.';
    return refuseCall(scope, { reason: 'page', id: undefined, status, message });
  }
  // If the spec documents no refusal, an unknown token gives an empty page.
  const window = found ?? { skip: ids.length, take: 0, firstPage: 1 };
  const { items: shown, total } = await collection.query({
    ...query,
    skip: window.skip,
    ...(Number.isFinite(window.take) ? { take: window.take } : {}),
  });
  const place: LinkPlace = {
    window,
    total,
    nextToken: tokenBehind(shown, { list: request.list, window, total }),
    count: shown.length,
  };
  const page: ListPage = { ...place, linkTo: createLinks(scope, parameters, place) };
  const body = createBody(scope, envelope, {
    page,
    items: shown.map(({ id, value }) => showItem(scope, envelope, { id, value })),
  });
  return (
    checkIfNoneMatch(scope, { body }) ?? call.respond(part.success.status, toJson(body), listHeaders(scope, page, body))
  );
}

function refusalStatus(operation: Operation): number | undefined {
  const isOpen = operation.responses.every(({ status }) => /^[1-3]/.test(status) || /^(?:default|4xx)$/i.test(status));
  return [400, 422].find((status) => documents(operation, status)) ?? (isOpen ? 422 : undefined);
}

function tokenBehind(
  shown: readonly { readonly id: string }[],
  { list, window, total }: { readonly list: string; readonly window: PageWindow; readonly total: number },
): string | undefined {
  const last = shown.at(-1);
  const skip = window.skip + shown.length;
  return last === undefined || skip >= total ? undefined : encodeToken(list, { id: last.id, skip });
}

/** Returns the order of the request, or else that of the hooks. */
function orderOf(scope: Scope, parameters: ListParameters): ReturnType<typeof readOrder> {
  const asked = readOrder(scope, parameters);
  if (asked.length > 0) return asked;
  return (scope.hooks?.page?.order ?? []).map(({ path, descending = false }) => ({ path, descending }));
}

function filterOf(scope: Scope, parameters: ListParameters): { readonly filter?: (item: unknown) => boolean } {
  const asked = createFilter(scope, parameters);
  if (scope.hooks?.isPresent === undefined) return asked === undefined ? {} : { filter: asked };
  return { filter: (item) => presentItem(item as Item, scope) !== undefined && asked?.(item) !== false };
}

/** Returns an item as the list shows it, repaired if it was stored in another form. */
function showItem(
  scope: Scope,
  list: ListEnvelope,
  { id, value }: { readonly id: string; readonly value: Item },
): unknown {
  const { api } = scope.call;
  return repairValue(api, list.item, projectItem(shownInList(scope, value), list.item, api), id);
}

function createBody(
  scope: Scope,
  { path }: ListEnvelope,
  { page, items }: { readonly page: ListPage; readonly items: readonly unknown[] },
): unknown {
  const { call, part, name } = scope;
  if (path.length === 0 || part.success.schema === undefined) return items;
  const { schema } = part.success;
  const envelope = withValueAt(fillEnvelope(schema, page, { api: call.api, itemsPath: path }), path, items);
  const fitted = repairValue(call.api, schema, envelope, name);
  return shownPage(scope, isRecord(fitted) ? withValueAt(fitted, path, valueAtPath(fitted, path) ?? items) : envelope);
}

interface LinkPlace {
  readonly window: PageWindow;
  readonly total: number;
  readonly count: number;
  readonly nextToken: string | undefined;
}

/** Makes the URLs of other pages: the URL of the call with another page, offset or token. */
function createLinks(
  scope: Scope,
  parameters: ListParameters,
  { window, total, count, nextToken }: LinkPlace,
): ListPage['linkTo'] {
  const { skip, take } = window;
  const last = Number.isFinite(take) && take > 0 ? Math.max(0, Math.ceil(total / take) - 1) * take : 0;
  const targets: Readonly<Record<Parameters<ListPage['linkTo']>[0], number | undefined>> = {
    self: skip,
    first: 0,
    prev: skip > 0 ? Math.max(0, skip - take) : undefined,
    next: skip + count < total && count > 0 ? skip + count : undefined,
    last,
  };
  return (which) => {
    const target = targets[which];
    return target === undefined
      ? undefined
      : linkAt(scope, parameters, {
          target,
          window,
          token: which === 'next' ? nextToken : undefined,
        });
  };
}

function linkAt(
  { call }: Scope,
  parameters: ListParameters,
  {
    target,
    window,
    token,
  }: { readonly target: number; readonly window: PageWindow; readonly token: string | undefined },
): string | undefined {
  const query = new URLSearchParams(call.request.target.split('?')[1] ?? '');
  const { page, offset } = parameters;
  const tokenName = parameters.token?.name;
  if (target === window.skip) return toAbsolute(call, pathOf(call) + toQuery(query));
  if (page !== undefined && Number.isFinite(window.take) && window.take > 0)
    query.set(page.name, String(Math.floor(target / window.take) + window.firstPage));
  else if (offset !== undefined) query.set(offset.name, String(target));
  else if (tokenName !== undefined && token !== undefined) query.set(tokenName, token);
  else if (tokenName !== undefined && target === 0) query.delete(tokenName);
  else return undefined;
  return toAbsolute(call, pathOf(call) + toQuery(query));
}

function toQuery(query: URLSearchParams): string {
  const text = query.toString();
  return text === '' ? '' : `?${text}`;
}

function listHeaders({ part }: Scope, page: ListPage, body: unknown): Record<string, string> {
  const headers: Record<string, string> = {};
  for (const { name } of part.success.headers) {
    const lower = name.toLowerCase();
    if (lower === 'link') {
      const links = (['prev', 'next', 'last', 'first'] as const).flatMap((which) => {
        const link = page.total > page.count ? page.linkTo(which) : undefined;
        return link === undefined ? [] : [`<${link}>; rel="${which}"`];
      });
      if (links.length > 0) headers[lower] = links.join(', ');
    }
    if (/^x-(total|total-count|pagination-total|total-items)$/.test(lower)) headers[lower] = String(page.total);
    if (lower === 'etag') headers[lower] = quoteEtag(etagOf({ body }));
  }
  return headers;
}
