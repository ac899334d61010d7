import { stringifyExactJson } from '../../../runtime/json-integers.js';
import type { MockRequest } from '../../../http/messages.js';
import type { Api, Operation } from '../../../model/api.js';
import { isRecord } from '../../../model/document/records.js';
import { itemsIn, listItemOf, listPathOf } from '../../../resources/envelope.js';
import { idOf } from '../../../resources/extract-id.js';
import { listParametersOf } from '../../../resources/list-parameters.js';
import { listPagesOf } from '../../../resources/paging.js';
import { successSchema } from '../../../resources/success-response.js';
import { seedFrom, withValueAt } from '../json-path.js';
import { valueAtPath } from '../../../model/document/pointer.js';
import { compileValidator } from '../../../schema/compile-validator.js';
import { repairValue } from '../../../schema/repair-value.js';
import { createPage } from './create-page.js';
import { fillEnvelope } from './fill-envelope.js';
import { OWN_TOKEN, createLinks } from './page-links.js';
import type { PlaceMemory } from './place.js';
import { createFilter, type ListRequest, ownToken } from './query.js';
import { readWindow } from './window.js';

/** Returns the names of the query parameters that select a page or filter the items: they change no item. */
export function selectingNames(operation: Operation, api: Api): ReadonlySet<string> {
  if (operation.method !== 'get' || listPathOf(operation, api) === undefined) return new Set();
  const { filters, text } = listParametersOf(operation, listItemOf(operation, api) ?? true, api);
  const names = [...filters.map(({ parameter }) => parameter.name), ...(text === undefined ? [] : [text.name])];
  return new Set([...listPagesOf(operation, api).pageNames, OWN_TOKEN, ...names]);
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
  const query = isRecord(call.input['query']) ? call.input['query'] : {};
  const list = operation.path;
  const request = { list, query, own: ownToken(call), api };
  const items = filterMadeUp(
    [...new Map(made.map((item) => [idOf(item, 'id') ?? stringifyExactJson(item), item])).values()],
    request,
    operation,
  );
  const ids = items.map((item, index) => String(idOf(item, 'id') ?? index));
  const memory: PlaceMemory = new Map();
  const window = readWindow(request, pages, { ids, memory }) ?? {
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

/**
 * The generated items that fit the filters of a request. If none does, and only values of members were asked for, the
 * items get these values: a list by category shows items of that category.
 */
function filterMadeUp(items: readonly unknown[], request: ListRequest, operation: Operation): readonly unknown[] {
  const item = listItemOf(operation, request.api) ?? true;
  const parameters = listParametersOf(operation, item, request.api);
  const fits = createFilter(request, parameters);
  const fitting = fits === undefined ? items : items.filter(fits);
  if (fits === undefined || fitting.length > 0) return fitting;
  const asked = parameters.filters.filter(
    ({ parameter, test }) => test === 'equals' && valueAtPath(request.query, parameter.path) !== undefined,
  );
  const changed = items.map((one) =>
    asked.reduce(
      (value, { parameter, member }) =>
        isRecord(value) ? withValueAt(value, member.path, valueAtPath(request.query, parameter.path)) : value,
      one,
    ),
  );
  const isValid = compileValidator(request.api, item, { direction: 'response' });
  return changed.filter((one) => fits(one) && isValid(one).length === 0);
}
