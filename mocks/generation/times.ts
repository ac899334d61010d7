/** Milliseconds. */
export const SECOND = 1_000;
export const MINUTE: number = 60 * SECOND;
export const HOUR: number = 60 * MINUTE;

/** As the service states times: in Z, with 0 or 3 fractional digits. */
export function toTimestamp(time: number): string {
  return new Date(time).toISOString().replace('.000Z', 'Z');
}

/** Seconds with the suffix `s`, such as `3.5s`, in milliseconds. */
export function fromDuration(duration: string): number {
  return Math.round(Number(duration.slice(0, -1)) * SECOND);
}
