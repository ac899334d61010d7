import type { CallOptions, RequestValues } from './context.js';
import type { HeaderValues } from './errors.js';
import { timeOf, type Timers, wait } from './timers.js';

/** The headers by which an operation is polled, in lower case where they are read. */
export interface PollPlan {
  /** Response header: seconds until the next poll. */
  readonly interval: string;
  /** Response header whose value is sent back. */
  readonly validator: string;
  /** Request header that takes it. */
  readonly condition: string;
}

/** How to poll. */
export interface PollOptions extends CallOptions, Timers {
  /** What the validator was in the last answer of an earlier run, exactly as it came: only what is newer is given. */
  readonly since?: string | undefined;
  /** Milliseconds between polls until the service says otherwise. Default: a minute. */
  readonly interval?: number | undefined;
}

/** What polling starts with. */
export interface PollArguments<Request> {
  readonly request: Request | undefined;
  readonly options: PollOptions | undefined;
}

/**
 * Asks again and again, as often as the service allows, and gives each answer that is new: first what there is now, then
 * every change. Ends only when the loop is left or the signal ends it. While nothing changes the service answers 304,
 * which gives nothing here.
 *
 * @throws ApiError, NetworkError and TimeoutError of the call. Start again with `since` to go on.
 */
export async function* pollChanges<
  Request extends RequestValues,
  Answer extends { readonly status: number; readonly headers: HeaderValues },
>(
  call: (request: Request, options: CallOptions) => Promise<Answer>,
  plan: PollPlan,
  { request, options = {} }: PollArguments<Request>,
): AsyncGenerator<Extract<Answer, { readonly status: 200 }>, void, undefined> {
  let { since, interval = 60_000 } = options;
  for (;;) {
    const condition = since === undefined ? {} : { [plan.condition]: since };
    const answer = await call(
      { ...request, headers: { ...request?.headers, ...condition } } as unknown as Request,
      options,
    );
    const answeredAt = timeOf(options);
    since = answer.headers[plan.validator] ?? since;
    const seconds = Number(answer.headers[plan.interval]);
    if (seconds > 0) interval = seconds * 1000;
    if (answer.status !== 304) yield answer as Extract<Answer, { readonly status: 200 }>;
    const left = answeredAt + interval - timeOf(options);
    if (left > 0) await wait(left, options, options.signal);
  }
}
