import type { Severity } from '../../reports/contract/contract-report.js';
import type { CheckName } from '../types.js';
import type { Problem } from '../checks/problem.js';

/**
 * The severity of what each check finds: `error` if the server fails, or data is lost, leaked or wrong; `warning` if a
 * response or a refusal is not as the spec says. A problem that is better or worse than its check states its own.
 */
const SEVERITIES: Readonly<Record<CheckName, Severity>> = {
  'no server error': 'error',
  'server responds': 'error',
  'time limit': 'warning',
  'documented status': 'warning',
  'content type': 'warning',
  'response schema': 'warning',
  'response headers': 'warning',
  'event stream': 'warning',
  'authentication required': 'error',
  'wrong credential refused': 'error',
  'invalid input refused': 'warning',
  'valid input accepted': 'warning',
  'unsupported method': 'warning',
  'no echo in HTML': 'error',
  'created is available': 'error',
  'unique id': 'error',
  'unique value': 'error',
  'others untouched': 'error',
  'read back equal': 'error',
  'list contains': 'error',
  'update is visible': 'error',
  'replace replaces': 'error',
  'gone after delete': 'error',
  'paging adds up': 'error',
  'conditional requests': 'warning',
  'int64 precision': 'error',
  'resumable upload': 'error',
  'gone after expiry': 'error',
  'live session': 'warning',
  'written as sent': 'error',
  'read-only ignored': 'error',
  'default value': 'warning',
  'conflict refused': 'warning',
  'unknown item refused': 'warning',
  'location leads to item': 'warning',
  filter: 'error',
  'sort order': 'warning',
  total: 'error',
  'belongs to parent': 'error',
  'same status for HEAD': 'warning',
  'idempotency key': 'error',
  'job ends': 'warning',
  'access of others refused': 'error',
};

export function severityOf({ check, severity }: Pick<Problem, 'check' | 'severity'>): Severity {
  return severity ?? SEVERITIES[check];
}
