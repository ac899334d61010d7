import type { ContractReport, Finding } from '../types.js';
import { toShownText } from './shown-text.js';
import { coverageLines } from './text.js';

/**
 * A report as JUnit XML: one suite, a case for each operation that shows nothing and for each finding; operations that were not
 * reached are skipped. It has what the schemas of Ant and of Jenkins both allow, and all that either of them demands.
 */
export function toJunit(report: ContractReport): string {
  const { api, findings, coverage, durationMs, startedAt } = report;
  const names = new UniqueNames();
  const cases = coverage.operations.flatMap(({ operationId, requests }) => {
    const own = findings.filter((finding) => finding.operationId === operationId);
    if (own.length > 0) return own.map((finding) => failedCase(api, finding, names));
    const start = `    <testcase classname="${attribute(api)}" name="${attribute(names.take(operationId))}" time="0"`;
    return [requests > 0 ? `${start}/>` : `${start}><skipped message="not reached"/></testcase>`];
  });
  const skipped = coverage.operations.filter(({ requests }) => requests === 0).length;
  const suite = {
    id: '0',
    package: 'specmill contract',
    name: api === '' ? 'API' : api,
    // The Ant schema wants no time zone: it is UTC.
    timestamp: startedAt.slice(0, 19),
    hostname: 'localhost',
    tests: String(cases.length),
    failures: String(findings.length),
    errors: '0',
    skipped: String(skipped),
    time: (durationMs / 1_000).toFixed(3),
  };
  const properties = {
    url: report.url,
    seed: String(report.seed),
    repeat: report.repeat,
    stopped: report.stopped ?? '',
  };
  return [
    '<?xml version="1.0" encoding="UTF-8"?>',
    '<testsuites>',
    `  <testsuite ${attributes(suite)}>`,
    '    <properties>',
    ...Object.entries(properties).map(([name, value]) => `      <property ${attributes({ name, value })}/>`),
    '    </properties>',
    ...cases,
    `    <system-out>${content([...coverageLines(report), ...report.notes].join('\n'))}</system-out>`,
    '    <system-err></system-err>',
    '  </testsuite>',
    '</testsuites>',
    '',
  ].join('\n');
}

function failedCase(api: string, finding: Finding, names: UniqueNames): string {
  const { operationId, check, status, pointer, message, expected, actual, curl } = finding;
  const text = [
    message,
    ...(pointer === '' ? [] : [`at ${pointer}`]),
    `expected: ${expected}`,
    `actual: ${actual}`,
    curl,
  ].join('\n');
  const answer = status === 0 ? 'no answer' : String(status);
  const name = names.take(`${operationId}: ${check} (${answer})${pointer === '' ? '' : ` at ${pointer}`}`);
  return [
    `    <testcase ${attributes({ classname: api, name, time: '0' })}>`,
    `      <failure ${attributes({ type: check, message })}>${content(text)}</failure>`,
    '    </testcase>',
  ].join('\n');
}

/** Of cases with the same name, most readers of such files show one only. */
class UniqueNames {
  readonly #counts = new Map<string, number>();

  take(name: string): string {
    const count = (this.#counts.get(name) ?? 0) + 1;
    this.#counts.set(name, count);
    return count === 1 ? name : this.take(`${name} #${count}`);
  }
}

function attributes(values: Readonly<Record<string, string>>): string {
  return Object.entries(values)
    .map(([name, value]) => `${name}="${attribute(value)}"`)
    .join(' ');
}

/** In an attribute, white space that is written as it is would become blanks. */
function attribute(text: string): string {
  return content(text).replaceAll('"', '&quot;').replaceAll('\n', '&#10;').replaceAll('\t', '&#9;');
}

/** Escapes text, with what XML 1.0 has no way to write made readable. */
function content(text: string): string {
  return toShownText(text)
    .replaceAll(/[\p{Cs}\ufffe\uffff]/gu, '\ufffd')
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;')
    .replaceAll('>', '&gt;');
}
