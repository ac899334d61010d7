import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import path from 'node:path';

import type Handlebars from 'handlebars';

import { packageRoot } from '../../model/package-info.js';
import type { ContractReport } from '../types.js';
import { toShownText } from './shown-text.js';
import { STOPPED } from './text.js';

/** A report as one HTML page that needs nothing else. Everything that comes from outside is escaped by the template. */
export function toHtml(report: ContractReport): string {
  const handlebars = createRequire(import.meta.url)('handlebars') as typeof Handlebars;
  const text = readFileSync(path.join(packageRoot, 'templates', 'contract-report.hbs'), 'utf8');
  return handlebars.compile(text, { strict: true })(viewOf(report));
}

function viewOf(report: ContractReport): object {
  const { findings, coverage } = report;
  const operations = coverage.operations.map((operation) => ({
    ...operation,
    seen: Object.entries(operation.statuses).map(([status, count]) => ({ status, count, kind: kindOf(status) })),
    isUnreached: operation.requests === 0,
    findings: findings.filter(({ operationId }) => operationId === operation.operationId).length,
  }));
  return shown({
    api: report.api,
    url: report.url,
    startedAt: `${report.startedAt.slice(0, 19).replace('T', ' ')} UTC`,
    seed: report.seed,
    repeat: report.repeat,
    phases: report.phases.join(', '),
    notes: report.notes,
    requests: report.requests,
    seconds: (report.durationMs / 1_000).toFixed(1),
    stopped: report.stopped === undefined ? '' : STOPPED[report.stopped],
    count: findings.length,
    verdict:
      findings.length === 0 ? 'No findings' : findings.length === 1 ? '1 finding' : `${findings.length} findings`,
    reached: operations.filter(({ isUnreached }) => !isUnreached).length,
    total: operations.length,
    findings: findings.map((finding, index) => {
      const operation = operations.find(({ operationId }) => operationId === finding.operationId);
      return {
        ...finding,
        number: index + 1,
        method: operation?.method ?? '',
        path: operation?.path ?? '',
        statusText: finding.status === 0 ? 'no answer' : String(finding.status),
        kind: kindOf(String(finding.status)),
        times: finding.count === 1 ? 'seen once' : `seen ${finding.count} times`,
      };
    }),
    operations,
    keywords: Object.entries(coverage.keywords).map(([name, { broken, places }]) => ({
      name,
      broken,
      places,
      isWhole: broken === places,
    })),
  }) as object;
}

/** `2xx` and so on: statuses of a kind have a colour. */
function kindOf(status: string): string {
  return `s${status.charAt(0)}`;
}

/** A view with all of its texts made fit to be read. */
function shown(value: unknown): unknown {
  if (typeof value === 'string') return toShownText(value);
  if (Array.isArray(value)) return value.map((item) => shown(item));
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([name, member]) => [name, shown(member)]));
}
