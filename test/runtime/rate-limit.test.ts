import { describe, expect, it } from 'vitest';

import { type ApiError, TimeoutError } from '../../runtime/errors.js';
import { type RateLimitPlan, type RetryOptions, waitForLimits } from '../../runtime/rate-limit.js';
import { type EchoServer, startEchoServer } from '../support/echo-server.js';
import { operationOf, TestClock } from '../support/helper-call.js';

const PLAN: RateLimitPlan = {
  statuses: [403, 429],
  remaining: 'x-ratelimit-remaining',
  reset: 'x-ratelimit-reset',
  retryAfter: 'retry-after',
  secondary: 'secondary rate limit',
  firstSeconds: 60,
  factor: 2,
  maxRetries: 5,
  methods: ['GET', 'HEAD', 'OPTIONS', 'PUT', 'DELETE'],
};

interface HandlerResponse {
  readonly status: number;
  readonly headers?: Readonly<Record<string, string>>;
  readonly message?: string;
}

const OK: HandlerResponse = { status: 200 };
const SECONDARY = 'You have exceeded a secondary rate limit.';
/** The server's clock is three hours ahead of the client's. */
const SERVER_NOW = Date.parse('2026-01-01T03:00:00Z');
const DATE = { date: new Date(SERVER_NOW).toUTCString() };
const inSeconds = (seconds: number): string => String(SERVER_NOW / 1000 + seconds);

/** A server that gives these responses in order, the last one for ever. */
function startLimited(responses: readonly HandlerResponse[]): Promise<EchoServer> {
  let at = 0;
  return startEchoServer((_request, response) => {
    const { status, headers = {}, message } = responses[Math.min(at, responses.length - 1)] ?? OK;
    at += 1;
    response.sendDate = false;
    response.writeHead(status, { 'content-type': 'application/json', ...headers }).end(JSON.stringify({ message }));
  });
}

interface Outcome {
  /** Seconds of each wait. */
  readonly waits: number[];
  readonly status: number;
  readonly requests: number;
}

async function run(
  responses: readonly HandlerResponse[],
  { options = {}, method = 'GET', calls = 1 }: { options?: RetryOptions; method?: string; calls?: number } = {},
): Promise<Outcome> {
  const clock = new TestClock();
  await using server = await startLimited(responses);
  const context = waitForLimits({ baseUrl: server.url }, PLAN, { sleep: clock.sleep, now: clock.now, ...options });
  const call = operationOf(context, { method });
  let status = 0;
  for (let count = 0; count < calls; count += 1)
    status = await call({}).then(
      (received) => received.status,
      (error: unknown) => (error as ApiError).status,
    );
  return { waits: clock.sleeps.map((milliseconds) => milliseconds / 1000), status, requests: server.received.length };
}

describe('a refusal because of a limit', () => {
  const usedUp = { 'x-ratelimit-remaining': '0', 'x-ratelimit-reset': inSeconds(1800), ...DATE };
  it.each<[string, HandlerResponse, number]>([
    ['primary: waits for the reset, by the clock of the service', { status: 403, headers: usedUp }, 1800],
    ['primary with 429', { status: 429, headers: usedUp }, 1800],
    [
      'primary: waits briefly for a reset that has just passed',
      { status: 403, headers: { ...usedUp, 'x-ratelimit-reset': inSeconds(-5) } },
      1,
    ],
    [
      'primary: the reset takes precedence over retry-after',
      { status: 403, headers: { ...usedUp, 'retry-after': '30' } },
      1800,
    ],
    [
      'secondary: waits as long as retry-after says',
      { status: 429, headers: { 'retry-after': '45', 'x-ratelimit-remaining': '10', ...DATE }, message: SECONDARY },
      45,
    ],
    [
      'secondary: retry-after takes precedence over the reset',
      { status: 403, headers: { ...usedUp, 'retry-after': '45' }, message: SECONDARY },
      45,
    ],
    [
      'secondary: retry-after as a date, by the clock of the service',
      { status: 429, headers: { 'retry-after': new Date(SERVER_NOW + 90_000).toUTCString(), ...DATE } },
      90,
    ],
    [
      'secondary: otherwise waits for the reset if nothing remains',
      { status: 403, headers: usedUp, message: SECONDARY },
      1800,
    ],
    [
      'secondary: otherwise waits a minute',
      { status: 403, headers: { 'x-ratelimit-remaining': '10', ...DATE }, message: SECONDARY },
      60,
    ],
    ['429 is one without any hint', { status: 429 }, 60],
    ['a reset that is missing counts as no hint', { status: 403, headers: { 'x-ratelimit-remaining': '0' } }, 60],
    ['an invalid retry-after counts as no hint', { status: 429, headers: { 'retry-after': 'later' } }, 60],
  ])('a refusal because of a limit: %s', async (_rule, refusal, seconds) => {
    expect(await run([refusal, OK])).toEqual({ waits: [seconds], status: 200, requests: 2 });
  });

  it('the clock of the client is used if the response has no Date', async () => {
    const reset = String(new TestClock().time / 1000 + 120);
    const refusal = { status: 403, headers: { 'x-ratelimit-remaining': '0', 'x-ratelimit-reset': reset } };
    expect(await run([refusal, OK])).toMatchObject({ waits: [120] });
  });

  it('waits grow exponentially, and the call fails after the set number of attempts', async () => {
    expect(await run([{ status: 429, message: SECONDARY }])).toEqual({
      waits: [60, 120, 240, 480, 960],
      status: 429,
      requests: 6,
    });
  });

  it.each<[string, RetryOptions, Outcome]>([
    ['another number of retries', { maxRetries: 1 }, { waits: [60], status: 429, requests: 2 }],
    ['no retries', { maxRetries: 0 }, { waits: [], status: 429, requests: 1 }],
    ['a maximum wait', { maxWait: 100_000 }, { waits: [60], status: 429, requests: 2 }],
  ])('the caller can ask for %s', async (_what, options, outcome) => {
    expect(await run([{ status: 429 }], { options })).toEqual(outcome);
  });
});

describe('a response that is not a limit', () => {
  it.each<[string, HandlerResponse]>([
    ['403 of missing rights', { status: 403, headers: { 'x-ratelimit-remaining': '12' }, message: 'Forbidden' }],
    ['403 without any header', { status: 403 }],
    ['a failure of the server', { status: 503, headers: { 'retry-after': '5' } }],
    ['success with nothing left', { status: 200, headers: { 'x-ratelimit-remaining': '0' } }],
  ])('%s is returned at once, without a wait', async (_what, received) => {
    expect(await run([received])).toEqual({ waits: [], status: received.status, requests: 1 });
  });
});

describe('writes', () => {
  const refusal: HandlerResponse = { status: 429, headers: { 'retry-after': '5' } };
  it.each<[string, string, RetryOptions, number]>([
    ['PUT is retried', 'PUT', {}, 2],
    ['DELETE is retried', 'DELETE', {}, 2],
    ['POST is not retried', 'POST', {}, 1],
    ['PATCH is not retried', 'PATCH', {}, 1],
    ['POST is retried with the option writes', 'POST', { writes: true }, 2],
  ])('writes after a refusal: %s', async (_what, method, options, requests) => {
    expect((await run([refusal, OK], { method, options })).requests).toBe(requests);
  });

  it('a retried write sends the whole body again', async () => {
    const clock = new TestClock();
    await using server = await startLimited([refusal, OK]);
    const context = waitForLimits({ baseUrl: server.url }, PLAN, clock);
    const body = { 'application/json': (value: unknown) => [JSON.stringify(value), 'application/json'] as const };
    await operationOf(context, { method: 'PUT', body })({ body: { a: 1 } });
    expect(server.received.map((request) => String(request.body))).toEqual(['{"a":1}', '{"a":1}']);
  });
});

describe('while a limit is active', () => {
  const refusal: HandlerResponse = { status: 429, headers: { 'retry-after': '5' } };

  it('the next call waits too, even if it is not retried', async () => {
    expect(await run([refusal, OK], { method: 'POST', calls: 2 })).toEqual({ waits: [5], status: 200, requests: 2 });
  });

  it('a call that may not wait so long gets the refusal without a request', async () => {
    expect(await run([refusal], { options: { maxWait: 1000 }, calls: 3 })).toEqual({
      waits: [],
      status: 429,
      requests: 1,
    });
  });

  it('a signal or a timeout ends the wait', async () => {
    await using server = await startLimited([{ status: 429 }]);
    const call = operationOf(waitForLimits({ baseUrl: server.url }, PLAN));
    const controller = new AbortController();
    const reason = new Error('enough');
    setTimeout(() => controller.abort(reason), 40);
    await expect(call({}, { signal: controller.signal })).rejects.toBe(reason);
    const fresh = operationOf(waitForLimits({ baseUrl: server.url }, PLAN));
    await expect(fresh({}, { timeout: 60 })).rejects.toBeInstanceOf(TimeoutError);
  });
});
