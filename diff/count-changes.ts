import type { ApiDiff, Change } from './types.js';

/** How many changes there are of each level, and how many of documentation only. */
export function countChanges(changes: readonly Change[]): ApiDiff['counts'] {
  const counts = { breaking: 0, risky: 0, safe: 0, wordsOnly: 0 };
  for (const { level, wordsOnly } of changes) counts[wordsOnly ? 'wordsOnly' : level] += 1;
  return counts;
}
