import type { ParameterLocation } from '../model/api.js';

/** The groups of parameters in a request, and the places of their parameters. A `querystring` is a member of `query`. */
export const PARAMETER_GROUPS: readonly (readonly [group: string, locations: readonly ParameterLocation[]])[] = [
  ['path', ['path']],
  ['query', ['query', 'querystring']],
  ['headers', ['header']],
  ['cookies', ['cookie']],
];
