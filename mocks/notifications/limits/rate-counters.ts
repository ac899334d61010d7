import type { Collection, HandlerContext } from 'specmill/mock';

/** A number of points in a window that begins with the first of them. */
export interface Budget {
  /** Name of the limit in the policy. */
  readonly id: string;
  readonly limit: number;
  readonly windowSeconds: number;
}

export interface BudgetState {
  readonly limit: number;
  readonly used: number;
  readonly remaining: number;
  /** Milliseconds until the window ends; the whole window if it has not begun. */
  readonly endsInMs: number;
}

/** Points that were spent in a window. Collection `rate-counters`, by the name of the limit and the caller. */
interface Counter {
  readonly points: number;
  /** Epoch milliseconds. */
  readonly endsAt: number;
}

type Context = Pick<HandlerContext, 'collection' | 'clock' | 'memory'>;

const COUNTERS = 'rate-counters';
/** After so many writes, counters whose window is over are deleted. */
const WRITES_BETWEEN_CLEANINGS = 10_000;

/** The counters of the limits of one sandbox: fixed windows, by its clock. */
export class RateCounters {
  readonly #context: Context;
  readonly #counters: Collection<Counter>;

  constructor(context: Context) {
    this.#context = context;
    this.#counters = context.collection<Counter>(COUNTERS);
  }

  async read(budget: Budget, who: string): Promise<BudgetState> {
    const known = await this.#counters.get(toKey(budget, who));
    return toState(budget, this.#inWindow(budget, known), this.#context.clock.now());
  }

  /** Spends points. If fewer are left, none are spent, and `endsInMs` is the time to wait. */
  async spend(
    budget: Budget,
    who: string,
    points: number,
  ): Promise<{ readonly ok: boolean; readonly endsInMs: number }> {
    let ok = true;
    const after = await this.#change(budget, who, (counter) => {
      ok = counter.points + points <= budget.limit;
      return ok ? { ...counter, points: counter.points + points } : counter;
    });
    return { ok, endsInMs: after.endsAt - this.#context.clock.now() };
  }

  /** Adds points that were used already, even if they exceed the limit. */
  async charge(budget: Budget, who: string, points: number): Promise<void> {
    await this.#change(budget, who, (counter) => ({ ...counter, points: counter.points + points }));
  }

  async giveBack(budget: Budget, who: string, points: number): Promise<void> {
    await this.#change(budget, who, (counter) => ({ ...counter, points: Math.max(0, counter.points - points) }));
  }

  countUnderWay(who: string): number {
    return this.#underWay.get(who) ?? 0;
  }

  enter(who: string): void {
    this.#underWay.set(who, this.countUnderWay(who) + 1);
  }

  leave(who: string): void {
    const count = this.countUnderWay(who);
    if (count > 1) this.#underWay.set(who, count - 1);
    else this.#underWay.delete(who);
  }

  /** Requests under way belong to this process, so they are not part of the state. */
  get #underWay(): Map<string, number> {
    return this.#context.memory('requests-under-way', () => new Map<string, number>());
  }

  async #change(budget: Budget, who: string, change: (counter: Counter) => Counter): Promise<Counter> {
    await this.#clean();
    const next = (known: Counter | undefined): Counter => change(this.#inWindow(budget, known) ?? this.#begin(budget));
    return (await this.#counters.update(toKey(budget, who), next)) ?? this.#begin(budget);
  }

  #begin({ windowSeconds }: Budget): Counter {
    return { points: 0, endsAt: this.#context.clock.now() + windowSeconds * 1_000 };
  }

  /** Restarts a window that would end too late, because the clock was set back. */
  #inWindow({ windowSeconds }: Budget, known: Counter | undefined): Counter | undefined {
    const left = (known?.endsAt ?? 0) - this.#context.clock.now();
    return left > 0 && left <= windowSeconds * 1_000 ? known : undefined;
  }

  async #clean(): Promise<void> {
    const writes = this.#context.memory('rate-counter-writes', () => ({ count: 0 }));
    writes.count += 1;
    if (writes.count % WRITES_BETWEEN_CLEANINGS !== 0) return;
    const now = this.#context.clock.now();
    const { items } = await this.#counters.query({ where: [{ path: 'endsAt', test: 'to', value: now }] });
    for (const { id } of items) await this.#counters.delete(id);
  }
}

function toKey({ id }: Budget, who: string): string {
  return `${id} ${who}`;
}

function toState({ limit, windowSeconds }: Budget, counter: Counter | undefined, now: number): BudgetState {
  const used = Math.min(counter?.points ?? 0, limit);
  const isBegun = counter !== undefined && counter.points > 0;
  return { limit, used, remaining: limit - used, endsInMs: isBegun ? counter.endsAt - now : windowSeconds * 1_000 };
}
