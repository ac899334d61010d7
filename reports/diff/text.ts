import type { DiffReport, ReportedChange } from './diff-report.js';
import { type ReportStyle, groupByLevel, showPlace, showReach, summarise } from './labels.js';

/**
 * Returns a diff as lines for a terminal, breaking changes first. Operation paths and file names are not escaped; the
 * caller must escape them.
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
