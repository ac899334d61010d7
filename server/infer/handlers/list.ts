import { isRecord } from '../../../model/document/records.js';
import type { Operation } from '../../../model/api.js';
import type { HandlerResponse } from '../../handler-api.js';
import { quoteEtag } from '../../entity-tags.js';
import { checkIfNoneMatch, etagOf } from '../etags.js';
import { repairValue } from '../../../schema/repair-value.js';
import { type Item, withValueAt, projectItem } from '../json-path.js';
import { valueAtPath } from '../../../model/document/pointer.js';
import { TOTAL_HEADERS } from '../../../resources/page-members.js';
import { type ListPages, listPagesOf } from '../../../resources/paging.js';
import { fillEnvelope } from '../pagination/fill-envelope.js';
import type { ListPage } from '../pagination/list-page.js';
import { createPage } from '../pagination/create-page.js';
import { createLinks } from '../pagination/page-links.js';
import type { PlaceMemory, Positions } from '../pagination/place.js';
import { type ListParameters, listParametersOf } from '../../../resources/list-parameters.js';
import { conditionsOf, listRequestOf, readOrder } from '../pagination/query.js';
import { idsOfWindow, readWindow } from '../pagination/window.js';
import { refuseCall } from '../refusals.js';
import { shownInList, shownPage, toJson } from '../item-response.js';
import type { ListEnvelope } from '../../../resources/resource.js';
import { type Scope, presentItem } from '../request-context.js';
import { documents } from '../../../resources/success-response.js';
import type { StoreQuery } from '../../stores/store.js';

/** Handles GET of a collection: returns one page, filtered and sorted, in the documented envelope. */
export async function listItems(scope: Scope): Promise<HandlerResponse> {
  const { call, core, part, collection } = scope;
  const envelope = part.list;
  if (envelope === undefined) throw new TypeError(`The list ${call.operation.id} has no envelope.`);
  const parameters = listParametersOf(call.operation, core.schema, call.api);
  const pages = listPagesOf(call.operation, call.api);
  const query = { order: orderOf(scope, parameters), ...filtersOf(scope, parameters) };
  const request = listRequestOf(scope);
  const memory: PlaceMemory = call.memory('pages of lists', () => new Map());
  const ids = await findPositions(scope, query, idsOfWindow(request, pages, memory));
  const found = readWindow(request, pages, { ids, memory });
  const status = found === undefined ? refusalStatus(call.operation) : undefined;
  if (status !== undefined) {
    const message = 'The page token is not one of this list.';
    return refuseCall(scope, { reason: 'page', id: undefined, status, message });
  }
  // If the spec documents no refusal, an unknown token gives an empty page.
  const window = found ?? { skip: ids.length, take: 0, firstPage: 1, isBackward: false };
  const size = window.until === undefined ? window.take : window.until - window.skip;
  // The item behind the page says where the next one starts, even if those before it are gone by then.
  const { items, total } = await collection.query({
    ...query,
    skip: window.skip,
    ...(Number.isFinite(size) ? { take: size + 1 } : {}),
  });
  const shown = items.slice(0, size);
  const facts = createPage(pages, {
    ...{ list: request.list, window, total, memory },
    ids: shown.map(({ id }) => id),
    behind: items[shown.length]?.id,
  });
  const page: ListPage = { ...facts, linkTo: createLinks(call, pages, facts) };
  const body = createBody(scope, envelope, {
    ...{ page, pages },
    items: shown.map(({ id, value }) => showItem(scope, envelope, { id, value })),
  });
  return (
    checkIfNoneMatch(scope, { body }) ?? call.respond(part.success.status, toJson(body), listHeaders(scope, page, body))
  );
}

function refusalStatus(operation: Operation): number | undefined {
  const known = [400, 422].find((status) => documents(operation, status));
  return known ?? (operation.responses.some(({ status }) => status.toLowerCase() === 'default') ? 422 : undefined);
}

/** Returns the order of the request, or else that of the hooks. */
function orderOf(scope: Scope, parameters: ListParameters): ReturnType<typeof readOrder> {
  const asked = readOrder(scope, parameters);
  if (asked.length > 0) return asked;
  return (scope.hooks?.page?.order ?? []).map(({ path, descending = false }) => ({ path, descending }));
}

function filtersOf(scope: Scope, parameters: ListParameters): Pick<StoreQuery, 'match' | 'filter'> {
  const asked = conditionsOf(listRequestOf(scope), parameters);
  if (scope.hooks?.isPresent === undefined) return asked;
  const { filter } = asked;
  return { ...asked, filter: (item) => presentItem(item as Item, scope) !== undefined && filter?.(item) !== false };
}

async function findPositions({ collection }: Scope, query: StoreQuery, locate: readonly string[]): Promise<Positions> {
  if (locate.length === 0) return [];
  const { total, positions } = await collection.query({ ...query, take: 0, locate });
  return { length: total, indexOf: (id) => positions?.get(id) ?? -1 };
}

/** Returns an item as the list shows it, repaired if it was stored in another form. */
function showItem(
  scope: Scope,
  list: ListEnvelope,
  { id, value }: { readonly id: string; readonly value: Item },
): unknown {
  const { api } = scope.call;
  const shown = repairValue(api, list.item, projectItem(shownInList(scope, value), list.item, api), id);
  return list.entry === undefined ? shown : repairValue(api, list.entry.schema, { [list.entry.member]: shown }, id);
}

function createBody(
  scope: Scope,
  { path }: ListEnvelope,
  { page, pages, items }: { readonly page: ListPage; readonly pages: ListPages; readonly items: readonly unknown[] },
): unknown {
  const { call, part, name } = scope;
  if (path.length === 0 || part.success.schema === undefined) return items;
  const { schema } = part.success;
  const envelope = withValueAt(fillEnvelope(page, { pages, api: call.api }), path, items);
  const fitted = repairValue(call.api, schema, envelope, name);
  return shownPage(scope, isRecord(fitted) ? withValueAt(fitted, path, valueAtPath(fitted, path) ?? items) : envelope);
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
    if (TOTAL_HEADERS.includes(lower)) headers[lower] = String(page.total);
    if (lower === 'etag') headers[lower] = quoteEtag(etagOf({ body }));
  }
  return headers;
}
