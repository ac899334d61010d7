import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import path from 'node:path';

import type Handlebars from 'handlebars';

import { packageRoot } from '../../model/package-info.js';
import type { ContractReport } from '../types.js';

/** A report as one HTML page that needs nothing else. Everything that comes from outside is escaped by the template. */
export function toHtml(report: ContractReport): string {
  const handlebars = createRequire(import.meta.url)('handlebars') as typeof Handlebars;
  const text = readFileSync(path.join(packageRoot, 'templates', 'contract-report.hbs'), 'utf8');
  return handlebars.compile(text, { strict: true })(viewOf(report));
}

function viewOf(report: ContractReport): object {
  const { findings, coverage } = report;
  return {
    api: report.api,
    url: report.url,
    seed: report.seed,
    phases: report.phases.join(', '),
    requests: report.requests,
    seconds: (report.durationMs / 1_000).toFixed(1),
    stopped: report.stopped ?? '',
    count: findings.length,
    findings: findings.map((finding, index) => ({
      ...finding,
      number: index + 1,
      statusText: finding.status === 0 ? 'no answer' : String(finding.status),
    })),
    operations: coverage.operations.map((operation) => ({
      ...operation,
      seen: Object.entries(operation.statuses)
        .map(([status, count]) => `${status} ×${count}`)
        .join(', '),
      missed: operation.unseen.join(', '),
      isUnreached: operation.requests === 0,
    })),
    keywords: Object.entries(coverage.keywords).map(([name, count]) => ({ name, count })),
  };
}
