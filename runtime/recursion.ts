import { type Check, type Out, fail } from './validation.js';

/** How deep schemas that contain themselves follow a value: far below what a call stack holds. */
const MAX_DEPTH = 500;

let depth = 0;
/** Whether a value is valid, by check and value, for one run. */
let known: Map<Check, Map<unknown, boolean>> | undefined;

/** Calls the check of a schema that contains itself. */
export function descend(check: Check, data: unknown, path = '', out?: Out): boolean {
  if (depth >= MAX_DEPTH) return fail(out, path, 'depth', { limit: MAX_DEPTH });
  const before = depth;
  depth += 1;
  try {
    return check(data, path, out);
  } finally {
    depth = before;
    if (before === 0) known = undefined;
  }
}

/**
 * {@link descend} for schemas that look at the same value in several branches. It remembers which values are valid, so that
 * the work does not double with each level.
 */
export function descendOnce(check: Check, data: unknown, path?: string, out?: Out): boolean {
  if (typeof data !== 'object' || data === null) return descend(check, data, path, out);
  known ??= new Map();
  let results = known.get(check);
  if (results === undefined) known.set(check, (results = new Map()));
  const isValid = results.get(data);
  if (isValid === true) return false;
  if (out !== undefined) return descend(check, data, path, out);
  const fails = isValid === false || descend(check, data);
  results.set(data, !fails);
  return fails;
}
