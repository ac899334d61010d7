import type { ContractReport, Finding } from '../types.js';
import { toShownText } from './shown-text.js';

/**
 * A report as JUnit XML: one suite, a case for each operation that shows nothing and for each finding; operations that were not
 * reached are skipped.
 */
export function toJunit(report: ContractReport): string {
  const { api, findings, coverage, durationMs } = report;
  const cases = coverage.operations.flatMap(({ operationId, requests }) => {
    const own = findings.filter((finding) => finding.operationId === operationId);
    if (own.length > 0) return own.map((finding) => failedCase(api, finding));
    const start = `    <testcase classname="${xml(api)}" name="${xml(operationId)}" time="0"`;
    return [requests > 0 ? `${start}/>` : `${start}><skipped message="not reached"/></testcase>`];
  });
  const skipped = coverage.operations.filter(({ requests }) => requests === 0).length;
  const counts = `tests="${cases.length}" failures="${findings.length}" errors="0" skipped="${skipped}"`;
  const time = `time="${(durationMs / 1_000).toFixed(3)}"`;
  const properties = {
    url: report.url,
    seed: String(report.seed),
    repeat: report.repeat,
    stopped: report.stopped ?? '',
  };
  return [
    '<?xml version="1.0" encoding="UTF-8"?>',
    `<testsuites name="specmill contract" ${counts.replace(/ skipped=.*/, '')} ${time}>`,
    `  <testsuite name="${xml(api)}" ${counts} ${time}>`,
    '    <properties>',
    ...Object.entries(properties).map(([name, value]) => `      <property name="${name}" value="${xml(value)}"/>`),
    '    </properties>',
    ...cases,
    '  </testsuite>',
    '</testsuites>',
    '',
  ].join('\n');
}

function failedCase(api: string, { operationId, check, pointer, message, expected, actual, curl }: Finding): string {
  const text = [
    message,
    ...(pointer === '' ? [] : [`at ${pointer}`]),
    `expected: ${expected}`,
    `actual: ${actual}`,
    curl,
  ].join('\n');
  return [
    `    <testcase classname="${xml(api)}" name="${xml(`${operationId}: ${check}${pointer === '' ? '' : ` at ${pointer}`}`)}" time="0">`,
    `      <failure type="${xml(check)}" message="${xml(message)}">${xml(text)}</failure>`,
    '    </testcase>',
  ].join('\n');
}

/** Escapes text, with what XML 1.0 has no way to write made readable. */
function xml(text: string): string {
  return toShownText(text)
    .replaceAll(/[\p{Cs}\ufffe\uffff]/gu, '\ufffd')
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;')
    .replaceAll('>', '&gt;')
    .replaceAll('"', '&quot;')
    .replaceAll('\n', '&#10;')
    .replaceAll('\t', '&#9;');
}
