import { writeJsonReport } from '../quote-text.js';
import type { ContractReportData } from './contract-report.js';

/** Renders a report as SARIF 2.1.0: each check is a rule, each operation a logical location. */
export function toSarif({ findings, coverage, url, seed, reach }: ContractReportData): string {
  const paths = new Map(coverage.operations.map(({ operationId, method, path }) => [operationId, `${method} ${path}`]));
  const rules = [...new Set(findings.map(({ check }) => check))];
  const log = {
    $schema: 'https://json.schemastore.org/sarif-2.1.0.json',
    version: '2.1.0',
    runs: [
      {
        tool: {
          driver: {
            name: 'specmill contract',
            rules: rules.map((check) => ({ id: check, shortDescription: { text: check } })),
          },
        },
        properties: { url, seed, reach },
        results: findings.map(({ check, severity, operationId, pointer, message, expected, actual, curl, count }) => ({
          ruleId: check,
          ruleIndex: rules.indexOf(check),
          level: severity,
          message: { text: `${message} Expected ${expected}; was ${actual}.` },
          locations: [
            {
              logicalLocations: [
                { name: operationId, fullyQualifiedName: paths.get(operationId) ?? operationId, kind: 'function' },
              ],
            },
          ],
          partialFingerprints: { finding: `${check} ${operationId} ${pointer}` },
          occurrenceCount: count,
          properties: { curl, pointer },
        })),
      },
    ],
  };
  return writeJsonReport(log);
}
