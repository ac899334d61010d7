import { countOf, showTimes } from '../counts.js';
import { toTerminalText } from '../strip-controls.js';
import { type DeprecatedUse, describeDeprecated } from '../deprecated-use.js';
import { describeOverlay, type WrittenOverlay } from '../written-overlay.js';
import type { OperationCoverage } from './contract-report.js';
import { describeOperations } from './text.js';

/** The coverage of a spec by recorded calls. */
export interface CoverageReport {
  readonly api: string;
  /** The number of recorded calls. */
  readonly calls: number;
  /** How many calls the journal keeps, if it is full: earlier calls are not counted. */
  readonly journalLimit?: number;
  /** Recorded calls that match no operation, as method and path. */
  readonly unknown: readonly { readonly call: string; readonly count: number }[];
  readonly operations: readonly OperationCoverage[];
  /**
   * By keyword of the request schemas: the number of places with the keyword, of those where a request had a value, and
   * of those where a request broke it.
   */
  readonly keywords: Readonly<
    Record<string, { readonly places: number; readonly exercised: number; readonly broken: number }>
  >;
  /** Keywords at places where no request had a value. */
  readonly notExercised: readonly {
    readonly operationId: string;
    readonly keyword: string;
    /** Such as `query limit` or `body/name`. */
    readonly place: string;
  }[];
  /** Deprecated operations, parameters and members that the calls used, and by whom. */
  readonly deprecated: readonly DeprecatedUse[];
  /** The overlay that was written. */
  readonly overlay?: WrittenOverlay;
}

/** The most unknown calls that are shown. */
const MOST_UNKNOWN = 10;

/** The coverage as lines for a terminal. */
export function toCoverageText(report: CoverageReport): string[] {
  const { api, calls, operations, unknown, journalLimit, overlay } = report;
  const called = operations.filter(({ requests }) => requests > 0).length;
  const statuses = operations.map(({ unseen }) => unseen.length).reduce((sum, count) => sum + count, 0);
  const lines = [
    ...describeOperations(operations),
    '',
    ...describeKeywords(report),
    ...describeUnknown(unknown),
    ...describeDeprecated(report.deprecated),
    `${api}: ${called} of ${countOf(operations.length, 'operation')} in ${countOf(calls, 'call')}; ` +
      `${statuses} documented ${statuses === 1 ? 'status was' : 'statuses were'} not seen`,
    ...(journalLimit === undefined
      ? []
      : [`The journal keeps the last ${journalLimit.toLocaleString('en')} calls: earlier ones are not counted.`]),
    ...(overlay === undefined ? [] : describeOverlay(overlay)),
  ];
  return lines.map((line) => toTerminalText(line));
}

function describeKeywords({ keywords }: CoverageReport): string[] {
  const entries = Object.entries(keywords);
  if (entries.length === 0) return [];
  const width = Math.max('keyword'.length, ...entries.map(([name]) => name.length));
  return [
    `  ${'keyword'.padEnd(width)}  places  exercised  broken`,
    ...entries.map(
      ([name, { places, exercised, broken }]) =>
        `  ${name.padEnd(width)}  ${String(places).padStart(6)}  ${String(exercised).padStart(9)}  ${String(broken).padStart(6)}`,
    ),
    '',
  ];
}

function describeUnknown(unknown: CoverageReport['unknown']): string[] {
  if (unknown.length === 0) return [];
  const rest = unknown.length - MOST_UNKNOWN;
  return [
    'Calls that match no operation:',
    ...unknown.slice(0, MOST_UNKNOWN).map(({ call, count }) => `  ${call}${showTimes(count)}`),
    ...(rest > 0 ? [`  … and ${rest} more`] : []),
    '',
  ];
}
