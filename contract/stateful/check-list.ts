import { listPathOf } from '../../resources/envelope.js';
import { isRecord } from '../../model/document/records.js';
import { makeCall } from '../plan/build-request-values.js';
import { problem } from '../checks/problem.js';
import { idsOf } from '../../resources/extract-id.js';
import { pathValues } from '../execute/ids/id-slot.js';
import { findListPlace } from '../expectations/lists.js';
import type { Call, Exchange } from '../types.js';
import { type Comparison, type CrudContext, idValue, reportDifferences } from './crud-context.js';
import { type Walk, findPaging, largestPage, walkPages } from './pagination/walk.js';

/** Checks that created items are in the list and deleted ones are not. */
export async function checkListed(crud: CrudContext, removal?: Exchange): Promise<void> {
  const isGone = removal !== undefined;
  const listed = await findListed(crud);
  if (listed === undefined || (listed.item === undefined) === isGone) return;
  const { call, walk } = listed;
  const found = isGone
    ? problem('gone after delete', {
        cause: 'list',
        message: 'What was deleted is still in the list.',
        expected: `a list without ${String(crud.id)}`,
        actual: walk.last.text,
      })
    : problem('list contains', {
        message: 'What was created is not in the list.',
        expected: `a list with ${String(crud.id)}`,
        actual: walk.last.text,
      });
  const list = findListPlace(walk.exchanges, crud.resource.parameter, listPathOf(call.operation, crud.run.options.api));
  const assertion = { expects: isGone ? 'not listed' : 'listed', list, id: idValue(crud) } as const;
  const others = removal === undefined ? [] : [removal];
  crud.run.report(found, { call, phase: 'stateful', assertion, others }, walk.last);
}

/** Checks that the list shows an item as last written. */
export async function checkListShows(
  crud: CrudContext,
  { sent, sentAt }: Pick<Comparison, 'sent' | 'sentAt'>,
): Promise<void> {
  const listed = await findListed(crud);
  if (typeof listed?.item !== 'object' || listed.item === null || crud.resource.list === undefined) return;
  const shown = listed.item;
  reportDifferences(crud, 'list contains', {
    sent: visiblePart(sent ?? {}, shown),
    shownBy: crud.resource.list,
    sentAt,
    exchange: listed.walk.last,
    list: {
      place: findListPlace(
        listed.walk.exchanges,
        crud.resource.parameter,
        listPathOf(listed.call.operation, crud.run.options.api),
      ),
      item: shown,
    },
  });
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

/** Reads the whole list and looks for the item; `undefined` if that is not possible. */
export async function findListed(
  { run, resource, id, created }: CrudContext,
  asked?: Call,
): Promise<Listed | undefined> {
  const { list, parameter } = resource;
  const made = list === undefined ? undefined : makeCall(list, { variant: 'minimal', seed: 1 }, run.context);
  const listing = asked ?? made;
  if (listing === undefined) return undefined;
  const parents = pathValues(created.call);
  const parameters = [...listing.parameters].map(([one, value]) => [one, parents.get(one.name) ?? value] as const);
  const call = { ...listing, parameters: new Map(parameters) };
  const paging = findPaging(call.operation, run.options.api);
  const walk = await walkPages(run, call, { paging, pageSize: paging?.size && largestPage(paging.size) });
  if (walk?.isWhole !== true) return undefined;
  const ids = walk.items.map((item) => idsOf(item, parameter).map((one) => String(one).split('/').at(-1)));
  if (walk.items.length > 0 && ids.every((one) => one.length === 0)) return undefined;
  const wanted = String(id).split('/').at(-1);
  return { call, walk, item: walk.items[ids.findIndex((one) => one.includes(wanted))] };
}
