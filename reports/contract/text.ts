import { countOf, showTimes } from '../counts.js';
import { toTerminalText } from '../strip-controls.js';
import {
  type ContractReportData,
  countSeverities,
  type OperationCoverage,
  operationsOf,
  type Reach,
  type ReportedFinding,
  showFindingPlace,
} from './contract-report.js';
import { tryLines, unreachedTree } from './unreached-tree.js';

/** Returns a report as lines for a terminal, with escapes for characters that a terminal would obey. */
export function toText(report: ContractReportData, { maxFindings = Infinity }: TextOptions = {}): string[] {
  const { findings, requests, durationMs, seed, stopped, repeat } = report;
  const severities = findings.length === 0 ? '' : ` (${countSeverities(findings)})`;
  const count = `${countOf(findings.length, 'finding')}${severities}`;
  const rest = findings.length - maxFindings;
  const lines = [
    ...headLines(report),
    ...tryLines(report.tries),
    ...summaryLines(findings),
    ...findings.slice(0, maxFindings).flatMap((finding, index) => describeFinding(finding, index + 1)),
    ...(rest > 0 ? [`… and ${countOf(rest, 'more finding')}: reports have all of them.`, ''] : []),
    'Coverage',
    ...coverageLines(report),
    ...report.notes.map((note) => `  ${note}`),
    '',
    ...cleanUpLines(report),
    `${count} in ${countOf(requests, 'request')}, ${(durationMs / 1_000).toFixed(1)} s (seed ${seed}).`,
    ...(stopped === undefined ? [] : [STOPPED[stopped]]),
    ...(findings.length === 0 ? [] : [`Again: ${repeat}`]),
  ];
  return lines.map((line) => toTerminalText(line));
}

export interface TextOptions {
  /** The most findings that are shown in full. */
  readonly maxFindings?: number;
}

/** What a run reached, and reasons why a run without findings proves little. Printed first. */
function headLines(report: ContractReportData): string[] {
  if (report.nothingTested !== undefined) return warningLines(report);
  const [first = '', ...rest] = warningLines(report);
  const numbers = `${reachLine(report.reach)}.`;
  return report.serverEnded === undefined ? [numbers, first, ...rest] : [first, numbers, ...rest];
}

/** Reasons why a run without findings proves little. */
export function warningLines(report: ContractReportData): string[] {
  const { unreached, nothingTested, credentialRefused, serverEnded } = report;
  const ended = serverEnded === undefined ? [] : [serverEnded.message];
  // Most operations fail for the same reason then: only an explanation of one says more.
  const explained = report.tries === undefined ? [] : unreachedTree(unreached, '  ');
  if (nothingTested !== undefined) return [...ended, `Nothing was tested: ${nothingTested}`, ...explained, ''];
  return [
    ...ended,
    ...(credentialRefused === undefined ? [] : [credentialRefused]),
    ...(unreached.length === 0
      ? []
      : [`Warning: ${countOf(unreached.length, 'operation')} never succeeded:`, ...unreachedTree(unreached, '  ')]),
    ...heldBackLines(report.reach),
    '',
  ];
}

/** `--touch-existing` as the option that sends the operations that the run held back, with their names. */
function heldBackLines({ notSent, reasons }: Reach): string[] {
  const held = notSent.filter((id) => reasons[id]?.includes('--touch-existing') === true);
  if (held.length === 0) return [];
  return [
    `--touch-existing sends ${countOf(held.length, 'operation')} that may change existing items: ${held.join(', ')}`,
  ];
}

/** The most items that a report for people names. */
const MAX_LEFT = 5;

/** `12 items of the run were deleted; 1 could not be deleted:`, and which; empty if the run deleted nothing. */
export function cleanUpLines({ deleted, notDeleted }: Pick<ContractReportData, 'deleted' | 'notDeleted'>): string[] {
  if (deleted + notDeleted.length === 0) return [];
  const done = `${countOf(deleted, 'item')} of the run ${deleted === 1 ? 'was' : 'were'} deleted`;
  if (notDeleted.length === 0) return [`${done}.`];
  const rest = notDeleted.length - MAX_LEFT;
  return [
    `${done}; ${notDeleted.length} could not be deleted:`,
    ...notDeleted.slice(0, MAX_LEFT).map(({ operationId, item, reason }) => `  ${item} (of ${operationId}): ${reason}`),
    ...(rest > 0 ? [`  and ${rest} more`] : []),
  ];
}

/** `8 of 214 operations succeeded; 9 refused every request; 197 not sent (rate limit)` */
export function reachLine({ succeeded, refused, notSent, reasons }: Reach): string {
  const all = succeeded.length + refused.length + notSent.length;
  return [
    `${succeeded.length} of ${countOf(all, 'operation')} succeeded`,
    ...(refused.length === 0 ? [] : [`${refused.length} refused every request`]),
    ...(notSent.length === 0 ? [] : [`${notSent.length} not sent (${reasonCounts(Object.values(reasons))})`]),
  ].join('; ');
}

/** Names each kind of reason, which stands before a colon or semicolon, with its count if there are several. */
function reasonCounts(reasons: readonly string[]): string {
  const counts = new Map<string, number>();
  for (const reason of reasons) {
    const [kind = ''] = reason.split(/[:;]/, 1);
    counts.set(kind, (counts.get(kind) ?? 0) + 1);
  }
  return [...counts].map(([kind, count]) => (counts.size === 1 ? kind : `${count}: ${kind}`)).join(', ');
}

/** Lists findings by severity and check, with the operations that have them. */
function summaryLines(findings: readonly ReportedFinding[]): string[] {
  if (findings.length < 2) return [];
  const checks = new Map<string, ReportedFinding[]>();
  for (const finding of findings) {
    const key = `${finding.severity}: ${finding.check}`;
    const known = checks.get(key);
    if (known === undefined) checks.set(key, [finding]);
    else known.push(finding);
  }
  return [
    'Findings',
    ...[...checks].map(([name, own]) => {
      const operations = [...new Set(own.flatMap(operationsOf))];
      const shown = operations.slice(0, 4).join(', ');
      return `  ${String(own.length).padStart(3)}  ${name}: ${shown}${operations.length > 4 ? ', …' : ''}`;
    }),
    '',
  ];
}

/** Why a run ended early. */
export const STOPPED: Readonly<Record<NonNullable<ContractReportData['stopped']>, string>> = {
  'max-time': 'The run stopped at --max-time before it was complete; a larger --max-time gives it more time.',
  'rate-limit': 'The server asked to wait for longer than --max-time allows.',
  'server-gone': 'The server stopped responding. With --restart CMD, which starts it again, the run goes on.',
  interrupted: 'The run was interrupted.',
};

/** The most places that a report for people names. */
const MOST_PLACES = 8;

/** `addRoom body/size, putRoom body/size and 3 more` */
export function otherPlaces({
  alsoAt = [],
  operationId: own,
}: Pick<ReportedFinding, 'alsoAt' | 'operationId'>): string {
  const shown = alsoAt.slice(0, MOST_PLACES).map(({ operationId, pointer }) => {
    if (operationId === own && pointer !== '') return pointer;
    return pointer === '' ? operationId : `${operationId} ${pointer}`;
  });
  const rest = alsoAt.length - shown.length;
  return `${shown.join(', ')}${rest > 0 ? ` and ${rest} more` : ''}`;
}

/** Lines that say where the rule is, what it allows, and where else it is broken. */
export function causeLines(finding: ReportedFinding): string[] {
  const { special, allowed, alsoAt = [], place, message } = finding;
  return [
    ...(special === undefined || message.includes(special) ? [] : [`the request: ${special}`]),
    ...(allowed === undefined ? [] : [`allowed: ${allowed}`]),
    ...(place === undefined ? [] : [`the rule: ${showFindingPlace(place)} ${place.pointer}`]),
    ...(alsoAt.length === 0 ? [] : [`also at: ${otherPlaces(finding)}`]),
  ];
}

function describeFinding(finding: ReportedFinding, number: number): string[] {
  const { check, severity, operationId, status, pointer, message, expected, actual, curl, count } = finding;
  const response = status === 0 ? 'no response' : String(status);
  return [
    `${number}. ${severity}: ${check}: ${operationId} (${response})${pointer === '' ? '' : ` at ${pointer}`}${showTimes(count)}`,
    `   ${message}`,
    ...causeLines(finding).map((line) => `   ${line}`),
    `   expected: ${expected}`,
    `   actual:   ${actual}`,
    ...shortCommands(curl).map((line) => `   ${line}`),
    '',
  ];
}

/** The most lines of commands that a report for people shows. */
const MOST_LINES = 10;

/** The commands of a finding; of more than ten lines, the comments before them, the last request, and where the rest is. */
export function shortCommands(curl: string): string[] {
  const lines = curl.split('\n');
  // A body may have several lines.
  const last = lines.findLastIndex((line) => /^(?:response\d+=\$\()?curl /.test(line));
  if (lines.length <= MOST_LINES || last <= 0) return lines;
  const first = lines.findIndex((line) => !line.startsWith('#'));
  return [
    ...lines.slice(0, first),
    `# ${countOf(last - first, 'earlier line')}: --json or --report json=FILE has all of them.`,
    ...lines.slice(last),
  ];
}

/** Shows the coverage: operations and statuses, then keywords. */
export function coverageLines(report: ContractReportData): string[] {
  return [...describeOperations(report.coverage.operations), ...keywordLines(report)];
}

/** Lists the seen and unseen statuses of each operation. */
export function describeOperations(operations: readonly OperationCoverage[]): string[] {
  const width = Math.max(0, ...operations.map(({ operationId }) => operationId.length));
  return operations.map(({ operationId, statuses, unseen }) => {
    const seen = Object.entries(statuses)
      .map(([status, count]) => `${status}×${count}`)
      .join(' ');
    return `  ${operationId.padEnd(width)}  ${seen === '' ? 'not reached' : seen}${unseen.length === 0 ? '' : `  (not seen: ${unseen.join(' ')})`}`;
  });
}

/** Lists keywords with the number of places where each was broken, out of those where it can be. */
function keywordLines({ coverage }: ContractReportData): string[] {
  const words = Object.entries(coverage.keywords).map(([name, { broken, places }]) => `${name} ${broken}/${places}`);
  if (words.length === 0) return [];
  const lines = ['  keywords broken, of the places where they can be:'];
  let line = '   ';
  for (const one of words) {
    if (line.length + one.length > 100) {
      lines.push(line);
      line = '   ';
    }
    line += ` ${one}${one === words.at(-1) ? '' : ','}`;
  }
  return [...lines, line];
}
