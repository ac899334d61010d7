import { describeMap } from '../../resources/map/describe-map.js';
import type { ResourceMap } from '../../resources/map/resource-map.js';
import type { ResourceStore } from './resource-store.js';

/**
 * Describes the resources whose items the mock keeps. The operations of all others are listed with the reason for which
 * their responses are made from the spec.
 */
export function describeState(state: ResourceStore): ResourceMap {
  const { resources, others } = describeMap(state.api);
  const kept = new Set(
    [...state.finder.groups.groups]
      .filter((group) => state.isStateful(group))
      .map(({ collectionPath }) => collectionPath),
  );
  const lost = resources
    .filter(({ path }) => !kept.has(path))
    .flatMap(({ path, operations }) =>
      operations.map(({ operationId, method, path: own }) => ({
        operationId,
        method,
        path: own,
        reason: `no operation creates an item of ${path}, and the spec shows no example of one; start data would give it some`,
      })),
    );
  return { resources: resources.filter(({ path }) => kept.has(path)), others: [...others, ...lost] };
}
