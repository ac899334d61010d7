import type { DiffReport, ReportedChange } from './diff-report.js';
import { type ReportStyle, groupByLevel, showPlace, showReach, summarise } from './labels.js';

/**
 * A diff as lines for a terminal, the worst changes first. Paths of operations and names of files are in it as they came:
 * the caller makes them safe to show.
 */
export function diffToText(diff: DiffReport, style: ReportStyle): string[] {
  const groups = groupByLevel(diff).flatMap(({ heading, changes }) => [
    heading.toUpperCase(),
    ...changes.flatMap((change) => describeChange(change, style)),
    '',
  ]);
  return [...groups, `${summarise(diff)}.`, ...diff.notes];
}

function describeChange(change: ReportedChange, style: ReportStyle): string[] {
  return [
    `  ${change.message}`,
    `    ${change.kind} · ${showReach(change)}`,
    `    ${showPlace(change.new, style)}  was ${showPlace(change.old, style)}`,
  ];
}
