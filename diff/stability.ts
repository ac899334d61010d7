import type { Operation } from '../model/api.js';

/** Levels of `x-stability-level`, from least to most stable; only the last one promises stability. */
const STABILITY_LEVELS: readonly unknown[] = ['draft', 'alpha', 'beta', 'stable'];

const STABLE = STABILITY_LEVELS.indexOf('stable');

/** Whether an operation may break: its `x-stability-level` is draft, alpha or beta. */
export function isUnstable(operation: Operation): boolean {
  return stabilityOf(operation) < STABLE;
}

/** The stability of an operation: higher is more stable. An unknown level counts as stable. */
export function stabilityOf({ extensions }: Operation): number {
  const level = STABILITY_LEVELS.indexOf(extensions['x-stability-level']);
  return level === -1 ? STABLE : level;
}

/** A level as a report shows it. */
export function showStability(level: number): string {
  return `"${String(STABILITY_LEVELS[level])}"`;
}
