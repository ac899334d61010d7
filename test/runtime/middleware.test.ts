import { describe, expect, it } from 'vitest';

import { writeCredentials } from '../../runtime/credentials.js';
import type { CallOptions, ClientContext, OperationData, RequestValues, Retry } from '../../runtime/context.js';
import { ApiError, NetworkError, TimeoutError } from '../../runtime/errors.js';
import { send } from '../../runtime/client.js';
import { attemptTimeouts, clientMiddleware, renewals, retries } from '../../runtime/middleware.js';
import { addIdempotencyKey, writeBearer, writeBinary, writeJson } from '../../runtime/serialize.js';
import { type EchoServer, startEchoServer } from '../support/echo-server.js';

interface Call {
  readonly operation?: Partial<OperationData>;
  readonly context?: Partial<ClientContext>;
  readonly options?: CallOptions;
  readonly request?: RequestValues;
}

const FAST = { delay: 1 };

function call(server: EchoServer, { operation, context, options, request }: Call = {}): Promise<{ status: number }> {
  return send(
    { baseUrl: server.url, middleware: [retries(FAST)], ...context },
    { name: 'test', path: '/x', ...operation },
    { request, options },
  );
}

/** A server whose first responses have these statuses and headers, all others 200. */
async function startFailing(
  ...failures: readonly (number | readonly [number, Record<string, string>])[]
): Promise<EchoServer> {
  const left = [...failures];
  return startEchoServer((_request, response) => {
    const [status, headers] = [left.shift() ?? 200].flat() as [number, Record<string, string>?];
    if (status === 0) response.destroy();
    else response.writeHead(status, headers).end();
  });
}

describe('retries', () => {
  it.each([408, 429, 500, 502, 503, 504, 0])('retries a GET after %i (0: a broken connection)', async (failure) => {
    await using server = await startFailing(failure, failure);
    expect((await call(server)).status).toBe(200);
    expect(server.received).toHaveLength(3);
  });

  it('gives up after the maximum number of attempts and throws the last failure', async () => {
    await using server = await startFailing(503, 503, 503, 503);
    await expect(call(server)).rejects.toMatchObject({ name: 'ApiError', status: 503 });
    expect(server.received).toHaveLength(3);
    await using broken = await startFailing(0, 0);
    const one = call(broken, { options: { retry: { attempts: 2 } } });
    await expect(one).rejects.toBeInstanceOf(NetworkError);
    expect(broken.received).toHaveLength(2);
  });

  it.each([400, 401, 404, 409, 501])('does not retry a GET after %i', async (failure) => {
    await using server = await startFailing(failure);
    await expect(call(server)).rejects.toBeInstanceOf(ApiError);
    expect(server.received).toHaveLength(1);
  });

  it.each([
    ['HEAD', 3],
    ['OPTIONS', 3],
    ['PUT', 3],
    ['DELETE', 3],
    ['QUERY', 3],
    ['POST', 1],
    ['PATCH', 1],
  ])('a %s is sent %i times if it fails', async (method, times) => {
    await using server = await startFailing(503, 503, 503, 503);
    await expect(call(server, { operation: { method } })).rejects.toBeInstanceOf(ApiError);
    expect(server.received).toHaveLength(times);
  });

  it('retries a POST with the same idempotency key and the same body', async () => {
    await using server = await startFailing(503, 503);
    const operation = { method: 'POST', isRepeatable: true, body: { 'application/json': writeJson } };
    await call(server, { operation, request: addIdempotencyKey({ body: { a: 1 } }, 'Idempotency-Key') });
    expect(server.received.map(({ body }) => body.toString())).toEqual(['{"a":1}', '{"a":1}', '{"a":1}']);
    const keys = new Set(server.received.map(({ headers }) => headers['idempotency-key']));
    expect([...keys]).toEqual([expect.stringMatching(/^[\da-f-]{36}$/)]);
  });

  it('sends the idempotency key of the caller if there is one', async () => {
    await using server = await startFailing();
    const request = addIdempotencyKey({ headers: { 'idempotency-key': 'mine' } }, 'Idempotency-Key');
    await call(server, { operation: { method: 'POST' }, request });
    expect(server.last().headers['idempotency-key']).toBe('mine');
  });

  it('does not retry a call whose body is a stream, which can be sent only once', async () => {
    await using server = await startFailing(503);
    const operation = { method: 'PUT', body: { 'text/plain': writeBinary } };
    const body = new Blob(['abc']).stream();
    await expect(call(server, { operation, request: { body } })).rejects.toBeInstanceOf(ApiError);
    expect(server.received).toHaveLength(1);
  });

  it('the option of a call switches retries on and off', async () => {
    await using off = await startFailing(503);
    await expect(call(off, { options: { retry: false } })).rejects.toBeInstanceOf(ApiError);
    await using on = await startFailing(503);
    const context = { middleware: [retries(false)] };
    expect((await call(on, { context, options: { retry: FAST } })).status).toBe(200);
  });

  it('onRetry gets the failure, the attempt and the wait, which doubles and has a random part', async () => {
    await using server = await startFailing(503, 0);
    const seen: Retry[] = [];
    await call(server, { options: { retry: { delay: 8, onRetry: (retry) => void seen.push(retry) } } });
    const [first, second] = seen;
    expect(first).toMatchObject({ operation: 'test', attempt: 1, error: undefined });
    expect(first?.response?.status).toBe(503);
    expect(first?.delay).toBeGreaterThanOrEqual(4);
    expect(first?.delay).toBeLessThanOrEqual(8);
    expect(second).toMatchObject({ attempt: 2, response: undefined });
    expect(second?.error).toBeInstanceOf(NetworkError);
    expect(second?.delay).toBeGreaterThanOrEqual(8);
    expect(second?.delay).toBeLessThanOrEqual(16);
  });

  it.each([
    ['seconds', { 'retry-after': '0.02' }],
    [
      'a date, by the clock of the server',
      { date: 'Thu, 01 Jan 2026 00:00:00 GMT', 'retry-after': 'Thu, 01 Jan 2026 00:00:00 GMT' },
    ],
  ])('waits as long as Retry-After asks: %s', async (_kind, headers) => {
    await using server = await startFailing([503, headers]);
    const delays: number[] = [];
    await call(server, { options: { retry: { delay: 5000, onRetry: ({ delay }) => void delays.push(delay) } } });
    expect(delays).toEqual([headers['retry-after'] === '0.02' ? 20 : 0]);
  });

  it('does not retry if Retry-After asks for more than the caller allows', async () => {
    await using server = await startFailing([503, { 'retry-after': '3600' }]);
    await expect(call(server)).rejects.toMatchObject({ status: 503 });
    expect(server.received).toHaveLength(1);
  });

  it('ends a wait when the signal of the call aborts, with its reason', async () => {
    await using server = await startFailing([503, { 'retry-after': '9' }]);
    const controller = new AbortController();
    const onRetry = (): void => void setTimeout(() => controller.abort(new Error('left the page')), 10);
    const options = { signal: controller.signal, retry: { onRetry } };
    await expect(call(server, { options })).rejects.toThrow('left the page');
  });

  it('ends a wait when the time limit of the call is over', async () => {
    await using server = await startFailing([503, { 'retry-after': '9' }]);
    await expect(call(server, { options: { timeout: 50 } })).rejects.toBeInstanceOf(TimeoutError);
  });
});

describe('time limits of attempts', () => {
  it('retries an attempt that takes too long', async () => {
    let count = 0;
    await using server = await startEchoServer((_request, response) => {
      count += 1;
      if (count > 1) response.end();
    });
    const context = { middleware: [retries(FAST), attemptTimeouts(500)] };
    expect((await call(server, { context })).status).toBe(200);
    expect(server.received).toHaveLength(2);
  });

  it('throws a TimeoutError after the last attempt', async () => {
    await using server = await startEchoServer(() => undefined);
    const context = { middleware: [attemptTimeouts()] };
    const late = call(server, { context, options: { attemptTimeout: 30 } });
    await expect(late).rejects.toMatchObject({ name: 'TimeoutError', message: 'test got no response in 30 ms.' });
  });

  it('does not cut a body that takes longer than an attempt', async () => {
    await using server = await startEchoServer((_request, response) => {
      response.writeHead(200, { 'content-type': 'text/plain' }).write('a');
      setTimeout(() => response.end('b'), 1_500);
    });
    const context = { middleware: [attemptTimeouts(1_000)] };
    expect(await call(server, { context, operation: { accept: 'text/plain' } })).toMatchObject({ data: 'ab' });
  });

  it('keeps the signal of the caller connected while the body is read', async () => {
    await using server = await startEchoServer((_request, response) => void response.writeHead(200).write('a'));
    const controller = new AbortController();
    setTimeout(() => controller.abort(new Error('enough')), 500);
    const context = { middleware: [attemptTimeouts(20_000)] };
    await expect(call(server, { context, options: { signal: controller.signal } })).rejects.toThrow('enough');
  });
});

describe('renewal of credentials', () => {
  const operation = { security: [{ token: writeBearer }], authorize: writeCredentials };

  /** A server that accepts one token, and responds to all others only when this many calls wait. */
  async function startGuarded(accepted: string, waiting = 1): Promise<EchoServer> {
    const refused: (() => void)[] = [];
    return startEchoServer((request, response) => {
      if (request.headers.authorization === `Bearer ${accepted}`) response.end();
      else refused.push(() => void response.writeHead(401).end());
      if (refused.length >= waiting) for (const refuse of refused.splice(0)) refuse();
    });
  }

  it('calls the credential function again after 401, with the reason, and retries the call once', async () => {
    await using server = await startGuarded('new');
    const reasons: string[] = [];
    const token = ({ reason }: { readonly reason: string }): string => {
      reasons.push(reason);
      return reason === 'unauthorized' ? 'new' : 'old';
    };
    expect(
      (await call(server, { operation, context: { credentials: { token }, middleware: [renewals()] } })).status,
    ).toBe(200);
    expect(reasons).toEqual(['call', 'unauthorized']);
    expect(server.received.map(({ headers }) => headers.authorization)).toEqual(['Bearer old', 'Bearer new']);
  });

  it('shares one renewal between concurrent calls', async () => {
    await using server = await startGuarded('new', 5);
    let renewed = 0;
    const token = async ({ reason }: { readonly reason: string }): Promise<string> => {
      if (reason === 'call') return renewed === 0 ? 'old' : 'new';
      await new Promise((resolve) => setTimeout(resolve, 20));
      renewed += 1;
      return 'new';
    };
    const context = { credentials: { token }, middleware: [renewals()] };
    const calls = Array.from({ length: 5 }, () => call(server, { operation, context }));
    expect((await Promise.all(calls)).map(({ status }) => status)).toEqual([200, 200, 200, 200, 200]);
    expect([renewed, server.received.length]).toEqual([1, 10]);
  });

  it('throws the 401 if the renewed credential is refused too', async () => {
    await using server = await startGuarded('other');
    const context = { credentials: { token: () => 'bad' }, middleware: [renewals()] };
    await expect(call(server, { operation, context })).rejects.toMatchObject({ status: 401 });
    expect(server.received).toHaveLength(2);
  });

  it('does not retry a call after 401 if its credential is a value', async () => {
    await using server = await startGuarded('other');
    const context = { credentials: { token: 'bad' }, middleware: [renewals()] };
    await expect(call(server, { operation, context })).rejects.toMatchObject({ status: 401 });
    expect(server.received).toHaveLength(1);
  });

  it("additions of the caller's middleware are sent again with each retry", async () => {
    await using server = await startGuarded('new');
    const token = ({ reason }: { readonly reason: string }): string => (reason === 'unauthorized' ? 'new' : 'old');
    const middleware = clientMiddleware({
      middleware: [
        async (request, next) => {
          request.headers.set('x-trace', 'a');
          return next(request);
        },
      ],
    });
    await call(server, { operation, context: { credentials: { token }, middleware } });
    expect(server.received.map(({ headers }) => headers['x-trace'])).toEqual(['a', 'a']);
  });
});

describe('middleware', () => {
  it('middleware runs around the call in the order of the list, and may replace request and response', async () => {
    await using server = await startFailing();
    const order: string[] = [];
    const context: Partial<ClientContext> = {
      middleware: [
        async (request, next, { operation }) => {
          order.push(`first ${operation.name}`);
          const response = await next(new Request(request, { headers: { 'x-first': '1' } }));
          order.push(`first ${response.status}`);
          return new Response('{"a":1}', { headers: { 'content-type': 'application/json' } });
        },
        async (request, next) => {
          order.push(`second ${request.headers.get('x-first')}`);
          return next(request);
        },
      ],
    };
    expect(await call(server, { context })).toMatchObject({ status: 200, data: { a: 1 } });
    expect(order).toEqual(['first test', 'second 1', 'first 200']);
    expect(server.last().headers['x-first']).toBe('1');
  });

  it('middleware may respond without sending the request', async () => {
    const context: Partial<ClientContext> = {
      baseUrl: 'http://127.0.0.1:1',
      middleware: [async () => Response.json({ cached: true })],
    };
    await using server = await startFailing();
    expect(await call(server, { context })).toMatchObject({ data: { cached: true } });
  });

  it('an error of middleware reaches the caller', async () => {
    await using server = await startFailing();
    const context: Partial<ClientContext> = { middleware: [() => Promise.reject(new RangeError('too many'))] };
    await expect(call(server, { context })).rejects.toThrow(RangeError);
  });

  it('middleware wraps all attempts, and the hooks wrap each one', async () => {
    await using server = await startFailing(503);
    const seen: string[] = [];
    const own = async (request: Request, next: (request: Request) => Promise<Response>): Promise<Response> => {
      seen.push('middleware');
      return next(request);
    };
    const context: Partial<ClientContext> = {
      middleware: clientMiddleware({ middleware: [own], retry: FAST }),
      onRequest: () => void seen.push('request'),
      onResponse: ({ status }) => void seen.push(String(status)),
    };
    await call(server, { context });
    expect(seen).toEqual(['middleware', 'request', '503', 'request', '200']);
  });
});

describe('fetch', () => {
  it('fetch gets the options of the client and of the call, also those of a framework', async () => {
    const given: [Request, RequestInit | undefined][] = [];
    const context: Partial<ClientContext> = {
      fetch: async (request, init) => {
        given.push([request, init]);
        return new Response(null, { status: 204 });
      },
      init: { credentials: 'include', cache: 'no-store', redirect: 'error' },
    };
    await using server = await startFailing();
    await call(server, { context, options: { init: { cache: 'reload', keepalive: true, next: { tags: ['a'] } } } });
    const [request, init] = given[0] ?? [];
    expect(request).toMatchObject({ credentials: 'include', cache: 'reload', keepalive: true, redirect: 'error' });
    expect(init).toMatchObject({ credentials: 'include', cache: 'reload', next: { tags: ['a'] } });
  });

  it('fetch gets headers and query of the client and of the call', async () => {
    await using server = await startFailing();
    await call(server, {
      context: { headers: { 'x-a': '1', 'x-b': '1' }, query: { version: 1, region: 'eu' } },
      options: { headers: { 'x-b': '2' }, query: { version: 2, tag: ['a b', 'c'] } },
      request: { query: { own: true } },
    });
    const { url, headers } = server.last();
    expect([url, headers['x-a'], headers['x-b']]).toEqual([
      '/x?own=true&version=2&region=eu&tag=a%20b&tag=c',
      '1',
      '2',
    ]);
  });
});
