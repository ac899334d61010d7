import { showTimes } from '../counts.js';
import { type PageFinding, renderPage, showTime, timesOf } from '../html-page.js';
import { writeJunit } from '../junit-xml.js';
import { writeJsonReport } from '../quote-text.js';
import type { ProxyReport, ReportedOperation, ReportedViolation } from './proxy-report.js';
import { describeReport } from './text.js';

/** The data of a proxy report. */
export interface ProxyRun {
  readonly api: { readonly operations: readonly ReportedOperation[] };
  readonly report: ProxyReport;
  /** RFC 3339, in UTC. */
  readonly startedAt: string;
  readonly durationMs: number;
}

/** Renders a proxy report as the text of a file. */
export function renderProxyReport(kind: 'junit' | 'html' | 'json', run: ProxyRun): string {
  if (kind === 'json') return writeJsonReport(run.report);
  return kind === 'html' ? toHtml(run) : toJunit(run);
}

/**
 * Renders a case for each called operation without violations, and one for each violation. Operations that were not
 * called are skipped.
 */
function toJunit({ api, report, startedAt, durationMs }: ProxyRun): string {
  const failed = report.violations.map((violation) => {
    const { operationId, message, first } = violation;
    const name = `${operationId ?? `${first.method} ${first.path}`}: ${describePlace(violation)}`;
    const text = `${message}\n${describeFirst(violation)}`;
    return { name, failure: { type: violation.direction, message, text } };
  });
  const broken = new Set(report.violations.map(({ operationId }) => operationId));
  const others = api.operations.filter(({ id }) => !broken.has(id)).map(({ id }) => id);
  return writeJunit({
    package: 'specmill proxy',
    name: report.api,
    startedAt,
    durationMs,
    properties: { upstream: report.upstream, calls: String(report.calls) },
    cases: [
      ...failed,
      ...others.map((id) => ({ name: id, ...(statusesOf(id, report) === undefined ? { skipped: 'not called' } : {}) })),
    ],
    output: describeReport(report).map((line) => line.trimEnd()),
  });
}

function toHtml({ api, report, startedAt, durationMs }: ProxyRun): string {
  const { calls, callsWithViolations, omitted, notes } = report;
  return renderPage({
    heading: `Traffic of ${report.api}`,
    noun: 'violation',
    facts: [
      { name: 'Upstream', value: report.upstream },
      { name: 'Started', value: showTime(startedAt) },
      { name: 'Served for', value: `${(durationMs / 1_000).toFixed(1)} s` },
      { name: 'Calls', value: String(calls) },
      { name: 'Calls with violations', value: String(callsWithViolations) },
    ],
    warning: omitted === 0 ? '' : `${omitted} more violations are not listed.`,
    findings: report.violations.map((violation) => toFinding(violation, api.operations)),
    repeat: '',
    operations: api.operations.map((operation) => {
      const statuses = statusesOf(operation.id, report) ?? {};
      return {
        operationId: operation.id,
        method: operation.method.toUpperCase(),
        path: operation.path,
        statuses,
        unseen: operation.responses
          .map(({ status }) => status)
          .filter((status) => status !== 'default' && !Object.keys(statuses).some((seen) => isOf(seen, status))),
      };
    }),
    notes: notes.map(({ message, count }) => `${message}${showTimes(count)}`),
    keywords: [],
  });
}

function toFinding(violation: ReportedViolation, operations: readonly ReportedOperation[]): PageFinding {
  const { operationId, message, method, first, status, pointer, direction, count } = violation;
  const where = direction === 'request' ? `request ${violation.in}` : 'response';
  return {
    check: where,
    severity: '',
    message: `${pointer === '' ? `The ${where}` : pointer} ${message}.`,
    operationId: operationId ?? 'no operation',
    method,
    path: operations.find(({ id }) => id === operationId)?.path ?? first.path,
    status,
    pointer,
    details: `seen ${timesOf(count)}, first in ${first.method} ${first.path} (${first.at})`,
    expected: '',
    actual: '',
    curl: '',
    test: '',
  };
}

function statusesOf(id: string, { operations }: ProxyReport): Readonly<Record<string, number>> | undefined {
  return operations.find(({ operationId }) => operationId === id)?.statuses;
}

/** Whether a status equals a documented one or is in its range. */
function isOf(seen: string, documented: string): boolean {
  return seen === documented || documented.toLowerCase() === `${seen.charAt(0)}xx`;
}

function describePlace({ status, direction, in: place, pointer }: ReportedViolation): string {
  const where = direction === 'response' ? 'response' : `request ${place}`;
  return `${status === 0 ? 'no response' : status}, ${where}${pointer === '' ? '' : ` ${pointer}`}`;
}

function describeFirst({ first, count }: ReportedViolation): string {
  return `first in ${first.method} ${first.path} at ${first.at}${showTimes(count)}`;
}
