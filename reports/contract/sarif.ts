import { writeJsonReport } from '../quote-text.js';
import { type ContractReportData, operationsOf, type ReportedFinding } from './contract-report.js';

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
        results: findings.map((finding) => {
          const { check, severity, operationId, pointer, message, expected, actual, curl, count } = finding;
          return {
            ruleId: check,
            ruleIndex: rules.indexOf(check),
            level: severity,
            message: { text: `${message} Expected ${expected}; was ${actual}.` },
            locations: [
              {
                ...physicalLocation(finding),
                logicalLocations: operationsOf(finding).map((name) => ({
                  name,
                  fullyQualifiedName: paths.get(name) ?? name,
                  kind: 'function',
                })),
              },
            ],
            partialFingerprints: { finding: `${check} ${operationId} ${pointer}` },
            occurrenceCount: count,
            properties: { curl, pointer },
          };
        }),
      },
    ],
  };
  return writeJsonReport(log);
}

/** The place of the rule in the spec. */
function physicalLocation({ place }: ReportedFinding): object {
  if (place === undefined) return {};
  const { file, line, column } = place;
  return {
    physicalLocation: {
      artifactLocation: { uri: /^[a-z][a-z0-9+.-]+:/i.test(file) ? file : encodeURI(file) },
      region: { startLine: line, startColumn: column },
    },
  };
}
