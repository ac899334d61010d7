import type { Operation, Parameter } from './api.js';

/** Finds a parameter by its location; header names are compared without case (RFC 9110, section 5.1). */
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
