import { type ContractReportData, countSeverities } from './contract-report.js';
import { renderPage, showTime, timesOf } from '../html-page.js';
import { causeLines, cleanUpLines, reachLine, STOPPED, warningLines } from './text.js';

/** Renders a report as a self-contained HTML page. */
export function toHtml(report: ContractReportData): string {
  const { findings, coverage, requests, durationMs, stopped } = report;
  return renderPage({
    heading: `Contract tests of ${report.api}`,
    noun: 'finding',
    facts: [
      { name: 'Server', value: report.url },
      { name: 'Started', value: showTime(report.startedAt) },
      { name: 'Seed', value: String(report.seed) },
      { name: 'Requests', value: `${requests} in ${(durationMs / 1_000).toFixed(1)} s` },
      { name: 'Operations', value: reachLine(report.reach) },
      ...(findings.length === 0 ? [] : [{ name: 'Severity', value: countSeverities(findings) }]),
      { name: 'Phases', value: report.phases.join(', ') },
    ],
    warning: [...(stopped === undefined ? [] : [STOPPED[stopped]]), ...warningLines(report)].join('\n').trim(),
    findings: findings.map((finding) => {
      const { phase, count } = finding;
      const operation = coverage.operations.find(({ operationId }) => operationId === finding.operationId);
      return {
        ...finding,
        method: operation?.method ?? '',
        path: operation?.path ?? '',
        details: [`phase ${phase}, seen ${timesOf(count)}`, ...causeLines(finding)].join('; '),
      };
    }),
    repeat: report.repeat,
    operations: coverage.operations,
    notes: [...report.notes, ...cleanUpLines(report)],
    keywords: Object.entries(coverage.keywords).map(([name, places]) => ({ name, ...places })),
  });
}
