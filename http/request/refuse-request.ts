import type { Operation } from '../../model/api.js';
import type { MockDiagnostic } from '../../server/seams/mock-diagnostic.js';
import { HttpError } from '../http-error.js';

/**
 * How violations are refused: 422 where the operation documents it, 413, 415 and the like where these say it better,
 * else 400. Who may not call learns nothing of the rest.
 */
export function refusalOf(diagnostics: readonly MockDiagnostic[], operation: Operation): HttpError {
  const security = diagnostics.find(({ violation }) => violation.in === 'security');
  if (security !== undefined) {
    const headers = security.challenge === undefined ? {} : { 'www-authenticate': security.challenge };
    return new HttpError(security.status ?? 401, security.message, { violations: [security.violation], headers });
  }
  const violations = diagnostics.map(({ violation }) => violation);
  return new HttpError(statusOf(diagnostics, operation), 'Request does not match the specification.', { violations });
}

function statusOf(diagnostics: readonly MockDiagnostic[], { responses }: Operation): number {
  const documents = (status: string): boolean => responses.some((response) => response.status === status);
  const better = diagnostics.find(({ status }) => status !== undefined)?.status;
  // What cannot even be read is a bad request, unless the document has only the other word for it.
  if (better !== undefined && (better !== 400 || documents('400'))) return better;
  return documents('422') ? 422 : 400;
}
