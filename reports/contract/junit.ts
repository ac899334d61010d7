import { type ContractReportData, failingFindings, operationsOf, type ReportedFinding } from './contract-report.js';
import { causeLines, cleanUpLines, coverageLines, reachLine, shortCommands } from './text.js';
import { detailsOf, unreachedTree } from './unreached-tree.js';
import { type JunitCase, writeJunit } from '../junit-xml.js';

/**
 * Renders a report as JUnit XML: one suite with a case for each operation and for each check that an operation failed.
 * Names are stable between runs. Operations that never succeeded are skipped, with the reason, and so are checks with
 * findings that do not fail the run.
 */
export function toJunit(report: ContractReportData): string {
  const { api, findings, coverage, durationMs, startedAt, unreached, reach } = report;
  const reasons = new Map(unreached.map((one) => [one.operationId, [one.reason, ...detailsOf(one)].join('\n')]));
  const failing = new Set(failingFindings(report));
  const cases = coverage.operations.flatMap(({ operationId, requests }): JunitCase[] => {
    const own = findings.filter((finding) => operationsOf(finding).includes(operationId));
    const checks = [...new Set(own.map(({ check }) => check))];
    const reason = reasons.get(operationId);
    const failed = checks.map((check) => {
      const found = own.filter((finding) => finding.check === check);
      return found.some((finding) => failing.has(finding))
        ? failedCase(operationId, found)
        : acceptedCase(operationId, found);
    });
    if (reason !== undefined) return [{ name: operationId, skipped: `never succeeded: ${reason}` }, ...failed];
    if (failed.length > 0) return failed;
    return [{ name: operationId, ...(requests > 0 ? {} : { skipped: notSentReason(report, operationId) }) }];
  });
  return writeJunit({
    package: 'specmill contract',
    name: api,
    startedAt,
    durationMs,
    properties: {
      url: report.url,
      seed: String(report.seed),
      repeat: report.repeat,
      stopped: report.stopped ?? '',
      'fail-on': report.failOn,
      reach: reachLine(reach),
      deleted: String(report.deleted),
      'not-deleted': String(report.notDeleted.length),
    },
    cases: [...runCases(report), ...cases],
    output: [
      `${reachLine(reach)}.`,
      ...unreachedTree(unreached, '  '),
      ...coverageLines(report),
      ...report.notes,
      ...cleanUpLines(report),
    ],
  });
}

/** The cases about the run as a whole. They exist only if they fail. */
function runCases({ nothingTested, credentialRefused, serverEnded }: ContractReportData): JunitCase[] {
  const failures = [
    { name: 'the server keeps running', type: 'server ended', message: serverEnded?.message, curl: serverEnded?.curl },
    { name: 'anything was tested', type: 'nothing tested', message: nothingTested, curl: undefined },
    { name: 'the credential is accepted', type: 'credential refused', message: credentialRefused, curl: undefined },
  ];
  return failures.flatMap(({ name, type, message, curl }) =>
    message === undefined
      ? []
      : [{ name, failure: { type, message, text: curl === undefined ? message : `${message}\n${curl}` } }],
  );
}

function notSentReason({ reach: { reasons } }: ContractReportData, operationId: string): string {
  return Object.hasOwn(reasons, operationId) ? `not sent: ${reasons[operationId]}` : 'not reached';
}

/** Returns one case for all findings of a check at an operation, the worst first. */
function failedCase(operationId: string, findings: readonly ReportedFinding[]): JunitCase {
  const text = findings.map((finding) => describe(operationId, finding)).join('\n\n');
  return {
    name: nameOf(operationId, findings),
    failure: { type: findings[0]?.severity ?? '', message: messageOf(findings), text },
  };
}

/** Returns a case for findings that do not fail the run. */
function acceptedCase(operationId: string, findings: readonly ReportedFinding[]): JunitCase {
  return { name: nameOf(operationId, findings), skipped: `${findings[0]?.severity}: ${messageOf(findings)}` };
}

function nameOf(operationId: string, [first]: readonly ReportedFinding[]): string {
  return `${operationId}: ${first?.check}`;
}

function messageOf([first, ...others]: readonly ReportedFinding[]): string {
  return `${first?.message ?? ''}${others.length > 0 ? ` (and ${others.length} more)` : ''}`;
}

function describe(operation: string, finding: ReportedFinding): string {
  const { severity, status, pointer, message, expected, actual, curl, operationId } = finding;
  return [
    message,
    ...(operation === operationId ? [] : [`shown for ${operationId}`]),
    ...causeLines(finding),
    `severity: ${severity}`,
    `status: ${status === 0 ? 'no response' : status}`,
    ...(pointer === '' ? [] : [`at ${pointer}`]),
    `expected: ${expected}`,
    `actual: ${actual}`,
    ...shortCommands(curl),
  ].join('\n');
}
