import type { Parameter } from '../../model/api.js';

/** Whether a parameter is the header with a key by which the server recognises a repetition. */
export function isIdempotencyKey(parameter: Parameter): boolean {
  return parameter.in === 'header' && parameter.name.toLowerCase() === 'idempotency-key';
}

/** Whether the caller must give a value: a client makes an idempotency key itself. */
export function mustBeGiven(parameter: Parameter): boolean {
  return parameter.required && !isIdempotencyKey(parameter);
}
