import { countOf, showTimes } from '../counts.js';
import type { ProxyReport, ReportedCall, ReportedViolation } from './proxy-report.js';
import { toTerminalText } from '../strip-controls.js';
import { describeDeprecated } from '../deprecated-use.js';
import { describeOverlay } from '../written-overlay.js';

/** Longer paths are cut on the terminal. The report has them in full. */
const MOST_PATH = 120;

/** Returns a line for each violation of a completed call, with all text escaped. */
export function describeCall({ method, path, status, violations }: ReportedCall): string[] {
  return violations.map((violation) =>
    toTerminalText(`${method} ${shorten(path)} → ${describePlace({ ...violation, status })} ${violation.message}`),
  );
}

/** Returns the report as lines for a terminal. */
export function describeReport(report: ProxyReport): string[] {
  const { violations, calls, callsWithViolations, upstream, notes, omitted, overlay } = report;
  const lines = [
    '',
    ...violations.flatMap((violation, index) => describeViolation(violation, index + 1)),
    ...(omitted === 0 ? [] : [`… and ${omitted} more that are not listed`, '']),
    ...(notes.length === 0
      ? []
      : ['Notes', ...notes.map(({ message, count }) => `  ${message}${showTimes(count)}`), '']),
    ...describeDeprecated(report.deprecated),
    violations.length === 0
      ? `No violations in ${countOf(calls, 'call')} to ${upstream}`
      : `${countOf(violations.length, 'distinct violation')}, in ${callsWithViolations} of ${countOf(calls, 'call')} to ${upstream}`,
    ...(overlay === undefined ? [] : describeOverlay(overlay)),
  ];
  return lines.map((line) => toTerminalText(line));
}

function describeViolation(violation: ReportedViolation, number: number): string[] {
  const { operationId, message, count, method, first } = violation;
  const what = operationId ?? `${method} ${shorten(first.path)}`;
  return [
    `${number}. ${what} → ${describePlace(violation)}${showTimes(count)}`,
    `   ${message}`,
    ...(operationId === undefined ? [] : [`   first in ${first.method} ${shorten(first.path)}`]),
    '',
  ];
}

/** Formats a place, such as `200: response /body/name`. */
function describePlace({ status, in: place, pointer }: Pick<ReportedViolation, 'status' | 'in' | 'pointer'>): string {
  const response = status === 0 ? 'no response' : String(status);
  const where = place === 'response' ? 'response' : `request ${place}`;
  return `${response}: ${where}${pointer === '' ? '' : ` ${pointer}`}`;
}

function shorten(path: string): string {
  return path.length > MOST_PATH ? `${path.slice(0, MOST_PATH)}…` : path;
}
