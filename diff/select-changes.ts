import type { ChangeKind } from './change-catalog.js';
import type { ApiDiff, Level, Change } from './api-diff.js';

/** Which changes of a diff to list and count. */
export interface ChangeSelection {
  /** Kinds that are accepted and not counted. Default: none. */
  readonly ignore?: readonly ChangeKind[];
  /** Levels that are listed; others are still counted. Default: all. */
  readonly only?: readonly Level[];
  /** Whether documentation changes are listed. Default: they are counted, but not listed. */
  readonly all?: boolean;
}

/** Returns a diff with only the selected changes. */
export function selectChanges(diff: ApiDiff, { ignore = [], only, all = false }: ChangeSelection): ApiDiff {
  const counted = diff.changes.filter(({ kind }) => !ignore.includes(kind));
  const changes = counted.filter(
    ({ level, wordsOnly }) => (only === undefined || only.includes(level)) && (all || !wordsOnly),
  );
  return { ...diff, counts: countChanges(counted), changes };
}

/** How many changes there are of each level, and how many of documentation only. */
export function countChanges(changes: readonly Change[]): ApiDiff['counts'] {
  const counts = { breaking: 0, risky: 0, safe: 0, wordsOnly: 0 };
  for (const { level, wordsOnly } of changes) counts[wordsOnly ? 'wordsOnly' : level] += 1;
  return counts;
}
