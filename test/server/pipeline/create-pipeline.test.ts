import { describe, expect, test } from 'vitest';

import { createFetch } from '../../../server/transport/in-process-fetch.js';
import { createPipeline } from '../../../server/pipeline/create-pipeline.js';
import type { PipelineOptions, PipelineSettings } from '../../../server/pipeline/pipeline-options.js';
import type { Fault } from '../../../server/sandbox/sandbox.js';
import { api, ECHO, operation, postJson } from '../conformance/conformance-case.js';
import type { FakeSandbox } from '../conformance/fake-sandbox.js';
import { mountPipeline } from '../conformance/start-transports.js';

interface Mock {
  readonly fetch: typeof fetch;
  readonly sandbox: FakeSandbox;
}

async function mount(
  document: object,
  settings: Partial<PipelineSettings> = {},
  more: Partial<PipelineOptions> = {},
): Promise<Mock> {
  const { pipeline, sandbox } = await mountPipeline(document, settings);
  const handle = createPipeline({ ...pipeline, ...more });
  return { sandbox, fetch: createFetch({ handle, sandboxOf: () => sandbox }) };
}

const NAMED = { type: 'object', required: ['name'], properties: { name: { type: 'string' } } };
const BODY = { requestBody: { required: true, content: { 'application/json': { schema: NAMED } } } };
const ID = {
  'application/json': {
    schema: { type: 'object', required: ['id'], properties: { id: { type: 'integer' } } },
    examples: { one: { value: { id: 1 } }, two: { value: { id: 2 } } },
  },
};
/** The statuses of an API that has no types are numbers, no more. */
const OK: number = 200;
const URL_X = 'http://mock/x';

describe('violations', () => {
  const RESPONSES: readonly (readonly [string, readonly string[], RequestInit, number])[] = [
    ['400 if nothing else is documented', [], postJson({}), 400],
    ['422 if it is documented', ['422'], postJson({}), 422],
    ['422 before 400', ['400', '422'], postJson({}), 422],
    ['400 for an unreadable body', ['400', '422'], { ...postJson({}), body: '{' }, 400],
    ['422 for an unreadable body if 400 is not documented', ['422'], { ...postJson({}), body: '{' }, 422],
    ['415 for another media type', ['422'], { ...postJson({}), headers: { 'content-type': 'text/plain' } }, 415],
  ];
  test.each(RESPONSES)('violations: %s', async (_name, statuses, init, wanted) => {
    const responses = {
      ...(ECHO as { responses: object }).responses,
      ...Object.fromEntries(statuses.map((status) => [status, { description: 'no' }])),
    };
    const { fetch } = await mount(operation('post', '/x', { ...BODY, responses }));
    expect((await fetch(URL_X, init)).status).toBe(wanted);
  });

  test('validation "warn" responds and adds violations to the journal, and "off" does not check', async () => {
    const document = operation('post', '/x', BODY);
    const warned = await mount(document, { validate: 'warn' });
    expect((await warned.fetch(URL_X, postJson({ name: 1 }))).status).toBe(200);
    expect(warned.sandbox.calls[0]?.violations).toEqual([{ in: 'body', pointer: '/name', message: 'must be string' }]);
    const off = await mount(document, { validate: 'off' });
    expect((await off.fetch(URL_X, postJson({ name: 1 }))).status).toBe(200);
    expect(off.sandbox.calls[0]?.violations).toEqual([]);
  });

  test('an invalid response of a handler becomes a 500 with the pointer, unless validation only warns', async () => {
    const document = operation('get', '/x', {
      'x-handler': 'wrong',
      responses: { 200: { description: 'ok', content: ID } },
    });
    const { fetch, sandbox } = await mount(document);
    const response = await fetch(URL_X);
    expect(response.status).toBe(500);
    expect(await response.json()).toMatchObject({
      violations: [{ in: 'response', pointer: '/body/id', message: 'must be integer' }],
    });
    expect(sandbox.calls[0]).toMatchObject({ status: 500, violations: [{ in: 'response', pointer: '/body/id' }] });
    const warned = await mount(document, { validate: 'warn' });
    expect((await warned.fetch(URL_X)).status).toBe(200);
    expect(warned.sandbox.calls[0]?.violations).toHaveLength(1);
  });

  interface WrongAnswer {
    readonly name: string;
    readonly headers?: object;
    readonly status?: number;
    readonly body?: unknown;
    readonly sent?: Record<string, string>;
    readonly pointer: string;
  }
  const HEADER = { 'X-A': { required: true, schema: { type: 'integer' } } };
  const WRONG: readonly WrongAnswer[] = [
    { name: 'a status that is not documented', status: 201, body: {}, pointer: '/status' },
    { name: 'a header that is missing', headers: HEADER, body: { id: 1 }, pointer: '/headers' },
    {
      name: 'a header of the wrong type',
      headers: HEADER,
      body: { id: 1 },
      sent: { 'X-A': 'one' },
      pointer: '/headers/x-a',
    },
    { name: 'a body that is missing', pointer: '/body' },
    {
      name: 'another media type',
      body: { id: 1 },
      sent: { 'content-type': 'text/csv' },
      pointer: '/headers/content-type',
    },
  ];
  test.each(WRONG)(
    'an invalid response of a handler is refused: $name',
    async ({ headers = {}, status = OK, body, sent = {}, pointer }) => {
      const document = operation('get', '/x', { responses: { 200: { description: 'ok', content: ID, headers } } });
      const { fetch } = await mount(document, {}, { handlerOf: () => (call) => call.respond(status, body, sent) });
      expect(await (await fetch(URL_X)).json()).toMatchObject({ status: 500, violations: [{ pointer }] });
    },
  );
});

describe('faults', () => {
  const FAULTS: readonly (readonly [string, Fault, number, string])[] = [
    ['a status', { status: 503 }, 503, ''],
    ['a body', { status: 503, body: { oops: 1 }, headers: { 'X-A': 'b' } }, 503, '{"oops":1}'],
    ['an example', { example: 'two' }, 200, '{"id":2}'],
    ['another operation', { operationId: 'other', status: 503 }, 200, '{"operation":"echo"}'],
    ['a text', { headers: { 'content-type': 'text/plain' }, body: 'oops' }, 200, 'oops'],
    ['a text of JSON', { headers: { 'content-type': 'application/json' }, body: 'oops' }, 200, '"oops"'],
    [
      'events',
      { headers: { 'content-type': 'text/event-stream' }, body: [{ a: 1 }, { error: 2 }] },
      200,
      'data: {"a":1}\n\ndata: {"error":2}\n\n',
    ],
    ['one event', { headers: { 'content-type': 'text/event-stream' }, body: { a: 1 } }, 200, 'data: {"a":1}\n\n'],
    ['nothing but a delay', { latencyMs: 20 }, 200, '{"operation":"echo"}'],
    ['an example that does not exist', { example: 'three' }, 500, 'names the example'],
  ];
  test.each(FAULTS)('faults: %s', async (_name, fault, status, text) => {
    const { fetch, sandbox } = await mount(
      operation('get', '/x', {
        responses: {
          200: { description: 'ok', content: { 'application/json': { ...ID['application/json'], schema: {} } } },
        },
      }),
    );
    sandbox.planned.push(fault);
    const started = Date.now();
    const response = await fetch(URL_X);
    expect(response.status).toBe(status);
    const got = await response.text();
    expect(got).toContain(text);
    expect(Date.now() - started).toBeGreaterThanOrEqual((fault.latencyMs ?? 0) - 5);
  });
});

test.each([
  ['events', { 'content-type': 'text/event-stream' }, [{ a: 1 }, { a: 2 }], 'data: {"a":1}\n\ndata: {"a":2}\n\n'],
  ['a text', { 'content-type': 'text/plain' }, 'half of', 'half of'],
  ['JSON', {}, { a: 1 }, '{"a":1}'],
])(
  'a fault closes the connection after %s, which is not reported as a bug of the mock',
  async (_name, headers, body, text) => {
    const { fetch, sandbox } = await mount(operation('get', '/x', {}));
    sandbox.faults.replace([{ headers, body, abort: true }]);
    const response = await fetch(URL_X);
    const chunks: string[] = [];
    const read = async (): Promise<void> => {
      for await (const chunk of response.body ?? []) chunks.push(Buffer.from(chunk).toString());
    };
    await expect(read()).rejects.toThrow('breaks off');
    expect(chunks.join('')).toBe(text);
    expect(sandbox.calls.at(-1)?.violations).toEqual([]);
  },
);

describe('the journal', () => {
  test('the journal has the request that a fault was applied to', async () => {
    const { fetch, sandbox } = await mount(operation('post', '/x', BODY));
    sandbox.faults.replace([{ status: 503 }]);
    await fetch(URL_X, postJson({ name: 'a' }));
    expect(Buffer.from(sandbox.calls[0]?.request.body as Uint8Array | string).toString()).toBe('{"name":"a"}');
  });

  test('the journal has requests and responses', async () => {
    const { fetch, sandbox } = await mount(operation('post', '/x', BODY));
    await fetch(`${URL_X}?q=1`, postJson({ name: 'a' }));
    expect(sandbox.calls).toMatchObject([
      {
        at: Date.UTC(2026, 0, 1),
        method: 'POST',
        path: '/x?q=1',
        status: 200,
        operationId: 'echo',
        request: { json: '{"name":"a"}' },
        response: { json: expect.stringContaining('"operation":"echo"') },
        violations: [],
      },
    ]);
  });

  test('the journal has requests without a route, unreadable requests, and broken responses', async () => {
    const { fetch, sandbox } = await mount(operation('post', '/x', { ...BODY, 'x-handler': 'throw' }));
    await fetch('http://mock/y');
    await fetch(URL_X, { ...postJson({}), body: '{' });
    await fetch(URL_X, postJson({ name: 'a' }));
    expect(sandbox.calls.map(({ status }) => status)).toEqual([404, 400, 500]);
    expect(sandbox.calls[1]?.request.body).toBe('{');
    expect(sandbox.calls[2]?.violations[0]?.message).toContain('a bug of the handler');
  });

  test('the journal has a stream after it has ended', async () => {
    const { fetch, sandbox } = await mount(
      operation('get', '/x', {
        'x-handler': 'events',
        responses: { 200: { description: 'ok', content: { 'text/event-stream': { schema: {} } } } },
      }),
    );
    const response = await fetch(URL_X);
    await response.text();
    expect(sandbox.calls).toMatchObject([{ status: 200, response: { body: [{ n: 1 }, { n: 2 }] } }]);
  });

  test('an invalid event is reported in the journal and in the stream', async () => {
    const schema = { type: 'object', properties: { n: { maximum: 1 } } };
    const { fetch, sandbox } = await mount(
      operation('get', '/x', {
        'x-handler': 'events',
        responses: {
          200: { description: 'ok', content: { 'text/event-stream': { schema, 'x-event-stream': 'item' } } },
        },
      }),
    );
    await expect((await fetch(URL_X)).text()).rejects.toThrow('does not match');
    expect(sandbox.calls[0]?.violations).toHaveLength(1);
  });
});

describe('responses', () => {
  test('latency delays every response', async () => {
    const { fetch } = await mount(operation('get', '/x', {}), { latencyMs: 30 });
    const started = Date.now();
    await fetch(URL_X);
    expect(Date.now() - started).toBeGreaterThanOrEqual(25);
  });

  test('with stateless the response comes from Prism, not from the handler', async () => {
    const { fetch } = await mount(operation('get', '/x', { responses: { 200: { description: 'ok', content: ID } } }), {
      stateless: true,
    });
    expect(await (await fetch(URL_X)).json()).toEqual({ id: 1 });
  });

  test('an invalid value of Prism is repaired', async () => {
    const schema = {
      type: 'object',
      required: ['code'],
      properties: { code: { type: 'string', pattern: '^[A-F]{7}$' } },
    };
    const { fetch } = await mount(
      operation('get', '/x', {
        'x-handler': 'mocker',
        responses: { 200: { description: 'ok', content: { 'application/json': { schema } } } },
      }),
    );
    expect(((await (await fetch(URL_X)).json()) as { code: string }).code).toMatch(/^[A-F]{7}$/);
  });

  test('made-up responses are the same for the same seed, and differ for another', async () => {
    const schema = { type: 'string', minLength: 20 };
    const document = operation('get', '/x', {
      'x-handler': 'mocker',
      responses: { 200: { description: 'ok', content: { 'application/json': { schema } } } },
    });
    const ask = async (seed: number): Promise<string> =>
      (await (await mount(document, { seed })).fetch(URL_X, { headers: { prefer: 'dynamic=true' } })).text();
    expect(await ask(1)).toBe(await ask(1));
    expect(await ask(1)).not.toBe(await ask(2));
  });

  test('a middleware sees every response: of a handler, of Prism, a violation and a bug', async () => {
    const seen: number[] = [];
    const middleware: NonNullable<PipelineOptions['middleware']> = async (_call, next) => {
      const response = await next();
      seen.push(response.status);
      return { ...response, headers: { ...response.headers, 'x-left': '9' } };
    };
    const document = api({
      '/x': { post: { ...BODY, ...ECHO } },
      '/mocked': { get: { 'x-handler': 'mocker', responses: { 200: { description: 'ok', content: ID } } } },
      '/bug': { get: { 'x-handler': 'throw', ...ECHO } },
    });
    const { fetch } = await mount(document, {}, { middleware });
    const responses = [
      await fetch(URL_X, postJson({ name: 'a' })),
      await fetch(URL_X, postJson({})),
      await fetch('http://mock/mocked'),
      await fetch('http://mock/bug'),
    ];
    expect(seen).toEqual([200, 400, 200, 500]);
    expect(responses.map(({ headers }) => headers.get('x-left'))).toEqual(['9', '9', '9', '9']);
  });

  test('a middleware sees every request, also those with faults, unreadable bodies or no operation', async () => {
    const seen: (readonly [string | undefined, string, number])[] = [];
    const middleware: NonNullable<PipelineOptions['middleware']> = async (call, next) => {
      const response = await next();
      seen.push([call.operation?.path, call.caller.id, response.status]);
      return { ...response, headers: { 'x-left': '9', ...response.headers } };
    };
    const document = api({
      '/x': { post: { ...BODY, ...ECHO }, get: ECHO },
      '/bug': { get: { 'x-handler': 'throw', ...ECHO } },
    });
    const { fetch, sandbox } = await mount(document, { maxBodyBytes: 50 }, { middleware });
    const responses = [
      await fetch(URL_X, postJson({ name: 'a' })),
      await fetch(URL_X, postJson({ name: 'a'.repeat(50) })),
      await fetch('http://mock/nowhere'),
      await fetch(URL_X, { method: 'DELETE' }),
      await fetch(URL_X, { method: 'OPTIONS' }),
      await fetch('http://mock/bug'),
    ];
    for (const fault of [{ status: 503, headers: { 'X-Left': '0' } }, { latencyMs: 1 }]) {
      sandbox.faults.replace([fault]);
      responses.push(await fetch(URL_X));
    }
    expect(responses.map(({ status, headers }) => [status, headers.get('x-left')])).toEqual([
      [200, '9'],
      [413, '9'],
      [404, '9'],
      [405, '9'],
      [204, '9'],
      [500, '9'],
      [503, '0'],
      [200, '9'],
    ]);
    expect(seen.map(([path]) => path)).toEqual(['/x', '/x', undefined, undefined, undefined, '/bug', '/x', '/x']);
    sandbox.faults.replace([{ abort: true }]);
    await expect(fetch(URL_X)).rejects.toThrow('fetch failed');
    expect(seen).toHaveLength(9);
  });

  test('a middleware may refuse a request before anything else happens, and a bug in it is a 500 with a sentence', async () => {
    const document = operation('get', '/x', {});
    const full = await mount(document, {}, { middleware: async (call) => call.refuse(429, 'Too many.') });
    full.sandbox.faults.replace([{ status: 503 }]);
    expect((await full.fetch(URL_X)).status).toBe(429);
    const broken = await mount(
      document,
      {},
      {
        middleware: async () => {
          throw new Error('no');
        },
      },
    );
    expect((await broken.fetch(URL_X)).status).toBe(500);
  });

  test('no operation is compiled before its first call', async () => {
    const asked: string[] = [];
    const { fetch } = await mount(
      api({ '/a': { get: { operationId: 'a', ...ECHO } }, '/b': { get: { operationId: 'b', ...ECHO } } }),
      {},
      {
        handlerOf: ({ id }) => {
          asked.push(id);
          return (call) => call.respond(OK, {});
        },
      },
    );
    await fetch('http://mock/b');
    await fetch('http://mock/b');
    expect(asked).toEqual(['b']);
  });
});
