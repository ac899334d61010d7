import type { Operation } from '../../model/api.js';
import type { PathGroup } from '../../resources/collections.js';
import { splitKey } from './item-key.js';
import { fillTemplate, parametersOf } from '../../resources/path-template.js';
import type { HandlerContext } from '../handler-api.js';
import { type Item } from './json-path.js';
import type { ResourceStore } from './resource-store.js';
import { stringifyExactJson } from '../../runtime/json-integers.js';

export type IsInferred = (operation: Operation) => boolean;

/**
 * Fills all collections with their examples, so that the state can be read before any call. Covers collections at fixed
 * paths and those of existing items.
 */
export async function fillFromExamples(
  state: ResourceStore,
  context: HandlerContext,
  isInferred: IsInferred,
): Promise<void> {
  for (const group of state.finder.groups.groups) {
    const isShown = state.finder.partsOf(group).some(({ part }) => isInferred(part.operation));
    if (!isShown || !state.isStateful(group)) continue;
    for (const values of await placesOf(state, context, group)) await state.fill(context, group, values);
  }
}

/** Returns the values of a collection's path parameters for which it has examples. */
async function placesOf(
  state: ResourceStore,
  context: HandlerContext,
  group: PathGroup,
): Promise<readonly (readonly string[])[]> {
  const names = parametersOf(group.collectionPath);
  if (names.length === 0) return [[]];
  if (state.exampleItemsOf(group).length === 0) return [];
  const parent = state.finder.groups.parentOf(group);
  if (parent === undefined || !state.isStateful(parent)) return placesShown(state, group, names);
  const places: (readonly string[])[] = [];
  for (const values of await placesOf(state, context, parent)) {
    await state.fill(context, parent, values);
    const { items } = await context.collection<Item>(fillTemplate(parent.collectionPath, values)).query();
    places.push(...items.map(({ id }) => [...values, ...splitKey(id, state.finder.coreOf(parent))]));
  }
  return places.filter((values) => values.length === names.length && state.hasExamples(group, values));
}

/** Without a parent collection, takes the parents from members of the examples. */
function placesShown(state: ResourceStore, group: PathGroup, names: readonly string[]): readonly (readonly string[])[] {
  const places = new Map<string, readonly string[]>();
  for (const { parents } of state.exampleItemsOf(group)) {
    const values = names.flatMap((name) => parents.get(name) ?? []);
    if (values.length === names.length) places.set(stringifyExactJson(values), values);
  }
  return [...places.values()];
}
