import { HttpError, type Violation } from 'specmill/mock';

/** An error for a request that the engine does not do. */
export function refuse(status: 400 | 403 | 404 | 409, message: string, ...violations: readonly Violation[]): HttpError {
  return new HttpError(status, message, { details: violations.length === 0 ? {} : { violations } });
}

export function entityNotFound(entity: string): HttpError {
  return refuse(404, `There is no entity ${entity}.`);
}

/** A query option that cannot be read. */
export function badOption(name: string, message: string): HttpError {
  return refuse(400, `The option ${name} cannot be read: ${message}.`, {
    in: 'query',
    pointer: `/${name}`,
    message,
  });
}
