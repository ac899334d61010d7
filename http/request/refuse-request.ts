import type { Operation } from '../../model/api.js';
import { splitPointer } from '../../model/document/pointer.js';
import type { IdentifyCaller } from '../credentials/caller.js';
import type { Violation } from '../messages.js';
import { HttpError } from '../http-error.js';

/** A violation of a request, with details of its refusal. */
export interface RequestViolation {
  readonly violation: Violation;
  /** Overrides the default 400 or 422. */
  readonly status?: number;
  /** For 401: the value of `WWW-Authenticate`. */
  readonly challenge?: string;
}

/** The violation of a request whose caller has no access. */
export function credentialViolation({
  message,
  status,
  challenge,
}: Extract<ReturnType<IdentifyCaller>, { readonly ok: false }>): RequestViolation {
  const violation = { in: 'security', pointer: '', message } as const;
  return { violation, status, ...(challenge === undefined ? {} : { challenge }) };
}

/**
 * Returns the refusal of violations: 422 if the operation documents it, a more specific status such as 413 or 415 if
 * the cause has one, else 400. A caller without access sees no other violations.
 */
export function refusalOf(found: readonly RequestViolation[], operation: Operation): HttpError {
  const security = found.find(({ violation }) => violation.in === 'security');
  if (security !== undefined) {
    const headers = security.challenge === undefined ? {} : { 'www-authenticate': security.challenge };
    return new HttpError(security.status ?? 401, security.violation.message, {
      violations: [security.violation],
      headers,
    });
  }
  const violations = found.map(({ violation }) => violation);
  return new HttpError(statusOf(found, operation), describeViolations(violations), { violations });
}

/** Names the first violation and how many more there are: many clients show only this message. */
export function describeViolations([first, ...others]: readonly Violation[]): string {
  if (first === undefined) return 'The request does not match the specification.';
  const name = splitPointer(first.pointer).join('.');
  const part = first.in === 'body' ? 'body' : `${first.in} of the request`;
  const more = others.length === 0 ? '' : ` (and ${others.length} more)`;
  return `${name === '' ? `The ${part}` : name} ${first.message}${more}`;
}

function statusOf(found: readonly RequestViolation[], { responses }: Operation): number {
  const documents = (status: string): boolean => responses.some((response) => response.status === status);
  const better = found.find(({ status }) => status !== undefined)?.status;
  // An unreadable body gives 400, unless the spec documents only 422.
  if (better !== undefined && (better !== 400 || documents('400'))) return better;
  return documents('422') ? 422 : 400;
}
