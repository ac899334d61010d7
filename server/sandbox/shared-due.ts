import type { Transaction } from '../stores/replicated/transaction.js';
import { CALLBACKS, JOBS, META } from './reserved-collections.js';
import type { Job } from './clock.js';
import type { ClockTime } from './sandbox-clock.js';
import type { WaitingCallback } from './webhook-queue.js';

/** The collections that decide when something is due. */
const DECISIVE = [JOBS, CALLBACKS, META];

/** The clock of a sandbox that was never moved. */
export const REAL_TIME: ClockTime = { offset: 0, frozenAt: null };

/**
 * When something is due next after a transaction, in real time; `null` for never, `undefined` where the transaction has
 * nothing to do with it. It may be too early, where a job was cancelled, but never too late.
 */
export function findNextDue(transaction: Transaction, nextJob: number | undefined): number | null | undefined {
  const { isCleared, writes } = transaction;
  if (!isCleared && !DECISIVE.some((name) => writes.has(name))) return undefined;
  const { offset, frozenAt } = (transaction.read(META, 'clock')?.value ?? REAL_TIME) as ClockTime;
  const planned = [...(writes.get(JOBS)?.values() ?? [])].flatMap(({ isDeleted, value }) =>
    isDeleted ? [] : [(value as Job).dueAt],
  );
  const kept = nextJob === undefined || isCleared ? [] : [nextJob];
  const waiting = transaction.find(CALLBACKS, {}).items.map(({ value }) => (value as WaitingCallback).notBefore);
  // A frozen clock never comes to what is behind it.
  const callbacks = waiting.filter((notBefore) => frozenAt === null || notBefore <= frozenAt);
  const dueJobs = frozenAt === null ? [...planned, ...kept] : [];
  const first = Math.min(...dueJobs, ...callbacks);
  return Number.isFinite(first) ? first - offset : null;
}
