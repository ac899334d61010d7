import { countOf, showTimes } from '../counts.js';
import { codeBlock, toCode } from '../markdown.js';
import { type ContractReportData, countSeverities, type ReportedFinding, showFindingPlace } from './contract-report.js';
import { unreachedTree } from './unreached-tree.js';
import { cleanUpLines, otherPlaces, reachLine, shortCommands, STOPPED } from './text.js';

/** The most findings of a summary. GitHub refuses one of more than a megabyte. */
const MOST_FINDINGS = 50;
/** The longest commands that are shown, in characters. */
const LONGEST = 4_000;

/**
 * Renders a report as Markdown for a job summary or the comment of a pull request. Text from the spec or the server
 * is code, so that markup and mentions in it have no effect.
 */
export function toMarkdown(report: ContractReportData): string {
  const { api, url, findings, unreached, reach, requests, durationMs, seed, stopped, repeat } = report;
  const severities = findings.length === 0 ? '' : ` (${countSeverities(findings)})`;
  const rest = findings.length - MOST_FINDINGS;
  const run = `${countOf(requests, 'request')} in ${(durationMs / 1_000).toFixed(1)} s, seed ${seed}`;
  return [
    `## Contract tests of ${toCode(api)}`,
    '',
    `**${countOf(findings.length, 'finding')}${severities}.** ${reachLine(reach)}. ${run}, ${toCode(url)}.`,
    '',
    ...alarms(report).flatMap((line) => [`> ${line}`, '']),
    ...(findings.length === 0 ? [] : [...table(findings), '']),
    ...findings.slice(0, MOST_FINDINGS).flatMap((finding, index) => describe(finding, index + 1)),
    ...(rest > 0 ? [`… and ${countOf(rest, 'more finding')}: the other reports have all of them.`, ''] : []),
    ...(unreached.length === 0 ? [] : ['### Operations that never succeeded', '']),
    ...(unreached.length === 0 ? [] : [...codeBlock(unreachedTree(unreached), 'text'), '']),
    ...cleanUpLines(report).map((line) => `- ${toCode(line.trim())}`),
    ...(stopped === undefined ? [] : ['', STOPPED[stopped]]),
    ...(findings.length === 0 ? [] : ['', 'Again:', '', ...codeBlock([repeat], 'sh')]),
    '',
  ].join('\n');
}

/** Why a report without findings proves little. */
function alarms({ serverEnded, nothingTested, credentialRefused }: ContractReportData): string[] {
  return [
    ...(serverEnded === undefined ? [] : [toCode(serverEnded.message)]),
    ...(nothingTested === undefined ? [] : [`Nothing was tested: ${toCode(nothingTested)}`]),
    ...(credentialRefused === undefined ? [] : [toCode(credentialRefused)]),
  ];
}

function table(findings: readonly ReportedFinding[]): string[] {
  return [
    '| | severity | check | operation | rule |',
    '| --- | --- | --- | --- | --- |',
    ...findings.slice(0, MOST_FINDINGS).map(({ severity, check, operationId, place }, index) => {
      const cells = [toCell(operationId), place === undefined ? '' : toCell(showFindingPlace(place))];
      return `| ${index + 1} | ${severity} | ${check} | ${cells.join(' | ')} |`;
    }),
  ];
}

/** A bar ends a cell even in code. */
function toCell(text: string): string {
  return toCode(text).replaceAll('|', String.raw`\|`);
}

function describe(finding: ReportedFinding, number: number): string[] {
  const {
    check,
    severity,
    operationId,
    status,
    pointer,
    message,
    expected,
    actual,
    curl,
    count,
    alsoAt = [],
  } = finding;
  const { special, allowed, place } = finding;
  const response = status === 0 ? 'no response' : String(status);
  const at = pointer === '' ? '' : ` at ${toCode(pointer)}`;
  const short = shortCommands(curl).join('\n');
  const commands = short.length > LONGEST ? `${short.slice(0, LONGEST)}\n# … the json report has the rest` : short;
  return [
    `### ${number}. ${severity}: ${check}: ${toCode(operationId)} (${response})${at}${showTimes(count)}`,
    '',
    toCode(message),
    '',
    ...(special === undefined ? [] : [`- the request: ${toCode(special)}`]),
    ...(allowed === undefined ? [] : [`- allowed: ${toCode(allowed)}`]),
    `- expected: ${toCode(expected)}`,
    `- actual: ${toCode(actual)}`,
    ...(place === undefined ? [] : [`- the rule: ${toCode(showFindingPlace(place))} ${toCode(place.pointer)}`]),
    ...(alsoAt.length === 0 ? [] : [`- also at: ${toCode(otherPlaces(finding))}`]),
    '',
    ...codeBlock(commands.split('\n'), 'sh'),
    '',
  ];
}
