import type { Api } from 'specmill/mock';

import type { EngineSettings } from './configuration/settings.js';

type Operation = Api['operations'][number];

/** The first segment of a path in the spec, and the configuration of the endpoint there. */
function endpointsOf({ rest, graphql, mcp, health }: EngineSettings): ReadonlyMap<string, Endpoint> {
  return new Map<string, Endpoint>([
    ['api', rest],
    ['graphql', graphql],
    ['mcp', mcp],
    ['health', { enabled: health.enabled, path: '/health' }],
  ]);
}

interface Endpoint {
  readonly enabled: boolean;
  readonly path: string;
}

/** The API with the endpoints that a configuration switches on, at the paths that it gives them. */
export function toServedApi(api: Api, settings: EngineSettings): Api {
  const endpoints = endpointsOf(settings);
  const entities = [...(settings.entities?.values() ?? [])];
  const isNested = entities.some(({ restPath }) => restPath?.includes('/') === true);
  const isComposite = entities.some(({ keys }) => keys.length > 1);
  const multiple = [...(isNested ? ['entity'] : []), ...(isComposite ? ['value'] : [])];
  const operations = api.operations.flatMap((operation) => {
    const [, segment = ''] = operation.path.split('/');
    const endpoint = endpoints.get(segment);
    if (endpoint === undefined) return [operation];
    if (!endpoint.enabled) return [];
    const path = endpoint.path + operation.path.slice(segment.length + 1);
    return [withSegments({ ...operation, path }, multiple)];
  });
  return { ...api, operations };
}

/** Lets path parameters take several segments. */
function withSegments(operation: Operation, names: readonly string[]): Operation {
  if (names.length === 0) return operation;
  const parameters = operation.parameters.map((parameter) =>
    parameter.in === 'path' && names.includes(parameter.name)
      ? { ...parameter, extensions: { ...parameter.extensions, 'x-multi-segment': true } }
      : parameter,
  );
  return { ...operation, parameters };
}
