import { HttpError, type Violation } from 'specmill/mock';

export function refuse(
  status: 400 | 401 | 403 | 404 | 405 | 409 | 413,
  message: string,
  ...violations: readonly Violation[]
): HttpError {
  return new HttpError(status, message, { details: violations.length === 0 ? {} : { violations } });
}

export function entityNotFound(entity: string): HttpError {
  return refuse(404, `There is no entity ${entity}.`);
}

export function rowNotFound(
  { name, keys }: { readonly name: string; readonly keys: readonly string[] },
  values: readonly string[],
): HttpError {
  return refuse(404, `The entity ${name} has no row with ${describeKey(keys, values)}.`);
}

/** `id 5`, or `lang en and id 5`. */
export function describeKey(keys: readonly string[], values: readonly string[]): string {
  return keys.map((key, index) => `${key} ${values[index] ?? ''}`).join(' and ');
}

export function badOption(name: string, message: string): HttpError {
  const violation = { in: 'query', pointer: `/${name}`, message } as const;
  return refuse(400, `The option ${name} cannot be read: ${message}.`, violation);
}
