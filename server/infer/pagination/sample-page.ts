import { stringifyExactJson } from '../../../runtime/json-integers.js';
import type { MockRequest } from '../../../http/messages.js';
import type { Api, Operation } from '../../../model/api.js';
import { isRecord } from '../../../model/document/records.js';
import { itemsIn, listPathOf } from '../../../resources/envelope.js';
import { idOf } from '../../../resources/extract-id.js';
import { listPagesOf } from '../../../resources/paging.js';
import { successSchema } from '../../../resources/success-response.js';
import { seedFrom, withValueAt } from '../json-path.js';
import { repairValue } from '../../../schema/repair-value.js';
import { createPage } from './create-page.js';
import { fillEnvelope } from './fill-envelope.js';
import { OWN_TOKEN, createLinks } from './page-links.js';
import type { PlaceMemory } from './place.js';
import { ownToken } from './query.js';
import { readWindow } from './window.js';

/** Returns the names of the query parameters that select a page. */
export function pagingNames(operation: Operation, api: Api): ReadonlySet<string> {
  if (operation.method !== 'get' || listPathOf(operation, api) === undefined) return new Set();
  return new Set([...listPagesOf(operation, api).pageNames, OWN_TOKEN]);
}

interface MadeUpList {
  readonly operation: Operation;
  readonly api: Api;
  readonly call: { readonly request: MockRequest; readonly input: Readonly<Record<string, unknown>> };
  /** Whether the list is an example of the spec. */
  readonly isExample: boolean;
}

/**
 * Cuts the requested page out of a generated list. The generated items are the whole list, so small pages add up to it
 * and the last one has no next page. Without paging, the list is one page whose total is the number of its items; an
 * example without paging is unchanged.
 */
export function cutMadeUpPage(body: unknown, { operation, api, call, isExample }: MadeUpList): unknown {
  const path = operation.method === 'get' ? listPathOf(operation, api) : undefined;
  const made = path === undefined ? undefined : itemsIn(body, path);
  if (path === undefined || made === undefined) return body;
  if (isExample && listPagesOf(operation, api).pageNames.size === 0) return body;
  const pages = listPagesOf(operation, api);
  const items = [...new Map(made.map((item) => [idOf(item, 'id') ?? stringifyExactJson(item), item])).values()];
  const ids = items.map((item, index) => String(idOf(item, 'id') ?? index));
  const query = isRecord(call.input['query']) ? call.input['query'] : {};
  const memory: PlaceMemory = new Map();
  const list = operation.path;
  const window = readWindow({ list, query, own: ownToken(call), api }, pages, { ids, memory }) ?? {
    ...{ skip: ids.length, take: 0, firstPage: 1, isBackward: false },
  };
  const end = window.until ?? window.skip + window.take;
  const shown = items.slice(window.skip, end);
  if (path.length === 0) return shown;
  const total = items.length;
  const facts = createPage(pages, {
    ...{ list, window, total, memory, ids: ids.slice(window.skip, end), behind: ids[end] },
  });
  const envelope = fillEnvelope({ ...facts, linkTo: createLinks(call, pages, facts) }, { pages, api });
  const filled = withValueAt({ ...(isRecord(body) ? body : {}), ...envelope }, path, shown);
  return repairValue(api, successSchema(operation), filled, seedFrom(operation.id));
}
