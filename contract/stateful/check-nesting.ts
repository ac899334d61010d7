import type { Resource } from '../../resources/resource.js';
import type { ContractRun } from '../execute/contract-run.js';
import { slotValue, withId } from '../execute/ids/id-slot.js';
import type { Call, Exchange } from '../types.js';
import { checkForeignParents } from './check-foreign-parents.js';
import { type CrudContext, createItem, idValue } from './crud-context.js';
import { findListPlace } from '../expectations/lists.js';
import { type Listed, checkListed, findListed } from './check-list.js';
import { findPaging } from './pagination/walk.js';

/** Checks that items below one parent are not shown below another. */
export async function checkNesting(run: ContractRun, resource: Resource, creation: Call): Promise<void> {
  const parent = parentOf(run, resource);
  if (parent?.create === undefined || resource.create === undefined) return;
  const parentCreation = await run.items.validCall(parent.create, 'stateful');
  if (parentCreation === undefined) return;
  const own = await createItem(run, parent, parentCreation);
  if (own === undefined) return;
  const slot = parent.slots.get(resource.create);
  if (slot === undefined) return;
  const inOwn = withId(creation, slot, own.id);
  const child = await createItem(run, resource, inOwn);
  const other = child === undefined ? undefined : await createItem(run, parent, parentCreation);
  if (child === undefined || other === undefined || other.id === own.id) return;
  if (String(slotValue(child.created.call, slot)) !== String(slotValue(inOwn, slot))) return;
  // The list has been checked already if an item has its own path.
  if (child.resource.read === undefined) await checkListed(child);
  await checkForeignList(child, parent, other);
  await checkForeignParents(child, { parent, own, other });
}

/** The collection that contains the items of a resource. */
function parentOf({ context: { pool } }: ContractRun, { create, name }: Resource): Resource | undefined {
  if (create === undefined) return undefined;
  return pool.resources
    .filter((one) => one.name !== name && one.slots.get(create)?.in === 'parameter')
    .toSorted((one, other) => other.name.length - one.name.length)[0];
}

async function checkForeignList(child: CrudContext, parent: Resource, other: CrudContext): Promise<void> {
  const { list } = child.resource;
  const slot = list === undefined ? undefined : parent.slots.get(list);
  if (list === undefined || slot === undefined) return;
  const created = { ...child.created, call: withId(child.created.call, createSlot(child, parent), other.id) };
  const listed = await findListed({ ...child, created });
  if (listed?.item === undefined) return;
  const pages = pagesFor(child, listed);
  const place = findListPlace(pages, child.resource.parameter);
  child.run.findings.expect(
    'belongs to parent',
    { expects: 'not listed', list: place, id: idValue(child) },
    {
      cause: 'list',
      message: 'The list below an item shows what was created below another one.',
      at: pages.at(-1) ?? listed.walk.last,
    },
  );
}

/**
 * The pages on which to look for an item: only the first if each page is requested by an item of the page before.
 * Another server may have fewer items, so that a created one is on its first page.
 */
function pagesFor({ run: { options } }: CrudContext, { call, walk }: Listed): readonly Exchange[] {
  const style = findPaging(call.operation, options.api)?.style;
  return style === 'token' || style === 'after' ? walk.exchanges.slice(0, 1) : walk.exchanges;
}

function createSlot({ resource }: CrudContext, parent: Resource): NonNullable<ReturnType<Resource['slots']['get']>> {
  const slot = resource.create === undefined ? undefined : parent.slots.get(resource.create);
  if (slot === undefined) throw new Error('A parent has a slot in the creation of its children.');
  return slot;
}
