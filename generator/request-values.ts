import type { Operation, Parameter, ParameterLocation } from '../model/api.js';

/** The groups of parameters in a request, and the places of their parameters. A `querystring` is a member of `query`. */
const GROUPS: readonly (readonly [group: string, locations: readonly ParameterLocation[]])[] = [
  ['path', ['path']],
  ['query', ['query', 'querystring']],
  ['headers', ['header']],
  ['cookies', ['cookie']],
];

/** The parameters of an operation by the group that they have in a request; groups without parameters are left out. */
export function groupParameters({ parameters }: Pick<Operation, 'parameters'>): [group: string, Parameter[]][] {
  return GROUPS.flatMap(([group, locations]) => {
    const own = parameters.filter((parameter) => locations.includes(parameter.in));
    return own.length === 0 ? [] : [[group, own]];
  });
}

/** Whether a parameter is the header with a key by which the server recognises a repetition. */
export function isIdempotencyKey(parameter: Parameter): boolean {
  return parameter.in === 'header' && parameter.name.toLowerCase() === 'idempotency-key';
}

/** Whether the caller must give a value: a client makes an idempotency key itself. */
export function mustBeGiven(parameter: Parameter): boolean {
  return parameter.required && !isIdempotencyKey(parameter);
}

/** Whether a call cannot do without values. */
export function needsRequest({ body, parameters }: Operation): boolean {
  return body?.required === true || parameters.some(mustBeGiven);
}
