import type { ContractReportData, ReportedFinding } from './contract-report.js';
import { coverageLines } from './text.js';
import { type JunitCase, writeJunit } from '../junit-xml.js';

/**
 * A report as JUnit XML: one suite, a case for each operation that shows nothing and for each finding; operations that were not
 * reached are skipped.
 */
export function toJunit(report: ContractReportData): string {
  const { api, findings, coverage, durationMs, startedAt } = report;
  const cases = coverage.operations.flatMap(({ operationId, requests }): JunitCase[] => {
    const own = findings.filter((finding) => finding.operationId === operationId);
    if (own.length > 0) return own.map(failedCase);
    return [{ name: operationId, ...(requests > 0 ? {} : { skipped: 'not reached' }) }];
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
    },
    cases,
    output: [...coverageLines(report), ...report.notes],
  });
}

function failedCase(finding: ReportedFinding): JunitCase {
  const { operationId, check, status, pointer, message, expected, actual, curl } = finding;
  const text = [
    message,
    ...(pointer === '' ? [] : [`at ${pointer}`]),
    `expected: ${expected}`,
    `actual: ${actual}`,
    curl,
  ].join('\n');
  const response = status === 0 ? 'no response' : String(status);
  const name = `${operationId}: ${check} (${response})${pointer === '' ? '' : ` at ${pointer}`}`;
  return { name, failure: { type: check, message, text } };
}
