import type { Operation, Parameter } from './api.js';

/** The parameter of an operation at a place; names of headers have no case (RFC 9110, 5.1). */
export function findParameter(
  { parameters }: Pick<Operation, 'parameters'>,
  place: Parameter['in'],
  name: string | undefined,
): Parameter | undefined {
  const fold = (text: string): string => (place === 'header' ? text.toLowerCase() : text);
  return name === undefined
    ? undefined
    : parameters.find((parameter) => parameter.in === place && fold(parameter.name) === fold(name));
}
