import type { MappedResource, UnmappedOperation } from '../../resources/map/resource-map.js';
import type { ServedApi } from '../control/run-action.js';

/** What an API manages, as the page shows it. */
export interface DescribedResources {
  /** The name of the API. */
  readonly api: string;
  readonly title: string;
  readonly version: string;
  /** The resources whose items a mock keeps. */
  readonly resources: readonly MappedResource[];
  /** Operations whose responses do not depend on earlier requests, each with the reason. */
  readonly stateless: readonly UnmappedOperation[];
  /** Ids of operations with a handler of their own, for which the map may not hold. */
  readonly handled: readonly string[];
}

/** Describes what a mock manages. */
export function describeResources(name: string, { api, definition, inferred }: ServedApi): DescribedResources {
  const { resources = [], others = [] } = inferred.describe?.() ?? {};
  const own = new Set(Object.keys(definition.operations ?? {}));
  const handled = api.operations.filter((one) => own.has(one.name) || own.has(one.id)).map(({ id }) => id);
  return {
    api: name,
    title: api.title,
    version: api.version,
    resources,
    stateless: others.filter(({ operationId }) => !handled.includes(operationId)),
    handled,
  };
}
