import type { ContractReport, Finding } from '../types.js';

/** A report as JUnit XML: one suite, one case for each operation and one failure for each finding. */
export function toJunit({ api, findings, coverage, durationMs }: ContractReport): string {
  const cases = coverage.operations.flatMap(({ operationId }) => {
    const own = findings.filter((finding) => finding.operationId === operationId);
    return own.length === 0
      ? [`    <testcase classname="${xml(api)}" name="${xml(operationId)}"/>`]
      : own.map((finding) => failedCase(api, finding));
  });
  const count = cases.length;
  const seconds = (durationMs / 1_000).toFixed(3);
  return [
    '<?xml version="1.0" encoding="UTF-8"?>',
    `<testsuites tests="${count}" failures="${findings.length}" time="${seconds}">`,
    `  <testsuite name="${xml(api)}" tests="${count}" failures="${findings.length}" time="${seconds}">`,
    ...cases,
    '  </testsuite>',
    '</testsuites>',
    '',
  ].join('\n');
}

function failedCase(api: string, { operationId, check, message, expected, actual, curl }: Finding): string {
  const text = [message, `expected: ${expected}`, `actual: ${actual}`, curl].join('\n');
  return [
    `    <testcase classname="${xml(api)}" name="${xml(`${operationId}: ${check}`)}">`,
    `      <failure type="${xml(check)}" message="${xml(message)}">${xml(text)}</failure>`,
    '    </testcase>',
  ].join('\n');
}

/** Escapes text, and leaves out what XML 1.0 has no way to write. */
function xml(text: string): string {
  return text
    .replaceAll(/\p{Cs}/gu, '\ufffd')
    .replaceAll(/[\u0000-\u0008\u000b\u000c\u000e-\u001f\ufffe\uffff]/g, '\ufffd')
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;')
    .replaceAll('>', '&gt;')
    .replaceAll('"', '&quot;')
    .replaceAll('\n', '&#10;');
}
