import type { Operation, Parameter, ParameterLocation } from '../model/api.js';

/** The groups of parameters in a request, and the places of their parameters. A `querystring` is a member of `query`. */
const GROUPS: readonly (readonly [group: string, locations: readonly ParameterLocation[]])[] = [
  ['path', ['path']],
  ['query', ['query', 'querystring']],
  ['headers', ['header']],
  ['cookies', ['cookie']],
];

/** The parameters of an operation by their group in a request; empty groups are omitted. */
export function groupParameters({ parameters }: Pick<Operation, 'parameters'>): [group: string, Parameter[]][] {
  return GROUPS.flatMap(([group, locations]) => {
    const own = parameters.filter((parameter) => locations.includes(parameter.in));
    return own.length === 0 ? [] : [[group, own]];
  });
}

/** Whether a parameter is the header with an idempotency key. */
export function isIdempotencyKey(parameter: Parameter): boolean {
  return parameter.in === 'header' && parameter.name.toLowerCase() === 'idempotency-key';
}

/** Whether the caller must give a value. A client creates idempotency keys itself. */
export function mustBeGiven(parameter: Parameter): boolean {
  return parameter.required && !isIdempotencyKey(parameter);
}

/** Whether a call requires values. */
export function needsRequest({ body, parameters }: Operation): boolean {
  return body?.required === true || parameters.some(mustBeGiven);
}
