import type { ServerResponse } from 'node:http';
import { setTimeout as pause } from 'node:timers/promises';

import { describe, expect, it } from 'vitest';

import { ApiError, MalformedBodyError } from '../../runtime/errors.js';
import { streamMessages, type StreamOptions, type StreamPlan } from '../../runtime/event-stream.js';
import { BrokenStreamError, readEvents, type ServerSentEvent } from '../../runtime/event-stream.js';
import { startEchoServer } from '../support/echo-server.js';
import { collect, operationOf } from '../support/helper-call.js';
import { LINEAR, growthOf } from '../support/growth.js';

/** A stream that gives these bytes in pieces of a size. */
function streamOf(text: string, size: number): ReadableStream<Uint8Array<ArrayBuffer>> {
  const bytes = new TextEncoder().encode(text);
  let at = 0;
  return new ReadableStream({
    pull(controller) {
      if (at >= bytes.length) return controller.close();
      controller.enqueue(bytes.slice(at, (at += size)));
    },
  });
}

type Event = Partial<ServerSentEvent>;

describe('events', () => {
  it.each<[string, string, Event[]]>([
    ['one', 'data: a\n\n', [{ data: 'a' }]],
    [
      'two, with a name, an id and a retry time',
      'event: add\nid: 7\nretry: 250\ndata: a\n\ndata: b\n\n',
      [
        { event: 'add', id: '7', retry: 250, data: 'a' },
        { event: 'message', id: '7', retry: undefined, data: 'b' },
      ],
    ],
    ['CRLF', 'data: a\r\ndata: b\r\n\r\ndata: c\r\n\r\n', [{ data: 'a\nb' }, { data: 'c' }]],
    ['CR', 'data: a\rdata: b\r\rdata: c\r\r', [{ data: 'a\nb' }, { data: 'c' }]],
    ['all kinds of line ends', 'data: a\r\ndata: b\rdata: c\n\ndata: d\n\r\n', [{ data: 'a\nb\nc' }, { data: 'd' }]],
    ['comments and empty lines', ': hello\n\n\n:\ndata: a\n: more\n\n: bye\n\n', [{ data: 'a' }]],
    ['one space after the colon is not data', 'data:a\ndata:  b\ndata\n\n', [{ data: 'a\n b\n' }]],
    ['characters of several bytes', 'data: Größe 🚢 \u2028\n\n', [{ data: 'Größe 🚢 \u2028' }]],
    ['a byte order mark', '\uFEFFdata: a\n\n', [{ data: 'a' }]],
    [
      'unknown fields, and bad values',
      'foo: x\nretry: soon\nid: a\0b\ndata: a\n\n',
      [{ data: 'a', id: undefined, retry: undefined }],
    ],
    ['an event without data is skipped', 'event: ping\n\ndata: a\n\n', [{ event: 'message', data: 'a' }]],
    ['empty data', 'data\n\n', [{ data: '' }]],
    [
      'an end inside an event',
      'data: a\n\ndata: b\nda',
      [
        { data: 'a', partial: false },
        { data: 'b', partial: true, raw: 'data: b\nda' },
      ],
    ],
    ['an end before the empty line', 'data: a\n', [{ data: 'a', partial: true }]],
    ['an end inside a comment', 'data: a\n\n: by', [{ data: 'a' }]],
  ])('events: %s', async (_what, text, events) => {
    for (const size of [1, 2, 3, 5, 1000]) {
      const { values } = await collect(readEvents(streamOf(text, size)));
      expect(values).toHaveLength(events.length);
      expect(values).toMatchObject(events);
    }
  });

  it.each<[string, string, number[]]>([
    ['in a block of its own', 'retry: 1500\n\ndata: a\n\n', [1500]],
    ['before a value that is no number', 'retry: 1500\nretry: x\ndata: a\n\n', [1500]],
    ['that is empty', 'retry\n\nretry:\n\n', []],
    ['beside fields named like members of objects', 'constructor: 1\n__proto__: 2\nretry: 7\n\n', [7]],
  ])('a time for reconnecting %s is reported', async (_what, text, times) => {
    const found: number[] = [];
    await collect(readEvents(streamOf(text, 3), (milliseconds) => void found.push(milliseconds)));
    expect(found).toEqual(times);
  });

  it('one event of many small chunks is read in linear time', async () => {
    const read = async (size: number): Promise<void> => {
      const { values } = await collect(readEvents(streamOf(`data: ${'x'.repeat(size)}\n\n`, 16)));
      expect(values[0]?.data).toHaveLength(size);
    };
    expect(await growthOf(read, 40_000)).toBeLessThan(LINEAR);
  });
});

const PLAN: StreamPlan = {
  name: 'stream',
  query: { alt: 'sse' },
  error: { pointer: '/error', status: '/error/code' },
  failures: [429],
};

interface Streamed {
  readonly values: unknown[];
  readonly error: unknown;
  readonly url: string;
  readonly accept: string | undefined;
}

async function stream(
  write: (response: ServerResponse) => void | Promise<void>,
  { plan = PLAN, options }: { plan?: StreamPlan; options?: StreamOptions } = {},
): Promise<Streamed> {
  await using server = await startEchoServer((_request, response) => {
    response.setHeader('content-type', 'text/event-stream; charset=utf-8');
    void write(response);
  });
  const call = operationOf({ baseUrl: server.url }, { accept: 'text/event-stream, application/json' });
  const found = await collect(streamMessages(call, plan, { request: { query: { q: 1 } }, options }));
  const { url, headers } = server.last();
  return { ...found, url, accept: headers.accept };
}

describe('messages', () => {
  it('the request accepts an event stream, and messages arrive one by one', async () => {
    const result = await stream((response) => void response.end('data: {"a":1}\n\ndata: {"a":\ndata: 2}\n\n'));
    expect(result).toEqual({
      values: [{ a: 1 }, { a: 2 }],
      error: undefined,
      url: '/list?q=1&alt=sse',
      accept: 'text/event-stream',
    });
  });

  it('messages are yielded as soon as they arrive', async () => {
    // The server sends the second only when the client has had the first.
    const seen: string[] = [];
    let tell = (): void => {};
    const first = new Promise<void>((resolve) => (tell = resolve));
    const onEvent = ({ data }: ServerSentEvent): void => {
      seen.push(data);
      tell();
    };
    await stream(
      async (response) => {
        response.write('data: 1\n\nda');
        await first;
        response.end('ta: 2\n\n');
      },
      { options: { onEvent } },
    );
    expect(seen).toEqual(['1', '2']);
  });

  it('an error inside the stream is thrown after the messages before it', async () => {
    const body = { error: { code: 429, message: 'Too many.', status: 'RESOURCE_EXHAUSTED' } };
    const { values, error } = await stream(
      (response) => void response.end(`data: 1\n\ndata: ${JSON.stringify(body)}\n\ndata: 2\n\n`),
    );
    expect(values).toEqual([1]);
    expect(error).toBeInstanceOf(ApiError);
    expect(error).toMatchObject({
      status: 429,
      body,
      documented: true,
      operation: 'stream',
      message: 'stream failed with status 429: Too many.',
    });
  });

  it.each<[string, string, unknown[], string | undefined]>([
    ['a last message without its empty line is dropped', 'data: 1\n\ndata: {"a":2}\n', [1], undefined],
    ['a last message that is cut is dropped', 'data: 1\n\ndata: {"a":', [1], undefined],
    ['a message that is not JSON is reported', 'data: 1\n\ndata: oops\n\ndata: 2\n\n', [1], 'oops'],
  ])('messages: %s', async (_what, text, values, partial) => {
    const result = await stream((response) => void response.end(text));
    expect(result.values).toEqual(values);
    if (partial === undefined) expect(result.error).toBeUndefined();
    else expect(result.error).toMatchObject({ name: 'BrokenStreamError', partial });
  });

  it('a cut connection is an error with the partial message', async () => {
    const { values, error } = await stream(async (response) => {
      response.write('data: 1\n\ndata: {"b');
      await pause(30);
      response.destroy();
    });
    expect(values).toEqual([1]);
    expect(error).toBeInstanceOf(BrokenStreamError);
    expect(error).toMatchObject({ partial: 'data: {"b' });
  });

  it('a marker at the end is not a message', async () => {
    const { values, error } = await stream((response) => void response.end('data: 1\n\ndata: [DONE]\n\n'), {
      plan: { name: 'stream', end: '[DONE]' },
    });
    expect([values, error]).toEqual([[1], undefined]);
  });

  it('a signal ends the stream with its reason', async () => {
    const controller = new AbortController();
    const reason = new Error('enough');
    const { values, error } = await stream(
      (response) => {
        response.write('data: 1\n\n');
        setTimeout(() => controller.abort(reason), 30);
      },
      { options: { signal: controller.signal } },
    );
    expect([values, error]).toEqual([[1], reason]);
  });

  it('leaving the loop closes the connection', async () => {
    const closed = withResolvers<boolean>();
    await using server = await startEchoServer((_request, response) => {
      response.setHeader('content-type', 'text/event-stream').write('data: 1\n\n');
      response.on('close', () => closed.resolve(true));
    });
    for await (const _message of streamMessages(operationOf({ baseUrl: server.url }), PLAN, {
      request: undefined,
      options: undefined,
    }))
      break;
    expect(await closed.promise).toBe(true);
  });

  it('a response that is not a stream is refused', async () => {
    await using server = await startEchoServer();
    const { error } = await collect(
      streamMessages(operationOf({ baseUrl: server.url }), PLAN, { request: undefined, options: undefined }),
    );
    expect(error).toBeInstanceOf(MalformedBodyError);
  });
});

function withResolvers<Value>(): { promise: Promise<Value>; resolve: (value: Value) => void } {
  let resolve: (value: Value) => void = () => undefined;
  const promise = new Promise<Value>((done) => {
    resolve = done;
  });
  return { promise, resolve };
}

describe('a broken stream', () => {
  const RECONNECT: StreamOptions = { reconnect: { delay: 1, attempts: 3 } };

  interface Reconnected {
    readonly values: unknown[];
    readonly error: unknown;
    /** The last event id of each request. */
    readonly ids: (string | undefined)[];
  }

  /** Each connection sends its text; those that are followed by another one break, unless they end. */
  async function connections(
    texts: readonly string[],
    { options = RECONNECT, breaks = true }: { readonly options?: StreamOptions; readonly breaks?: boolean } = {},
  ): Promise<Reconnected> {
    let count = 0;
    await using server = await startEchoServer((_request, response) => {
      response.setHeader('content-type', 'text/event-stream');
      const text = texts[Math.min(count, texts.length - 1)] ?? '';
      count += 1;
      if (count >= texts.length || !breaks) response.end(text);
      else response.write(text, () => response.destroy());
    });
    const call = operationOf({ baseUrl: server.url }, { accept: 'text/event-stream' });
    const found = await collect(streamMessages(call, { name: 'listen', end: '[DONE]' }, { request: {}, options }));
    return { ...found, ids: server.received.map(({ headers }) => headers['last-event-id'] as string | undefined) };
  }

  it('a broken stream is reconnected with the id of the last complete event', async () => {
    expect(await connections(['id: 7\ndata: 1\n\nid: 8\nda', 'data: 2\n\ndata: 3', 'id: 9\ndata: 3\n\n'])).toEqual({
      values: [1, 2, 3],
      error: undefined,
      ids: [undefined, '7', '7'],
    });
  });

  it('a reconnecting stream ends at the sentinel of the spec, or that of the caller', async () => {
    expect(await connections(['data: 1\n\ndata: [DONE]\n\ndata: 2\n\n'])).toMatchObject({
      values: [1],
      ids: [undefined],
    });
    const options = { ...RECONNECT, end: '"bye"' };
    expect(await connections(['data: 1\n\ndata: "bye"\n\ndata: 2\n\n'], { options })).toMatchObject({ values: [1] });
  });

  it('a stream that ends is reconnected only if the caller asks for it', async () => {
    const texts = ['data: 1\n\n', 'data: 2\n\n', 'data: [DONE]\n\n'];
    expect(await connections(texts, { breaks: false })).toMatchObject({ values: [1], ids: [undefined] });
    const options: StreamOptions = { reconnect: { delay: 1, afterEnd: true } };
    expect(await connections(texts, { breaks: false, options })).toMatchObject({ values: [1, 2] });
  });

  it('a broken stream is an error after too many breaks without an event between them', async () => {
    const { error, ids, values } = await connections(['data: 1\n\n', '', '', '', '', '']);
    expect(error).toBeInstanceOf(BrokenStreamError);
    expect([values, ids.length]).toEqual([[1], 4]);
  });

  it('a broken stream is an error at once without the option, or if a message is not JSON', async () => {
    expect(await connections(['data: 1\n\n', ''], { options: {} })).toMatchObject({ values: [1], ids: [undefined] });
    const { error, ids } = await connections(['data: {\n\n', 'data: 1\n\n']);
    expect([String(error), ids.length]).toEqual(['BrokenStreamError: An event of the stream is not JSON.', 1]);
  });

  it('a broken stream is not reconnected after the caller has aborted', async () => {
    const controller = new AbortController();
    const options: StreamOptions = {
      reconnect: { delay: 5000 },
      signal: controller.signal,
      onEvent: () => void setTimeout(() => controller.abort(new Error('enough')), 20),
    };
    const { error, ids } = await connections(['data: 1\n\n', 'data: 2\n\n'], { options });
    expect([String(error), ids.length]).toEqual(['Error: enough', 1]);
  });
});
