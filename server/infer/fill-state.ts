import type { Operation } from '../../model/api.js';
import type { PathGroup } from '../../resources/collections.js';
import { fillTemplate, parametersOf } from '../../resources/path-template.js';
import type { HandlerContext } from '../handler-api.js';
import { type Item } from './json-path.js';
import type { ResourceStore } from './resource-store.js';

export type IsInferred = (operation: Operation) => boolean;

/**
 * Fills every collection with its examples that has some, so that the state can be looked at before anything was called:
 * those at fixed paths, and those behind the items that there are.
 */
export async function fillState(state: ResourceStore, context: HandlerContext, isInferred: IsInferred): Promise<void> {
  for (const group of state.finder.groups.groups) {
    const isShown = state.finder.partsOf(group).some(({ part }) => isInferred(part.operation));
    if (!isShown || !state.isKept(group)) continue;
    for (const values of await placesOf(state, context, group)) await state.fill(context, group, values);
  }
}

/** The values of the parameters of a collection's path for which it has examples. */
async function placesOf(
  state: ResourceStore,
  context: HandlerContext,
  group: PathGroup,
): Promise<readonly (readonly string[])[]> {
  const names = parametersOf(group.collectionPath);
  if (names.length === 0) return [[]];
  if (state.seedsOf(group).length === 0) return [];
  const parent = state.finder.groups.parentOf(group);
  if (parent === undefined || !state.isKept(parent)) return placesShown(state, group, names);
  const places: (readonly string[])[] = [];
  for (const values of await placesOf(state, context, parent)) {
    await state.fill(context, parent, values);
    const { items } = await context.collection<Item>(fillTemplate(parent.collectionPath, values)).query();
    places.push(...items.map(({ id }) => [...values, id]));
  }
  return places.filter((values) => values.length === names.length && state.hasExamples(group, values));
}

/** Without a parent collection, the members of the examples name the parents. */
function placesShown(state: ResourceStore, group: PathGroup, names: readonly string[]): readonly (readonly string[])[] {
  const places = new Map<string, readonly string[]>();
  for (const { parents } of state.seedsOf(group)) {
    const values = names.flatMap((name) => parents.get(name) ?? []);
    if (values.length === names.length) places.set(JSON.stringify(values), values);
  }
  return [...places.values()];
}
