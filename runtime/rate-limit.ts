import type { ClientContext, RetryPolicy } from './context.js';
import { timeOf, type Timers, wait } from './helpers.js';

/** The headers and rules of a rate limit. */
export interface RateLimitPlan {
  /** Statuses of a refusal. */
  readonly statuses: readonly number[];
  /** Header: the number of requests left. */
  readonly remaining: string;
  /** Header: when the window is reset, in seconds since 1970. */
  readonly reset: string;
  /** Header: seconds to wait. */
  readonly retryAfter: string;
  /** Text in the body of a refusal that is due to a secondary limit. */
  readonly secondary: string;
  /** The first wait if the server names none, in seconds. */
  readonly firstSeconds: number;
  /** Factor by which each next wait grows. */
  readonly factor: number;
  /** Maximum number of retries of one request. */
  readonly maxRetries: number;
  /** Methods whose requests are always retried. */
  readonly methods: readonly string[];
}

/** Options for waiting at a limit. */
export interface RetryOptions extends Timers {
  /** Maximum number of retries of one request. Default: as the API description says. */
  readonly maxRetries?: number | undefined;
  /**
   * Retries requests of all methods. Safe if the server does not execute requests that it refuses because of a limit.
   * If false, the refusal of a write is thrown. Default: false.
   */
  readonly writes?: boolean | undefined;
  /**
   * The longest wait in milliseconds. If the server asks for more, its refusal is thrown immediately. Default: no
   * limit.
   */
  readonly maxWait?: number | undefined;
  /** Called before each wait. */
  readonly onWait?: ((wait: { readonly milliseconds: number; readonly status: number }) => void) | undefined;
}

/** Returns the retry policy for use with {@link waitForLimits}, which handles refusals with status 429 itself. */
export function retryBesideLimits(retry: boolean | RetryPolicy | undefined): boolean | RetryPolicy | undefined {
  if (retry === undefined || retry === false) return retry;
  return { statuses: [408, 500, 502, 503, 504], ...(retry === true ? {} : retry) };
}

type Fetch = (request: Request, init?: RequestInit) => Promise<Response>;

/**
 * Returns a context whose calls wait after a refusal because of a limit: until the window is reset, as long as
 * `retry-after` says, or else `firstSeconds` and then longer each time. While one call waits, all calls of the context
 * wait, because a server may ban clients that continue. Times are relative to the clock of the server. The timeout of a
 * call includes its waits.
 */
export function waitForLimits<Credentials>(
  context: ClientContext<Credentials>,
  plan: RateLimitPlan,
  options: RetryOptions = {},
): ClientContext<Credentials> {
  const gate = new Gate(options);
  const send: Fetch = context.fetch ?? ((request, init) => fetch(request, init));
  return {
    ...context,
    fetch: (request, init) => repeat((again) => send(again, init), request, { plan, options, gate }),
  };
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

/** Delays the calls of a context while the server accepts none. */
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

  /** Waits until calls are accepted again; returns the last refusal if that takes longer than the caller allows. */
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

/** Detects a refusal because of a limit, and the wait that it asks for, if any. */
async function readRefusal(
  response: Response,
  plan: RateLimitPlan,
  now: number,
): Promise<{ wait?: number } | undefined> {
  if (!plan.statuses.includes(response.status)) return undefined;
  const { headers } = response;
  // The local clock can be hours off, so times are relative to the clock of the server.
  const date = Date.parse(headers.get('date') ?? '') || now;
  const after = headers.get(plan.retryAfter);
  const isUsedUp = headers.get(plan.remaining)?.trim() === '0';
  const isSecondary = (await response.clone().text()).toLowerCase().includes(plan.secondary.toLowerCase());
  const seconds = Number(after ?? Number.NaN);
  const untilAfter = Number.isNaN(seconds) ? Date.parse(after ?? '') - date : seconds * 1000;
  const untilReset = Number(headers.get(plan.reset) ?? Number.NaN) * 1000 - date;
  if (untilAfter >= 0 && (isSecondary || !isUsedUp)) return { wait: untilAfter };
  // The reset may have passed while the response was on its way.
  if (isUsedUp && !Number.isNaN(untilReset)) return { wait: Math.max(untilReset, 1000) };
  return isSecondary || isUsedUp || response.status === 429 ? {} : undefined;
}
