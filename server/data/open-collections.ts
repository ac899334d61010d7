import type { Api, Operation } from '../../model/api.js';
import type { InferredBehaviour } from '../infer/infer-behaviour.js';
import type { MockDefinition, PreparedMock } from '../mock-definition.js';
import { findHandler } from '../pipeline/pipeline-call.js';
import type { DataCollection, DataCollections } from './data-collection.js';

interface CollectionSources {
  readonly api: Api;
  readonly definition: MockDefinition;
  readonly prepared: PreparedMock;
  readonly seed: number;
}

/** The collections of a mock that can be filled: those of its behaviour by their name, and the inferred ones. */
export function openCollections(
  inferred: Partial<Pick<InferredBehaviour, 'collections'>>,
  { api, definition, prepared, seed }: CollectionSources,
): DataCollections {
  const isInferred = (operation: Operation): boolean => findHandler(definition.operations, operation) === undefined;
  const found = inferred.collections?.(isInferred, seed);
  // Called on each use: a behaviour may have one collection for each entity of its configuration.
  const own = (): readonly DataCollection[] => definition.data?.({ api, config: prepared.config, seed }) ?? [];
  return {
    find: (name) => own().find((one) => one.name === name) ?? found?.find(name),
    names: () => [...own().map(({ name }) => name), ...(found?.names() ?? [])],
    all: () => [...own(), ...(found?.all() ?? [])],
    link: (items, options) => found?.link(items, options) ?? items,
    startWith: (collections) => found?.startWith(collections),
  };
}
