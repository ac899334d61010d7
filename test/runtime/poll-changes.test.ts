import { describe, expect, it } from 'vitest';

import type { ApiError } from '../../runtime/errors.js';
import { pollChanges, type PollOptions } from '../../runtime/helpers.js';
import { startEchoServer } from '../support/echo-server.js';
import { operationOf, TestClock } from '../support/helper-call.js';

const PLAN = { interval: 'x-poll-interval', validator: 'last-modified', condition: 'If-Modified-Since' };

interface HandlerResponse {
  readonly status: number;
  readonly modified?: string;
  readonly interval?: string;
}

interface Polled {
  readonly data: unknown[];
  readonly sinces: (string | undefined)[];
  readonly waits: number[];
  readonly error?: unknown;
}

/** Polls a server that gives these responses in order; the signal ends it after the last. */
async function poll(responses: readonly HandlerResponse[], options: PollOptions = {}): Promise<Polled> {
  const clock = new TestClock();
  const controller = new AbortController();
  let at = 0;
  await using server = await startEchoServer((_request, response) => {
    const { status, modified, interval } = responses[at] ?? { status: 500 };
    at += 1;
    if (modified !== undefined) response.setHeader('last-modified', modified);
    if (interval !== undefined) response.setHeader('x-poll-interval', interval);
    response.setHeader('content-type', 'application/json');
    response.writeHead(status).end(status === 304 ? undefined : String(at));
  });
  const sleep = async (milliseconds: number, signal: AbortSignal | undefined): Promise<void> => {
    if (at === responses.length) controller.abort(new Error('end'));
    await clock.sleep(milliseconds, signal);
  };
  const call = operationOf({ baseUrl: server.url });
  const data: unknown[] = [];
  const waits = clock.sleeps;
  const sinces = (): (string | undefined)[] => server.received.map(({ headers }) => headers['if-modified-since']);
  try {
    const given = { request: undefined, options: { now: clock.now, sleep, signal: controller.signal, ...options } };
    for await (const received of pollChanges(call, PLAN, given)) data.push((received as { data: unknown }).data);
  } catch (error) {
    return { data, sinces: sinces(), waits, error };
  }
  return { data, sinces: sinces(), waits };
}

describe('polling', () => {
  it('yields the first state and each change, nothing for 304, and sends Last-Modified exactly as received', async () => {
    const odd = 'Thu,  1 Jan 2026 00:00:00 gmt';
    const { data, sinces, waits } = await poll([
      { status: 200, modified: odd, interval: '60' },
      { status: 304, interval: '60' },
      { status: 304, interval: '120' },
      { status: 200, modified: 'Thu, 01 Jan 2026 00:04:00 GMT', interval: '30' },
      { status: 304 },
      { status: 304 },
    ]);
    expect(data).toEqual([1, 4]);
    expect(sinces).toEqual([
      undefined,
      odd,
      odd,
      odd,
      'Thu, 01 Jan 2026 00:04:00 GMT',
      'Thu, 01 Jan 2026 00:04:00 GMT',
    ]);
    expect(waits).toEqual([60_000, 60_000, 120_000, 30_000, 30_000]);
  });

  it.each<[string, PollOptions, string | undefined, number]>([
    ['a minute if neither the service nor the caller sets an interval', {}, undefined, 60_000],
    ['the interval of the caller if the service sets none', { interval: 5000 }, undefined, 5000],
    ['the interval of the service if both set one', { interval: 5000 }, '90', 90_000],
    ['the interval of the caller if that of the service is 0', { interval: 5000 }, '0', 5000],
    ['the interval of the caller if that of the service is not a number', { interval: 5000 }, 'soon', 5000],
  ])('a poll waits %s', async (_rule, options, interval, wait) => {
    const received = { status: 304, ...(interval === undefined ? {} : { interval }) };
    expect((await poll([received, { status: 304 }], { since: 'x', ...options })).waits).toEqual([wait]);
  });

  it('polling continues after the state of an earlier run', async () => {
    const since = 'Thu, 01 Jan 2026 00:00:00 GMT';
    expect(await poll([{ status: 304 }], { since })).toMatchObject({ data: [], sinces: [since] });
  });

  it('the time that the caller takes is part of the wait', async () => {
    const clock = new TestClock();
    await using server = await startEchoServer(
      (_request, response) => void response.setHeader('x-poll-interval', '60').end(),
    );
    const options = { ...clock, now: clock.now, sleep: clock.sleep };
    let count = 0;
    for await (const _change of pollChanges(operationOf({ baseUrl: server.url }), PLAN, {
      request: undefined,
      options,
    })) {
      clock.time += 45_000;
      count += 1;
      if (count === 3) break;
    }
    expect(clock.sleeps).toEqual([15_000, 15_000]);
  });

  it('polling ends with a failure of the service, or with the reason of the signal', async () => {
    const failed = await poll([{ status: 200 }, { status: 500 }, { status: 200 }]);
    expect((failed.error as ApiError).status).toBe(500);
    expect((await poll([{ status: 200 }])).error).toEqual(new Error('end'));
  });
});
