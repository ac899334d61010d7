import type { ChangeKind } from './change-catalog.js';
import { countChanges } from './count-changes.js';
import type { ApiDiff, Level } from './types.js';

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
