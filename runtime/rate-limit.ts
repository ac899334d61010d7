import type { ClientContext } from './context.js';
import { timeOf, type Timers, wait } from './timers.js';

/** How a service tells of its limits, and how long to wait. */
export interface RateLimitPlan {
  /** Statuses of a refusal. */
  readonly statuses: readonly number[];
  /** Header: how many requests are left. */
  readonly remaining: string;
  /** Header: when the window is reset, in seconds since 1970. */
  readonly reset: string;
  /** Header: seconds to wait. */
  readonly retryAfter: string;
  /** A text in the body of a refusal because of a secondary limit. */
  readonly secondary: string;
  /** The first wait where the service names none, in seconds. */
  readonly firstSeconds: number;
  /** How much longer each next wait is. */
  readonly factor: number;
  /** How often one request is repeated. */
  readonly maxRetries: number;
  /** Methods whose requests are repeated without leave. */
  readonly methods: readonly string[];
}

/** What to do at a limit. */
export interface RetryOptions extends Timers {
  /** How often one request is repeated. Default: as the service documents it. */
  readonly maxRetries?: number | undefined;
  /**
   * Leave to repeat requests of all methods. A request that is refused because of a limit was not executed, so it is
   * safe with a service that keeps to this; without leave, the refusal of such a write is thrown. Default: false.
   */
  readonly writes?: boolean | undefined;
  /** Where the service asks for a longer wait, in milliseconds, its refusal is thrown at once. Default: no limit. */
  readonly maxWait?: number | undefined;
  /** Told before each wait. */
  readonly onWait?: ((wait: { readonly milliseconds: number; readonly status: number }) => void) | undefined;
}

type Fetch = (request: Request) => Promise<Response>;

/**
 * A context whose calls wait where the service says that there were too many: until the window is reset, as long as
 * `retry-after` says, or else a minute and then longer each time. While one call waits, all calls of the context do:
 * a service may ban clients that go on. Times are counted by the clock of the service. A timeout of a call goes on
 * while it waits.
 */
export function waitForLimits<Credentials>(
  context: ClientContext<Credentials>,
  plan: RateLimitPlan,
  options: RetryOptions = {},
): ClientContext<Credentials> {
  const gate = new Gate(options);
  const send = context.fetch ?? ((request: Request) => fetch(request));
  return { ...context, fetch: (request: Request) => repeat(send, request, { plan, options, gate }) };
}

interface Limits {
  readonly plan: RateLimitPlan;
  readonly options: RetryOptions;
  readonly gate: Gate;
}

async function repeat(send: Fetch, request: Request, { plan, options, gate }: Limits): Promise<Response> {
  const { maxRetries = plan.maxRetries, maxWait = Infinity, writes = false } = options;
  let backOff = plan.firstSeconds * 1000;
  for (let retries = writes || plan.methods.includes(request.method) ? maxRetries : 0; ; retries -= 1) {
    const known = await gate.pass(request.signal);
    if (known !== undefined) return known;
    const response = await send(retries > 0 ? request.clone() : request);
    const refusal = await readRefusal(response, plan, timeOf(options));
    if (refusal === undefined) return response;
    const milliseconds = refusal.wait ?? backOff;
    if (refusal.wait === undefined) backOff *= plan.factor;
    gate.close(milliseconds, response);
    if (retries <= 0 || milliseconds > maxWait) return response;
    options.onWait?.({ milliseconds, status: response.status });
  }
}

/** Holds back the calls of a context while the service wants none. */
class Gate {
  readonly #options: RetryOptions;
  #until = 0;
  #refusal: Response | undefined;

  constructor(options: RetryOptions) {
    this.#options = options;
  }

  close(milliseconds: number, refusal: Response): void {
    this.#until = Math.max(this.#until, timeOf(this.#options) + milliseconds);
    this.#refusal = refusal.clone();
  }

  /** Waits until calls are wanted again; gives the last refusal anew where that is longer than the caller allows. */
  async pass(signal: AbortSignal): Promise<Response | undefined> {
    const { maxWait = Infinity } = this.#options;
    for (let until = 0; until < this.#until;) {
      until = this.#until;
      const left = until - timeOf(this.#options);
      if (left > maxWait) return this.#refusal?.clone();
      if (left > 0) await wait(left, this.#options, signal);
    }
    return undefined;
  }
}

/** Whether an answer is a refusal because of a limit, and for how long where it says so. */
async function readRefusal(
  response: Response,
  plan: RateLimitPlan,
  now: number,
): Promise<{ wait?: number } | undefined> {
  if (!plan.statuses.includes(response.status)) return undefined;
  const { headers } = response;
  // The difference to the clock here can be hours; the service counts by its own.
  const date = Date.parse(headers.get('date') ?? '') || now;
  const after = headers.get(plan.retryAfter);
  const isUsedUp = headers.get(plan.remaining)?.trim() === '0';
  const isSecondary = (await response.clone().text()).toLowerCase().includes(plan.secondary.toLowerCase());
  const seconds = Number(after ?? Number.NaN);
  const untilAfter = Number.isNaN(seconds) ? Date.parse(after ?? '') - date : seconds * 1000;
  const untilReset = Number(headers.get(plan.reset) ?? Number.NaN) * 1000 - date;
  if (untilAfter >= 0 && (isSecondary || !isUsedUp)) return { wait: untilAfter };
  // A reset that is past by now was meant for a moment ago.
  if (isUsedUp && !Number.isNaN(untilReset)) return { wait: Math.max(untilReset, 1000) };
  return isSecondary || isUsedUp || response.status === 429 ? {} : undefined;
}
