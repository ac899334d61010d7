import { readFileSync } from 'node:fs';
import type { ServerResponse } from 'node:http';

import { transform } from 'esbuild';
import { describe, expect, it } from 'vitest';

import type { CallOptions, ClientContext, OperationData } from '../../runtime/context.js';
import { ApiError, MalformedBodyError, NetworkError, TimeoutError } from '../../runtime/errors.js';
import { send } from '../../runtime/client.js';
import { startEchoServer } from '../support/echo-server.js';

interface Answer {
  readonly status: number;
  readonly data: unknown;
  readonly headers: Readonly<Record<string, string>>;
  readonly response: Response;
}

interface Call {
  readonly operation?: Partial<OperationData>;
  readonly context?: Partial<ClientContext>;
  readonly options?: CallOptions;
}

async function call(
  respond: (response: ServerResponse) => void,
  { operation, context, options }: Call = {},
): Promise<Answer> {
  await using server = await startEchoServer((_request, response) => respond(response));
  return await send<Answer>(
    { baseUrl: server.url, ...context },
    { name: 'getcase', path: '/x', ...operation },
    { request: undefined, options },
  );
}

/** What a call fails with. */
async function failure(...args: Parameters<typeof call>): Promise<unknown> {
  return call(...args).then(
    () => undefined,
    (error: unknown) => error,
  );
}

function respondWith(
  status: number,
  contentType: string | undefined,
  body: string = '',
): (response: ServerResponse) => void {
  return (response) =>
    void response.writeHead(status, contentType === undefined ? {} : { 'content-type': contentType }).end(body);
}

describe('responses', () => {
  it.each([
    ['JSON', 'application/json', '{"a":1}', { a: 1 }, undefined],
    ['JSON with parameters, in any letter case', 'Application/JSON; Charset=UTF-8', '[1]', [1]],
    ['+json', 'application/problem+json', 'null', null],
    ['JSON without a content type, if JSON is requested', undefined, '"a"', 'a'],
    ['text', 'text/plain', 'a,b', 'a,b', 'text/plain'],
    ['XML', 'application/atom+xml', '<a/>', '<a/>', '*/*'],
    ['JSON with a text media type, if JSON is documented', 'text/plain', '{"a":1}', { a: 1 }],
    ['an empty body of type JSON', 'application/json', '', undefined],
    ['an empty body of an undocumented type', 'text/html', '', undefined],
    ['an empty body without a type', undefined, '', undefined],
  ])('responses of %s are decoded', async (_kind, contentType, body, wanted, accept = 'application/json') => {
    const received = await call(respondWith(200, contentType, body), { operation: { accept } });
    expect([received.status, received.data]).toEqual([200, wanted]);
    expect(received.response.headers.get('content-type')).toBe(contentType ?? null);
  });

  it.each([
    ['text', 'text/plain; charset=utf-8', 'text/plain', ''],
    ['bytes', 'image/png', 'text/plain, image/png', new Blob([], { type: 'image/png' })],
    ['no value if any type is documented', undefined, '*/*', undefined],
  ])('an empty body is a value if its type is documented: %s', async (_kind, contentType, accept, wanted) => {
    expect((await call(respondWith(200, contentType), { operation: { accept } })).data).toEqual(wanted);
  });

  it.each([
    ['bytes', 'application/pdf', { accept: 'application/pdf' }],
    ['text that is documented as a file', 'text/csv', { accept: 'text/csv', files: ['text/csv'] }],
  ])('%s responses are a Blob', async (_kind, contentType, operation) => {
    const { data } = await call(respondWith(200, contentType, 'abc'), { operation });
    expect(data).toBeInstanceOf(Blob);
    expect(await (data as Blob).text()).toBe('abc');
  });

  it.each([204, 205])('a %i response has no data', async (status) => {
    const received = await call(respondWith(status, 'application/json'));
    expect([received.status, received.data]).toEqual([status, undefined]);
  });

  it.each(['if-none-match', 'If-Modified-Since'])('a 304 is returned without data to a call with %s', async (name) => {
    const options = { headers: { [name]: 'x' } };
    const received = await call(respondWith(304, 'application/json'), { options });
    expect([received.status, received.data]).toEqual([304, undefined]);
  });

  it.each([
    [304, [304], true],
    [302, [404], false],
  ])('throws a %i without a condition, which is documented by %j: %s', async (status, failures, documented) => {
    const error = await failure(respondWith(status, 'application/json'), { operation: { failures } });
    expect(error).toMatchObject({ name: 'ApiError', status, documented });
  });

  it('a redirect is returned to a call that follows none', async () => {
    const options = { init: { redirect: 'manual' as const } };
    const { status } = await call(respondWith(302, 'application/json'), { options });
    expect(status).toBe(302);
  });

  it('an event stream is returned unread', async () => {
    await using server = await startEchoServer(
      (_request, response) => void response.setHeader('content-type', 'text/event-stream').end('data: 1\n\n'),
    );
    const operation = { name: 'stream', path: '/', accept: 'text/event-stream' };
    const { data } = await send<Answer>({ baseUrl: server.url }, operation, {
      request: undefined,
      options: { timeout: 5000 },
    });
    expect(data).toBeInstanceOf(ReadableStream);
    expect(await new Response(data as ReadableStream).text()).toBe('data: 1\n\n');
  });

  it('headers have lower-case names', async () => {
    const { headers } = await call((response) => void response.writeHead(200, { 'X-Poll-Interval': '60' }).end());
    expect(headers['x-poll-interval']).toBe('60');
  });

  it('the headers of a result are the same object each time, also in a copy', async () => {
    const result = await call((response) => void response.writeHead(200, { 'X-Poll-Interval': '60' }).end());
    const { headers } = result;
    expect(result.headers).toBe(headers);
    expect({ ...result }.headers).toBe(headers);
    expect(Object.keys(result)).toContain('headers');
  });

  it('the redirect of an operation that only redirects is returned', async () => {
    const { status, headers } = await call(
      (response) => void response.writeHead(302, { location: 'http://127.0.0.1:1/' }).end(),
      { operation: { redirect: 'manual' } },
    );
    expect([status, headers['location']]).toEqual([302, 'http://127.0.0.1:1/']);
  });

  it('malformed JSON is an error with a plain message', async () => {
    const error = await failure(respondWith(200, 'application/json', '{"a":'));
    expect(error).toBeInstanceOf(MalformedBodyError);
    expect(String(error)).toBe('MalformedBodyError: getcase responded 200 with malformed JSON.');
    expect((error as Error).cause).toBeInstanceOf(SyntaxError);
  });
});

it.each(['text/html', 'application/octet-stream', 'application/xml'])(
  'a success that is documented as JSON is an error if it is %s and not JSON',
  async (type) => {
    const error = await failure(respondWith(200, type, '<html></html>'));
    expect(String(error)).toBe(`MalformedBodyError: getcase responded 200 with ${type}, not JSON.`);
  },
);

describe('failures', () => {
  it.each([
    ['error.message', '{"error":{"errorCode":"x","message":"No such case."}}', ': No such case.'],
    ['message', '{"message":"No such case."}', ': No such case.'],
    ['error', '{"error":"No such case."}', ': No such case.'],
    ['detail of a problem, before its title', '{"title":"Not found","detail":"No such case."}', ': No such case.'],
    ['nothing', '{"a":1}', ''],
  ])('the message of an ApiError has the text of the body: %s', async (_place, body, wanted) => {
    const error = await failure(respondWith(404, 'application/problem+json', body));
    expect(error).toBeInstanceOf(ApiError);
    expect(String(error)).toBe(`ApiError: getcase failed with status 404${wanted}`);
  });

  it('no member of an ApiError is its response, however its fields are compiled', async () => {
    const { code } = await transform(readFileSync('runtime/errors.ts', 'utf8'), { loader: 'ts', target: 'es2022' });
    const compiled = (await import(`data:text/javascript,${encodeURIComponent(code)}`)) as {
      ApiError: typeof ApiError;
    };
    const answer = { status: 404, body: 'none', headers: {}, response: new Response() };
    const error = new compiled.ApiError({ name: 'getcase' }, answer);
    expect(error.response).toBe(answer.response);
    expect(Object.keys(error)).toEqual(['name', 'status', 'body', 'headers', 'operation', 'operationId', 'documented']);
  });

  it('an ApiError can be serialised as JSON', async () => {
    const error = (await failure(respondWith(404, 'application/json', '{"a":1}'), {
      operation: { id: 'cases/get', failures: [404] },
    })) as ApiError;
    expect(JSON.parse(JSON.stringify(error))).toMatchObject({
      name: 'ApiError',
      status: 404,
      body: { a: 1 },
      operation: 'getcase',
      operationId: 'cases/get',
      documented: true,
      headers: { 'content-type': 'application/json' },
    });
  });

  it.each([
    ['malformed JSON stays text', 'application/json', '<html>', '<html>'],
    ['an event stream is text', 'text/event-stream', 'data: 1', 'data: 1'],
    ['no body', undefined, '', undefined],
  ])('failures: %s', async (_rule, contentType, body, wanted) => {
    expect(
      await failure(respondWith(500, contentType, body), { operation: { accept: 'text/event-stream' } }),
    ).toMatchObject({
      status: 500,
      body: wanted,
    });
  });

  it.each([
    [[404], true],
    [['4XX'], true],
    [['default'], true],
    [[400, '5XX'], false],
    [undefined, false],
  ])('documented as %j: %s', async (failures, documented) => {
    expect(
      await failure(respondWith(404, undefined), { operation: failures === undefined ? {} : { failures } }),
    ).toMatchObject({ documented });
  });

  it('an undocumented 304 is a failure', async () => {
    expect(await failure(respondWith(304, undefined))).toMatchObject({ status: 304 });
  });
});

describe('the network', () => {
  it('a lost connection is a NetworkError with its cause', async () => {
    const error = (await failure((response) => void response.destroy())) as Error;
    expect(error).toBeInstanceOf(NetworkError);
    expect(error.cause).toBeInstanceOf(Error);
  });

  it('a response that breaks off is a NetworkError', async () => {
    const error = await failure((response) => {
      response.writeHead(200, { 'content-type': 'application/json', 'content-length': '100' }).write('{');
      setTimeout(() => response.destroy(), 20);
    });
    expect(error).toBeInstanceOf(NetworkError);
  });

  const never = (): void => undefined;
  const half = (response: ServerResponse): void =>
    void response.writeHead(200, { 'content-type': 'application/json' }).write('{');

  it.each([
    ['no response', never],
    ['only half a response', half],
  ])('a call throws a TimeoutError if %s arrives in time', async (_what, respond) => {
    expect(await failure(respond, { context: { timeout: 60 } })).toBeInstanceOf(TimeoutError);
    expect(
      await failure(respond, {
        context: { timeout: 60_000 },
        options: { timeout: 60, signal: new AbortController().signal },
      }),
    ).toBeInstanceOf(TimeoutError);
  });

  it('an infinite timeout has no effect', async () => {
    expect((await call(respondWith(204, undefined), { context: { timeout: Infinity } })).status).toBe(204);
  });

  it.each([
    ['before the call', never, 0],
    ['without a response', never, 30],
    ['in the middle of a response', half, 60],
  ])('a signal ends the call %s with its reason', async (_when, respond, milliseconds) => {
    const controller = new AbortController();
    const reason = new Error('enough');
    if (milliseconds === 0) controller.abort(reason);
    else setTimeout(() => controller.abort(reason), milliseconds);
    expect(await failure(respond, { context: { timeout: 5000 }, options: { signal: controller.signal } })).toBe(reason);
  });
});

describe('hooks', () => {
  it('hooks see the request and the response, and can replace the request', async () => {
    const seen: string[] = [];
    await using server = await startEchoServer();
    const context: ClientContext = {
      baseUrl: server.url,
      onRequest(request) {
        seen.push(`${request.method} ${new URL(request.url).pathname}`);
        return new Request(`${server.url}/other`, request);
      },
      async onResponse(response, request) {
        await Promise.resolve();
        seen.push(`${response.status} ${new URL(request.url).pathname}`);
      },
    };
    await send(context, { name: 'test', path: '/x' }, { request: {}, options: {} });
    expect(seen).toEqual(['GET /x', '200 /other']);
    expect(server.last().url).toBe('/other');
  });

  it('hooks let their own errors through', async () => {
    const error = new Error('mine');
    const onRequest = (): never => {
      throw error;
    };
    expect(await failure(respondWith(200, undefined), { context: { onRequest } })).toBe(error);
  });

  it('fetch can be replaced', async () => {
    const urls: string[] = [];
    const fetch = async (request: Request): Promise<Response> => {
      urls.push(request.url);
      return Promise.resolve(Response.json({ a: 1 }));
    };
    const received = await send<Answer>(
      { baseUrl: 'https://mock.test', fetch },
      { name: 'test', path: '/x' },
      { request: {}, options: {} },
    );
    expect([urls, received.data]).toEqual([['https://mock.test/x'], { a: 1 }]);
  });
});

describe('validate', () => {
  const refused = new Error('not as described');
  const check = async (...args: unknown[]): Promise<void> => {
    await Promise.resolve();
    if (JSON.stringify(args) !== '["getcase",200,"application/json",{"a":1}]') throw refused;
  };

  it.each([
    ['a valid response is returned', '{"a":1}', { context: { check, validate: true } }, undefined],
    ['an invalid response is thrown', '{"a":2}', { context: { check, validate: true } }, refused],
    [
      'the option of the call overrides that of the client',
      '{"a":2}',
      { context: { check, validate: true }, options: { validate: false } },
      undefined,
    ],
    ['for one call only', '{"a":2}', { context: { check }, options: { validate: true } }, refused],
    ['not by default', '{"a":2}', { context: { check } }, undefined],
  ])('validate: %s', async (_rule, body, given, wanted) => {
    expect(await failure(respondWith(200, 'application/json', body), given)).toBe(wanted);
  });

  it('validate is refused without validators', async () => {
    expect(await failure(respondWith(200, undefined), { options: { validate: true } })).toBeInstanceOf(TypeError);
  });
});
