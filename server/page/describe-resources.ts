import { suggestCorrections } from '../../resources/suggest-corrections.js';
import type { ServedApi } from '../control/run-action.js';
import type { DescribedResources } from './views.js';

/** Describes what a mock manages. */
export function describeResources(
  name: string,
  { api, definition, inferred }: Pick<ServedApi, 'api' | 'definition' | 'inferred'>,
): DescribedResources {
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
    suggestions: suggestCorrections(api),
  };
}
