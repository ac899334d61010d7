import { listPathOf } from '../../resources/envelope.js';
import { isSuccess } from '../../http/messages.js';
import { type ShownItem, hidesItem, withOwnFilters } from '../execute/own-filters.js';
import { isRecord } from '../../model/document/records.js';
import { makeCall } from '../plan/build-request-values.js';
import { idsOf, lastPartOf } from '../../resources/extract-id.js';
import { pathValues } from '../execute/ids/id-slot.js';
import type { ListPlace } from '../expectations/assertion.js';
import { findListPlace } from '../expectations/lists.js';
import type { Call, Exchange } from '../types.js';
import { type CrudContext, idValue, latestRead } from './crud-context.js';
import { type Written, expectShown } from './expect-shown.js';
import { type Walk, findPaging, largestPage, walkPages } from './pagination/walk.js';

/** Checks that created items are in the list and deleted ones are not. */
export async function checkListed(crud: CrudContext, removal?: Exchange): Promise<void> {
  const isGone = removal !== undefined;
  const listed = await findListed(crud);
  if (listed === undefined || (listed.item === undefined) === isGone) return;
  const list = placeOf(crud, listed);
  crud.run.findings.expect(
    isGone ? 'gone after delete' : 'list contains',
    { expects: isGone ? 'not listed' : 'listed', list, id: idValue(crud) },
    {
      ...(isGone ? { cause: 'list', others: [removal] } : {}),
      message: isGone ? 'The deleted item is still in the list.' : 'The created item is not in the list.',
      at: listed.walk.last,
    },
  );
}

/** Checks that the list shows an item as last written. */
export async function checkListShows(
  crud: CrudContext,
  written: Pick<Written, 'value' | 'by' | 'from'>,
): Promise<void> {
  const listed = await findListed(crud);
  if (listed === undefined || !isRecord(listed.item) || crud.resource.list === undefined) return;
  const { walk, item } = listed;
  expectShown(crud, 'list contains', {
    ...written,
    value: visiblePart(written.value ?? {}, item),
    exchange: walk.last,
    list: { place: placeOf(crud, listed), item },
  });
}

/** Where the pages of a list show items. */
export function placeOf({ run, resource }: CrudContext, { call, walk }: Listed): ListPlace {
  return findListPlace(walk.exchanges, resource.parameter, listPathOf(call.operation, run.options.api));
}

/** The part of a value that a list shows: it may omit members of an item, at any depth. */
function visiblePart(sent: unknown, shown: unknown): unknown {
  if (!isRecord(sent) || !isRecord(shown)) return sent;
  const visible = Object.entries(sent).filter(([name]) => Object.hasOwn(shown, name));
  return Object.fromEntries(visible.map(([name, value]) => [name, visiblePart(value, shown[name])]));
}

export interface Listed {
  readonly call: Call;
  readonly walk: Walk;
  readonly item: unknown;
}

/**
 * Reads the whole list and looks for the item; `undefined` if that is not possible. If the list lacks the item, filters
 * that are required or have defaults are set to the values of the item.
 */
export async function findListed(crud: CrudContext, asked?: Call): Promise<Listed | undefined> {
  const listed = await lookInList(crud, asked);
  if (listed === undefined || listed.item !== undefined || asked !== undefined) return listed;
  const shown = mayBeFiltered(listed.call) ? await readShown(crud) : undefined;
  if (shown === undefined) return listed;
  const { api } = crud.run.options;
  const filtered = withOwnFilters(listed.call, shown, api);
  if (hidesItem(filtered ?? listed.call, shown, api)) return undefined;
  return filtered === undefined ? listed : ((await lookInList(crud, filtered)) ?? listed);
}

function mayBeFiltered({ operation, parameters }: Call): boolean {
  return operation.parameters.some(
    (one) =>
      one.in === 'query' &&
      (parameters.has(one) || (typeof one.schema === 'object' && one.schema.default !== undefined)),
  );
}

/** The item as its read shows it, else as the response to its creation does. */
async function readShown(crud: CrudContext): Promise<ShownItem | undefined> {
  const { read } = crud.resource;
  const { call, exchange } = crud.created;
  const shown = read && (await latestRead(crud));
  if (read !== undefined && shown?.status === 200) return { operation: read, json: shown.json };
  return shown === undefined || isSuccess(shown) ? { operation: call.operation, json: exchange.json } : undefined;
}

async function lookInList({ run, resource, id, created }: CrudContext, asked?: Call): Promise<Listed | undefined> {
  const { list } = resource;
  const made = list === undefined ? undefined : makeCall(list, { variant: 'minimal', seed: 1 }, run.context);
  const listing = asked ?? made;
  if (listing === undefined) return undefined;
  const parents = pathValues(created.call);
  const parameters = [...listing.parameters].map(([one, value]) => [one, parents.get(one.name) ?? value] as const);
  const call = { ...listing, parameters: new Map(parameters) };
  const paging = findPaging(call.operation, run.options.api);
  const walk = await walkPages(run, call, { paging, pageSize: paging?.size && largestPage(paging.size) });
  if (walk?.isWhole !== true) return undefined;
  const ids = walk.items.map((item) => idsOf(item, resource).map(lastPartOf));
  if (walk.items.length > 0 && ids.every((one) => one.length === 0)) return undefined;
  const wanted = lastPartOf(id);
  return { call, walk, item: walk.items[ids.findIndex((one) => one.includes(wanted))] };
}
