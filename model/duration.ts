/** A duration: calendar months (a year is twelve) and milliseconds. */
export interface Duration {
  readonly months: number;
  readonly milliseconds: number;
}

const ISO =
  /^P(?=.)(?:(\d+)Y)?(?:(\d+)M)?(?:(\d+)W)?(?:(\d+)D)?(?:T(?=.)(?:(\d+)H)?(?:(\d+)M)?(?:(\d+(?:[.,]\d+)?)S)?)?$/;
const SHORT = /^(\d+(?:\.\d+)?)(ms|s|m|h|d)?$/;
const UNITS: Readonly<Record<string, number>> = { ms: 1, s: 1_000, m: 60_000, h: 3_600_000, d: 86_400_000 };

/**
 * Reads a duration: ISO 8601 (`PT24H`, `P1DT12H`, `P1M`) or short (`250ms`, `60s`, `5m`, `24h`, `2d`; a bare number is
 * milliseconds). Returns `undefined` for anything else.
 */
export function parseDuration(text: string): Duration | undefined {
  const short = SHORT.exec(text);
  if (short !== null) return { months: 0, milliseconds: Math.round(Number(short[1]) * (UNITS[short[2] ?? 'ms'] ?? 1)) };
  const match = ISO.exec(text);
  if (match === null) return undefined;
  const [years = 0, months = 0, weeks = 0, days = 0, hours = 0, minutes = 0] = match
    .slice(1, 7)
    .map((part) => Number(part ?? 0));
  const seconds = Number((match[7] ?? '0').replace(',', '.'));
  const milliseconds =
    (weeks * 7 + days) * 86_400_000 + hours * 3_600_000 + minutes * 60_000 + Math.round(seconds * 1_000);
  return { months: years * 12 + months, milliseconds };
}

/**
 * The time after a duration, in epoch milliseconds. A month later is the same day in UTC, or the last day of that
 * month.
 */
export function addDuration(time: number, { months, milliseconds }: Duration): number {
  if (months === 0) return time + milliseconds;
  const date = new Date(time);
  const day = date.getUTCDate();
  date.setUTCDate(1);
  date.setUTCMonth(date.getUTCMonth() + months);
  const lastDay = new Date(Date.UTC(date.getUTCFullYear(), date.getUTCMonth() + 1, 0)).getUTCDate();
  date.setUTCDate(Math.min(day, lastDay));
  return date.getTime() + milliseconds;
}
