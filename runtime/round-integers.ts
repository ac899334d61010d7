/** Replaces integers beyond the precision of numbers, which validators do not know, by numbers. */
export function round(value: unknown): unknown {
  if (typeof value === 'bigint') return Number(value);
  if (typeof value !== 'object' || value === null || Symbol.toStringTag in value) return value;
  if (Array.isArray(value)) return value.some(isWide) ? value.map(round) : value;
  const entries = Object.entries(value);
  return entries.some(([, one]) => isWide(one))
    ? Object.fromEntries(entries.map(([key, one]) => [key, round(one)]))
    : value;
}

/** Whether a value is such an integer, or may have one inside. */
function isWide(value: unknown): boolean {
  return typeof value === 'bigint' || (typeof value === 'object' && value !== null);
}
