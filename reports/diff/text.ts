import type { DiffReport, ReportedChange, Level, Position } from './diff-report.js';
import { LEVELS, type ReportStyle, showReach, summarise } from './labels.js';

const HEADINGS: Readonly<Record<Level, string>> = { breaking: 'BREAKING', risky: 'RISKY', safe: 'SAFE' };

/**
 * A diff as lines for a terminal, the worst changes first. Paths of operations and names of files are in it as they came:
 * the caller makes them safe to show.
 */
export function diffToText(diff: DiffReport, style: ReportStyle): string[] {
  return [...LEVELS.flatMap((level) => describeLevel(diff, level, style)), `${summarise(diff)}.`, ...diff.notes];
}

function describeLevel({ changes }: DiffReport, level: Level, style: ReportStyle): string[] {
  const own = changes.filter((change) => change.level === level);
  return own.length === 0 ? [] : [HEADINGS[level], ...own.flatMap((change) => describeChange(change, style)), ''];
}

function describeChange(change: ReportedChange, { showFile }: ReportStyle): string[] {
  const show = ({ file, line, column }: Position): string => `${showFile(file)}:${line}:${column}`;
  return [
    `  ${change.message}`,
    `    ${change.kind} · ${showReach(change, (name) => name)}`,
    `    ${show(change.new)}  was ${show(change.old)}`,
  ];
}
