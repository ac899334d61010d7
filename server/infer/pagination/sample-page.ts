import { stringifyExactJson } from '../../../runtime/json-integers.js';
import type { Api, Operation } from '../../../model/api.js';
import { isRecord } from '../../../model/document/records.js';
import { findListEnvelope, itemsIn } from '../../../resources/envelope.js';
import { idOf } from '../../../resources/extract-id.js';
import { listParametersOf } from '../../../resources/list-parameters.js';
import { nounOf } from '../../../resources/path-template.js';
import { successSchema } from '../../../resources/success-response.js';
import { type Item, seedFrom, withValueAt } from '../json-path.js';
import { repairValue } from '../../../schema/repair-value.js';
import { type ListPage, fillEnvelope } from './fill-envelope.js';
import { type PageWindow, encodeToken, readWindow } from './window.js';

/** Returns the names of the query parameters that select a page. */
export function pagingNames(operation: Operation, api: Api): ReadonlySet<string> {
  const list = operation.method === 'get' ? findList(operation, api) : undefined;
  if (list === undefined) return new Set();
  const { size, offset, page, token, after } = listParametersOf(operation, list.item, api);
  return new Set([size, offset, page, token, after].flatMap((parameter) => parameter?.name ?? []));
}

interface MadeUpList {
  readonly operation: Operation;
  readonly api: Api;
  readonly query: Item;
  /** Whether the list is an example of the spec. */
  readonly isExample: boolean;
}

/**
 * Cuts the requested page out of a generated list. The generated items are the whole list, so small pages add up to it
 * and the last one has no next page. Without paging, the list is one page whose total is the number of its items; an
 * example without paging is unchanged.
 */
export function cutMadeUpPage(body: unknown, { operation, api, query, isExample }: MadeUpList): unknown {
  const list = operation.method === 'get' ? findList(operation, api) : undefined;
  const made = list === undefined ? undefined : itemsIn(body, list.path);
  if (list === undefined || made === undefined) return body;
  if (isExample && pagingNames(operation, api).size === 0) return body;
  const parameters = listParametersOf(operation, list.item, api);
  const items = [...new Map(made.map((item) => [idOf(item, 'id') ?? stringifyExactJson(item), item])).values()];
  const ids = items.map((_, index) => String(index));
  const window = readWindow({ list: operation.path, query, api }, parameters, ids);
  const { skip, take } = window ?? { skip: ids.length, take: 0 };
  const shown = items.slice(skip, skip + take);
  if (list.path.length === 0) return shown;
  const page = toPage(operation.path, window, { total: items.length, count: shown.length });
  const envelope = fillEnvelope(successSchema(operation), page, { api, itemsPath: list.path });
  const filled = withValueAt({ ...(isRecord(body) ? body : {}), ...envelope }, list.path, shown);
  return repairValue(api, successSchema(operation), filled, seedFrom(operation.id));
}

function findList(operation: Operation, api: Api): ReturnType<typeof findListEnvelope> {
  return findListEnvelope(successSchema(operation), api, nounOf({ collectionPath: operation.path }));
}

function toPage(
  list: string,
  window: PageWindow | undefined,
  { total, count }: { readonly total: number; readonly count: number },
): ListPage {
  const shown = window ?? { skip: total, take: 0, firstPage: 1 };
  const end = shown.skip + count;
  const nextToken = count === 0 || end >= total ? undefined : encodeToken(list, { id: String(end - 1), skip: end });
  return { total, window: shown, count, nextToken, linkTo: () => undefined };
}
