import { once } from 'node:events';

import { afterEach, beforeEach, describe, expect, test } from 'vitest';

import { createGenerationClient } from '../../../generated/generation/client.js';
import { type FetchSockets, createFetchSockets } from '../../../server/transport/in-process-websocket.js';
import type { Socket } from '../../../server/handler-api.js';
import type { MockRequest } from '../../../http/messages.js';
import type { Sandbox } from '../../../server/sandbox/sandbox.js';
import { startMock } from '../../../server/start-mock.js';

let sockets: FetchSockets;
let seen: { readonly request: MockRequest; readonly sandbox: string }[];
let serve: (socket: Socket) => Promise<void>;

/** Gives back what it gets. */
async function echo(socket: Socket): Promise<void> {
  for await (const message of socket.messages) await socket.send(message);
}

beforeEach(() => {
  seen = [];
  serve = echo;
  sockets = createFetchSockets({
    sandboxOf: (name) => ({ name }) as Sandbox,
    sockets: async (request, { name }) => {
      seen.push({ request, sandbox: name });
      return { ok: true, serve: (socket) => serve(socket) };
    },
  });
});
afterEach(() => sockets.close());

async function open(): Promise<WebSocket> {
  const socket = sockets.open('default')('ws://mock/live');
  await once(socket, 'open');
  return socket;
}

async function nextOf<Type extends 'message' | 'close'>(
  socket: WebSocket,
  type: Type,
): Promise<WebSocketEventMap[Type]> {
  const [event] = (await once(socket, type)) as [WebSocketEventMap[Type]];
  return event;
}

describe('the client of a WebSocket in process', () => {
  test('the client of a WebSocket in process connects as the platform does, to its sandbox', async () => {
    const socket = sockets.open('one')(new URL('http://localhost:1/live/a b?x=1'), ['json', 'text']);
    expect([socket.readyState, socket.url]).toEqual([0, 'ws://localhost:1/live/a%20b?x=1']);
    await once(socket, 'open');
    expect([socket.readyState, socket.protocol]).toEqual([1, 'json']);
    expect(seen).toMatchObject([
      {
        sandbox: 'one',
        request: {
          method: 'GET',
          target: '/live/a%20b?x=1',
          headers: { host: 'localhost:1', upgrade: 'websocket', 'sec-websocket-protocol': 'json, text' },
        },
      },
    ]);
  });

  test.each(['/live', 'ftp://mock/live', 'ws://mock/#here', 'ws://'])(
    'the client of a WebSocket in process cannot be opened at %s',
    (url) => {
      expect(() => sockets.open('default')(url)).toThrow('absolute ws or wss address');
    },
  );

  test('the client of a WebSocket in process sends texts and bytes of every kind, in their order', async () => {
    const socket = await open();
    socket.binaryType = 'arraybuffer';
    const bytes = new Uint8Array([1, 2, 3]);
    socket.send('one');
    socket.send(new Blob(['two']));
    socket.send(bytes.subarray(1));
    bytes.fill(9);
    socket.send(new Uint8Array([4]).buffer);
    const received: unknown[] = [];
    while (received.length < 4) {
      const { data } = (await nextOf(socket, 'message')) as { data: string | ArrayBuffer };
      received.push(typeof data === 'string' ? data : [...new Uint8Array(data)]);
    }
    expect(received).toEqual(['one', [116, 119, 111], [2, 3], [4]]);
    expect(socket.bufferedAmount).toBe(0);
  });

  test('the client of a WebSocket in process gets bytes as a blob, or as its binaryType says', async () => {
    const socket = await open();
    socket.send(new Uint8Array([65]));
    const { data } = await nextOf(socket, 'message');
    expect(await (data as Blob).text()).toBe('A');
  });

  test('the client of a WebSocket in process calls its on… handlers and its listeners', async () => {
    const events: string[] = [];
    const socket = sockets.open('default')('ws://mock/');
    Object.assign(socket, {
      onopen: () => events.push('open'),
      onmessage: ({ data }: MessageEvent) => events.push(String(data)),
      onclose: ({ code }: CloseEvent) => events.push(String(code)),
    });
    await once(socket, 'open');
    socket.send('x');
    await once(socket, 'message');
    socket.close(1000);
    await once(socket, 'close');
    expect(events).toEqual(['open', 'x', '1000']);
  });

  test('the client of a WebSocket in process cannot send before it is open, and sends nothing after it is closed', async () => {
    const socket = sockets.open('default')('ws://mock/');
    expect(() => socket.send('early')).toThrow('not open yet');
    await once(socket, 'open');
    socket.close();
    socket.send('late');
    expect(await nextOf(socket, 'close')).toMatchObject({ code: 1005, reason: '', wasClean: true });
    expect(socket.readyState).toBe(3);
  });

  test.each([
    [999, '', 'A client closes with'],
    [1006, '', 'A client closes with'],
    [5000, '', 'A client closes with'],
    [4000, 'ä'.repeat(62), 'at most 123 bytes'],
  ])('the client of a WebSocket in process cannot be closed with %i %j', async (code, reason, message) => {
    const socket = await open();
    expect(() => socket.close(code, reason)).toThrow(message);
  });

  test('the client of a WebSocket in process may close before it is open', async () => {
    const socket = sockets.open('default')('ws://mock/');
    socket.close();
    expect(await nextOf(socket, 'close')).toMatchObject({ code: 1006, wasClean: false });
  });

  test('the client of a WebSocket in process is closed when it sends too much at once', async () => {
    const socket = await open();
    socket.send(new Uint8Array(32 * 1024 * 1024 + 1));
    expect(await nextOf(socket, 'close')).toMatchObject({ code: 1009 });
  });

  test('the client of a WebSocket in process gets the last messages, and is closed when its handler returns', async () => {
    serve = async (socket) => {
      await socket.send('last');
    };
    const socket = sockets.open('default')('ws://mock/');
    const [message, close] = await Promise.all([nextOf(socket, 'message'), nextOf(socket, 'close')]);
    expect([message.data, close.code]).toEqual(['last', 1000]);
  });

  test('the client of a WebSocket in process is closed when the mock closes', async () => {
    const socket = await open();
    sockets.close();
    expect(await nextOf(socket, 'close')).toMatchObject({ code: 1001, reason: 'The mock was closed.' });
  });
});

test('a generated client opens a live session with a mock in process', async () => {
  const mock = await startMock('generation');
  const client = createGenerationClient({ baseUrl: mock.url, fetch: mock.fetch, credentials: { apiKeyQuery: 'k' } });
  const { webSocket } = mock.sandbox('live');
  const session = await client.openLiveSession({ model: 'models/sonata-2-live' }, { webSocket });
  session.send({ clientContent: { turns: [{ role: 'user', parts: [{ text: 'hello' }] }], turnComplete: true } });
  const { value } = await session[Symbol.asyncIterator]().next();
  expect(value?.serverContent?.modelTurn?.parts?.[0]?.text).toContain('You');
  expect(await mock.sandbox('live').requests()).toMatchObject([{ status: 101, operationId: 'openLiveSession' }]);
  await mock.close();
  await expect(
    (async () => {
      for await (const _message of session);
    })(),
  ).rejects.toThrow('The mock was closed.');
  await expect(mock.fetch(`${mock.url}/v1beta/models`)).rejects.toThrow('fetch failed');
  await expect(mock.reset()).rejects.toThrow('got no complete response');
});
