/** Milliseconds. */
export const SECOND = 1_000;
export const DAY: number = 24 * 60 * 60 * SECOND;

/** `YYYY-MM-DDThh:mm:ss`, UTC. */
export function toDateTime(time: number): string {
  return new Date(time).toISOString().slice(0, 19);
}

/** Epoch milliseconds of a `YYYY-MM-DDThh:mm:ss` in UTC. */
export function fromDateTime(text: string): number {
  return Date.parse(`${text}Z`);
}
