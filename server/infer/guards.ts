import type { Operation } from '../../model/api.js';
import { type PathGroup, findTwin } from '../../resources/collections.js';
import { findVerbSlot } from '../../resources/id-locations.js';
import { nameItem } from '../../resources/inflection.js';
import { parametersOf } from '../../resources/path-template.js';
import type { ResourceFinder } from '../../resources/resource-finder.js';
import type { HandlerResponse } from '../handler-api.js';
import { refuseCall } from './refusals.js';
import { type AnyCall, idOfCall, pathValuesOf } from './request-context.js';
import type { ResourceStore } from './resource-store.js';

/** A handler that refuses calls below an item of a group that does not exist. */
interface Guard {
  readonly group: PathGroup;
  /** Refuses a call if the item does not exist. */
  readonly refuse: (call: AnyCall) => Promise<HandlerResponse | undefined>;
}

/** Returns the guard of an operation if every sandbox has all items that its calls may name. */
export function guardOf(
  operation: Operation,
  finder: ResourceFinder,
  state: ResourceStore,
): Guard['refuse'] | undefined {
  return guardsOf(operation, finder, state).find(({ group }) => state.hasAllItems(group))?.refuse;
}

/** The guards of an operation, for the innermost item that its path names first. */
export function guardsOf(operation: Operation, finder: ResourceFinder, state: ResourceStore): Guard[] {
  const call = finder.groups.placesOf(operation).find(({ kind }) => kind === 'verb');
  const folder = finder.groups.folderOf(operation) ?? call?.group;
  if (folder !== undefined) return [findFolderGuard(operation, folder, state) ?? []].flat();
  const groups: PathGroup[] = [];
  for (let group = finder.groups.itemAround(operation); group !== undefined; group = finder.groups.parentOf(group))
    groups.push(group);
  return groups.flatMap((group) => findPathGuard(group, state) ?? findTwinGuard(group, state) ?? []);
}

function findPathGuard(group: PathGroup, state: ResourceStore): Guard | undefined {
  const core = state.finder.coreOf(group);
  if (core?.id === undefined || core.itemParameters.length !== 1 + (core.outerIds?.length ?? 0)) return undefined;
  const refuse: Guard['refuse'] = async (call) => {
    const values = pathValuesOf(call);
    if (await state.hasItem(call, group, values)) return undefined;
    const id = values[parametersOf(core.collectionPath).length];
    const message = `There is no ${nameItem(core.collectionPath)} '${id}'.`;
    return refuseCall({ hooks: state.hooksOf(core), call }, { reason: 'unknown', id, status: 404, message });
  };
  return { group, refuse };
}

/** Returns the guard of a call by word, which names an item by its id. */
function findFolderGuard(operation: Operation, group: PathGroup, state: ResourceStore): Guard | undefined {
  const core = state.finder.coreOf(group);
  const slot = group.verbs === undefined ? undefined : findVerbSlot(operation, group.verbs, state.api);
  if (core?.id === undefined || slot === undefined) return undefined;
  const refuse: Guard['refuse'] = async (call) => {
    const id = idOfCall(call, slot, core);
    if (id === undefined || (await state.hasItem(call, group, [id]))) return undefined;
    const message = `There is no ${nameItem(core.collectionPath)} '${id}'.`;
    return refuseCall({ hooks: state.hooksOf(core), call }, { reason: 'unknown', id, status: 404, message });
  };
  return { group, refuse };
}

/** Returns a guard for a path whose own items have no id in their schema, such as files, if another collection has them. */
function findTwinGuard(group: PathGroup, state: ResourceStore): Guard | undefined {
  const twin = state.finder.coreOf(group)?.id === undefined ? findTwin(group, state.finder.groups.groups) : undefined;
  const core = twin && state.finder.coreOf(twin);
  if (twin === undefined || core?.id === undefined) return undefined;
  const refuse: Guard['refuse'] = async (call) => {
    const id = pathValuesOf(call)[parametersOf(group.collectionPath).length] ?? '';
    if (await state.hasItem(call, twin, [id])) return undefined;
    const message = `There is no ${nameItem(core.collectionPath)} '${id}'.`;
    return refuseCall({ hooks: state.hooksOf(core), call }, { reason: 'unknown', id, status: 404, message });
  };
  return { group: twin, refuse };
}
