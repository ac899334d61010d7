import { RateLimiterRedis, RateLimiterRes } from 'rate-limiter-flexible';

import type { Clock } from '../../../server/sandbox/clock.js';
import { ClockedRedis } from './clocked-redis.js';

/** A number of points in a window that begins with the first of them. */
export interface Budget {
  /** Name of the limit in the policy. */
  readonly id: string;
  readonly limit: number;
  readonly windowSeconds: number;
}

/** How a budget stands. */
export interface BudgetState {
  readonly limit: number;
  readonly used: number;
  readonly remaining: number;
  /** Until the window ends; the whole window where it has not begun. Milliseconds. */
  readonly endsInMs: number;
}

/** The counters of one sandbox. */
export class RateCounters {
  readonly #store: ClockedRedis;
  readonly #limiters = new Map<string, RateLimiterRedis>();
  /** Requests under way, by who makes them. */
  readonly #underWay = new Map<string, number>();

  constructor(clock: Clock) {
    this.#store = new ClockedRedis(clock);
  }

  async read(budget: Budget, who: string): Promise<BudgetState> {
    return toState(budget, (await this.#limiterOf(budget).get(who)) ?? undefined);
  }

  /** Spends points. Where there are not so many left, none are spent, and what is told is how long to wait. */
  async spend(
    budget: Budget,
    who: string,
    points: number,
  ): Promise<{ readonly ok: boolean; readonly endsInMs: number }> {
    const limiter = this.#limiterOf(budget);
    try {
      const { msBeforeNext } = await limiter.consume(who, points);
      return { ok: true, endsInMs: msBeforeNext };
    } catch (error) {
      if (!(error instanceof RateLimiterRes)) throw error;
      await limiter.reward(who, points);
      return { ok: false, endsInMs: error.msBeforeNext };
    }
  }

  /** Counts points that are spent elsewhere, and may leave less than nothing. */
  async charge(budget: Budget, who: string, points: number): Promise<void> {
    await this.#limiterOf(budget).penalty(who, points);
  }

  async giveBack(budget: Budget, who: string, points: number): Promise<void> {
    await this.#limiterOf(budget).reward(who, points);
  }

  /** Begins a request, unless so many are under way already. */
  enter(who: string, most: number): boolean {
    const count = this.#underWay.get(who) ?? 0;
    if (count >= most) return false;
    this.#underWay.set(who, count + 1);
    return true;
  }

  leave(who: string): void {
    const count = this.#underWay.get(who) ?? 0;
    if (count > 1) this.#underWay.set(who, count - 1);
    else this.#underWay.delete(who);
  }

  #limiterOf({ id, limit, windowSeconds }: Budget): RateLimiterRedis {
    const known = this.#limiters.get(id);
    if (known !== undefined) return known;
    const options = { keyPrefix: id, points: limit, duration: windowSeconds };
    const limiter = new RateLimiterRedis({ ...options, storeClient: this.#store });
    this.#limiters.set(id, limiter);
    return limiter;
  }
}

function toState({ limit, windowSeconds }: Budget, found: RateLimiterRes | undefined): BudgetState {
  const used = Math.min(Math.max(found?.consumedPoints ?? 0, 0), limit);
  const isBegun = found !== undefined && found.consumedPoints > 0;
  return { limit, used, remaining: limit - used, endsInMs: isBegun ? found.msBeforeNext : windowSeconds * 1_000 };
}
