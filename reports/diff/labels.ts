import { countOf } from '../counts.js';
import type { AffectedOperation, DiffReport, Level, Position, ReportedChange } from './diff-report.js';
import { quoteAll } from '../quote-text.js';

/** The levels in report order. */
export const LEVELS: readonly Level[] = ['breaking', 'risky', 'safe'];

/** The most operations of one change that are named. */
const NAMED_OPERATIONS = 3;

/** How reports show files. */
export interface ReportStyle {
  readonly showFile: (file: string) => string;
}

/** `openapi.yaml:12:3` */
export function showPlace({ file, line, column }: Position, { showFile }: ReportStyle): string {
  return `${showFile(file)}:${line}:${column}`;
}

/** The changes by level, breaking ones first. Levels without changes are left out. */
export function groupByLevel({ changes }: DiffReport): { level: Level; heading: string; changes: ReportedChange[] }[] {
  return LEVELS.map((level) => ({
    level,
    heading: level.charAt(0).toUpperCase() + level.slice(1),
    changes: changes.filter((change) => change.level === level),
  })).filter((group) => group.changes.length > 0);
}

/** `2 breaking, 1 risky, 3 safe changes; 4 documentation changes (--all shows them)` */
export function summarise({ counts, changes, waived }: DiffReport): string {
  const levels = LEVELS.filter((level) => counts[level] > 0).map((level) => `${counts[level]} ${level}`);
  const total = counts.breaking + counts.risky + counts.safe;
  const parts = [
    levels.length === 0 ? '' : `${levels.join(', ')} ${total === 1 ? 'change' : 'changes'}`,
    counts.wordsOnly === 0 ? '' : countOf(counts.wordsOnly, 'documentation change'),
    waived === 0 ? '' : `${waived} accepted by waivers`,
  ].filter((part) => part !== '');
  const isHidden = counts.wordsOnly > 0 && !changes.some(({ wordsOnly }) => wordsOnly);
  return `${parts.length === 0 ? 'No changes' : parts.join('; ')}${isHidden ? ' (--all shows them)' : ''}`;
}

/**
 * The level of a change for each affected operation: `request breaking in POST /a · response safe in GET /a, POST /a`,
 * or shorter if both directions affect the same operations. An operation that the message already names is not
 * repeated.
 *
 * @param showName - formats the name of an operation.
 */
export function showReach(change: ReportedChange, showName: (name: string) => string = String): string {
  const reached = (['request', 'response'] as const).flatMap((direction) => {
    const level = change[direction];
    if (level === undefined) return [];
    const own = change.operations.filter(({ directions }) => directions.includes(direction)).map(nameOf);
    return [{ words: `${direction} ${level}`, names: showNames(own, showName), own }];
  });
  const [first, second] = reached;
  const levels = reached.map(({ words }) => words).join(', ');
  if (first === undefined || first.names === '') return levels;
  if (second !== undefined && first.own.join() !== second.own.join())
    return reached.map(({ words, names }) => (names === '' ? words : `${words} in ${names}`)).join(' · ');
  const isNamed = first.own.length === 1 && change.message.includes(quoteAll(first.own[0] ?? ''));
  return isNamed ? levels : `${levels} · ${first.names}`;
}

function nameOf({ method, path }: AffectedOperation): string {
  return `${method.toUpperCase()} ${path}`;
}

function showNames(names: readonly string[], showName: (name: string) => string): string {
  const shown = names.slice(0, NAMED_OPERATIONS).map(showName).join(', ');
  const more = names.length - NAMED_OPERATIONS;
  return more > 0 ? `${shown} and ${more} more` : shown;
}
