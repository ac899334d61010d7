import { createHash } from 'node:crypto';

/** A number that follows from values alone: the same values give the same, from 0 to 2^32 - 1. */
export function numberOf(...values: readonly unknown[]): number {
  return createHash('sha256').update(JSON.stringify(values)).digest().readUInt32BE(0);
}
