/** Where a value says until when it is valid. */
export interface ExpiryRule {
  /** The member that has the time, or that expires some time after another. */
  readonly member: string;
  /** Member from whose time the life is counted. */
  readonly from?: string;
  /** Length of the life in milliseconds. */
  readonly after?: number;
  /** Milliseconds in one unit of a time that is a number. Default: 1000. */
  readonly unit?: number;
}

/** When a value expires; `undefined` where it does not, or does not say so. A time without a zone is UTC. */
export function readExpiry(
  value: object,
  { member, from = member, after = 0, unit = 1000 }: ExpiryRule,
): Date | undefined {
  const given = new Map<string, unknown>(Object.entries(value));
  const start = given.get(member) == null ? undefined : readTime(given.get(from), unit);
  return start === undefined || Number.isNaN(start) ? undefined : new Date(start + after);
}

/** Whether a time is reached. What never expires has not. */
export function isPast(time: Date | undefined, now: Date | number = Date.now()): boolean {
  return time !== undefined && time.getTime() <= Number(now);
}

function readTime(time: unknown, unit: number): number | undefined {
  if (typeof time === 'number') return time * unit;
  if (typeof time !== 'string' || time === '') return undefined;
  if (/^-?\d+$/.test(time)) return Number(time) * unit;
  return Date.parse(/T.*(Z|[+-]\d\d:?\d\d)$/i.test(time) || !time.includes('T') ? time : `${time}Z`);
}
