import type { Visit } from '../../../server/handler-api.js';
import { readPolicy } from './policy.js';
import type { Budget, RateCounters } from './rate-counters.js';

/** A limit without a window ends when another request does; a client is told to wait a minute. Milliseconds. */
export const WAIT_WITHOUT_WINDOW = 60_000;

/** All addresses that lead to no operation are one endpoint. */
const NO_ENDPOINT = 'none';

/** What a request costs under the secondary limits. */
interface Charge {
  readonly budget: Budget;
  readonly who: string;
  readonly points: number;
}

/** The limits against sudden load that a mock can tell; those of CPU time, compute and OAuth have nothing to count here. */
export function secondaryCharges(
  { operation, request }: Pick<Visit, 'operation' | 'request'>,
  who: string,
): readonly Charge[] {
  const { limits, points, contentGenerating } = readPolicy().secondary;
  const method = request.method.toUpperCase();
  const endpoint = operation?.id ?? NO_ENDPOINT;
  const isContent =
    operation !== undefined &&
    (contentGenerating.methods.some((one) => one === method) || contentGenerating.operations.includes(operation.id));
  const cost = points.find((rule) => rule.interface === 'rest' && rule.methods?.some((one) => one === method) === true);
  return limits.flatMap(({ id, measure, interfaces, per, limit, windowSeconds }): Charge[] => {
    if (limit === null || windowSeconds === null || !interfaces.includes('rest')) return [];
    const budget = { id, limit, windowSeconds };
    const counted = per === 'caller-and-endpoint' ? `${who} ${endpoint}` : who;
    if (measure === 'points' && cost !== undefined) return [{ budget, who: counted, points: cost.points }];
    return measure === 'content-requests' && isContent ? [{ budget, who: counted, points: 1 }] : [];
  });
}

/** How many requests of one caller may be under way at the same time. */
export function mostConcurrent(): number {
  const limit = readPolicy().secondary.limits.find(({ measure }) => measure === 'concurrent-requests')?.limit;
  return limit ?? Infinity;
}

/** What a secondary limit says to a request: that it is in, or how long to wait. */
export type Admission = { readonly ok: true } | { readonly ok: false; readonly waitMs: number };

/** Spends what a request costs, all or nothing. */
export async function admit(counters: RateCounters, charges: readonly Charge[]): Promise<Admission> {
  for (const [index, { budget, who, points }] of charges.entries()) {
    const { ok, endsInMs } = await counters.spend(budget, who, points);
    if (ok) continue;
    for (const spent of charges.slice(0, index)) await counters.giveBack(spent.budget, spent.who, spent.points);
    return { ok: false, waitMs: endsInMs };
  }
  return { ok: true };
}
