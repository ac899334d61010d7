import { HttpError, omitMembers, type ResourceHooks, type Violation } from 'specmill/mock';

import type { ErrorStatus } from '../../generated/generation/types.js';

interface Reason {
  /** Default: 400. */
  readonly status?: 400 | 401 | 404 | 409 | 500 | 503;
  /** Default: the canonical code of the status. */
  readonly code?: ErrorStatus;
  readonly violations?: readonly Violation[];
}

/** An error for a request that the model, a file, a setting or the state does not allow. */
export function refuse(message: string, { status = 400, code, violations = [] }: Reason = {}): HttpError {
  return new HttpError(status, message, {
    details: { ...(code === undefined ? {} : { status: code }), ...(violations.length > 0 ? { violations } : {}) },
  });
}

export function notFound(what: string): HttpError {
  return refuse(`${what} was not found.`, { status: 404 });
}

/** The rules that all resources of the service share: they start empty, and their lists omit empty members. */
export function describeResource(
  what: string,
  page: Pick<NonNullable<ResourceHooks<object>['page']>, 'defaultSize' | 'maxSize' | 'order'>,
): Pick<ResourceHooks<object>, 'examples' | 'refuse' | 'page'> {
  return {
    examples: [],
    refuse: ({ reason, id }) =>
      reason === 'page' ? refuse('The page token is not valid.') : notFound(`${what}/${id}`),
    page: { ...page, show: (list) => omitMembers(list, (name) => isEmptyList(list[name])) },
  };
}

function isEmptyList(value: unknown): boolean {
  return Array.isArray(value) && value.length === 0;
}

/** Creates an error for a place in the body that violates a rule that no schema can express. */
export function refuseAt(message: string, pointer: string, problem: string): HttpError {
  return refuse(message, { violations: [{ in: 'body', pointer, message: problem }] });
}

export function refuseMember(pointer: string, name: string, problem: string): HttpError {
  return refuseAt(`${name} ${problem}.`, pointer, problem);
}

export function refuseState(message: string): HttpError {
  return refuse(message, { code: 'FAILED_PRECONDITION' });
}

/** Milliseconds. */
export const SECOND = 1_000;
export const MINUTE: number = 60 * SECOND;
export const HOUR: number = 60 * MINUTE;

/** Converts seconds with the suffix `s`, such as `3.5s`, to milliseconds. */
export function fromDuration(duration: string): number {
  return Math.round(Number(duration.slice(0, -1)) * SECOND);
}
