import { once } from 'node:events';
import { type IncomingMessage, request } from 'node:http';
import type { Duplex } from 'node:stream';

import { afterAll, beforeAll, describe, expect, test } from 'vitest';

import { type FetchSockets, createFetchSockets } from '../../../server/transport/in-process-websocket.js';
import type { Listening } from '../../../http/wire/listen.js';
import { openHttpServer } from '../../../server/transport/http-server.js';
import { MessageQueue } from '../../../server/transport/message-queue.js';
import { createSocketPipeline } from '../../../server/pipeline/create-socket-pipeline.js';
import { openLocalSocketClient, openSocketClient, type SocketClient } from '../../support/socket-client.js';
import type { PipelineOptions } from '../../../server/pipeline/pipeline-options.js';
import { api } from '../conformance/conformance-case.js';
import { type Mounted, mountPipeline } from '../conformance/start-transports.js';

const DOCUMENT = api(
  {
    '/live/{room}': {
      get: {
        operationId: 'live',
        'x-websocket': {},
        parameters: [{ name: 'room', in: 'path', required: true, schema: { type: 'integer' } }],
        security: [{ key: [] }],
        responses: { 101: { description: 'open' } },
      },
    },
  },
  { components: { securitySchemes: { key: { type: 'apiKey', in: 'query', name: 'key' } } } },
);

const handshakes: NonNullable<PipelineOptions['handshakes']> = {
  live: (call) => (call.request.target.startsWith('/live/13') ? call.refuse(409, 'not this room') : undefined),
};

let mounted: Mounted;
let transport: Listening;
let local: FetchSockets;

beforeAll(async () => {
  mounted = await mountPipeline(DOCUMENT);
  const sockets = createSocketPipeline(
    { ...mounted.pipeline, handshakes },
    {
      live: async (call, socket) => {
        for await (const message of socket.messages) {
          if (message === 'fail') throw new Error('a bug of the handler');
          if (message === 'bye') socket.close(4000, 'bye');
          else
            await socket.send(typeof message === 'string' ? JSON.stringify({ input: call.input, message }) : message);
        }
      },
    },
  );
  const sandboxOf = (): Mounted['sandbox'] => mounted.sandbox;
  transport = await openHttpServer({ handle: mounted.handle, sandboxOf, sockets, port: 0 });
  local = createFetchSockets({ sandboxOf, sockets });
});

afterAll(() => transport.close());

const TRANSPORTS: readonly (readonly [string, (target: string) => Promise<SocketClient | number>])[] = [
  ['http', (target) => openSocketClient(transport.url + target)],
  ['fetch', (target) => openLocalSocketClient(local.open('default'), `ws://mock${target}`)],
];

describe.each(TRANSPORTS)('a WebSocket of the %s transport', (_name, connect) => {
  async function open(target: string): Promise<SocketClient> {
    const client = await connect(target);
    if (typeof client === 'number') throw new Error(`refused with ${client}`);
    return client;
  }

  test('the WebSocket server passes messages both ways', async () => {
    const socket = await open('/live/7?key=k');
    socket.send('hello');
    expect(await socket.next()).toBe(JSON.stringify({ input: { path: { room: 7 } }, message: 'hello' }));
    socket.send(new Uint8Array([255]));
    expect(await socket.next()).toEqual(new Uint8Array([255]));
    socket.send('bye');
    expect(await socket.next()).toEqual({ code: 4000, reason: 'bye' });
  });

  test.each([
    ['without a credential', '/live/7', 401],
    ['that breaks the spec', '/live/x?key=k', 400],
    ['to an unknown path', '/dead', 404],
    ['that the behaviour refuses', '/live/13?key=k', 409],
  ])('the WebSocket server refuses a connection %s', async (_name, target, status) => {
    expect(await connect(target)).toBe(status);
  });

  test('the WebSocket server closes with 1011 if the handler fails, and reports it in the journal', async () => {
    const socket = await open('/live/7?key=k');
    socket.send('fail');
    expect(await socket.next()).toEqual({ code: 1011, reason: 'The mock failed: a bug of the handler' });
    expect(mounted.sandbox.calls.at(-1)?.violations[0]?.message).toContain('a bug of the handler');
  });

  test('the WebSocket server ends its handler when the client disconnects', async () => {
    const before = mounted.sandbox.calls.length;
    const socket = await open('/live/7?key=k');
    socket.close();
    expect(mounted.sandbox.calls.slice(before)).toMatchObject([{ status: 101, operationId: 'live' }]);
  });
});

test('10,000 short messages at once are all answered, in their order', async () => {
  const socket = await openSocketClient(`${transport.url}/live/7?key=k`);
  if (typeof socket === 'number') throw new Error(`refused with ${socket}`);
  for (let index = 0; index < 10_000; index += 1) socket.send(Uint8Array.of(index >> 8, index & 255));
  for (let index = 0; index < 10_000; index += 1)
    expect(await socket.next()).toEqual(Uint8Array.of(index >> 8, index & 255));
});

test.each([
  // A final text with the bit of compressed messages, masked, without content.
  ['a compressed one', [0xc1, 0x80, 0, 0, 0, 0], 1002],
  // The head of a message of 32 MB and one byte.
  ['one of more than 32 MB', [0x82, 0xff, 0, 0, 0, 0, 2, 0, 0, 1, 0, 0, 0, 0], 1009],
])('a mock agrees to no compression of messages, and refuses %s', async (_what, frame, code) => {
  const asked = request(`${transport.url}/live/7?key=k`, {
    headers: {
      connection: 'Upgrade',
      upgrade: 'websocket',
      'sec-websocket-version': '13',
      'sec-websocket-key': 'AAAAAAAAAAAAAAAAAAAAAA==',
      'sec-websocket-extensions': 'permessage-deflate',
    },
  });
  asked.end();
  const [response, socket] = (await once(asked, 'upgrade')) as [IncomingMessage, Duplex];
  expect(response.headers['sec-websocket-extensions']).toBeUndefined();
  socket.write(Uint8Array.from(frame));
  const [answer] = (await once(socket, 'data')) as [Buffer];
  expect([answer[0], answer.readUInt16BE(2)]).toEqual([0x88, code]);
  socket.destroy();
});

test('a connection is read no further while 1,000 messages or 32 MB wait', async () => {
  const queue = new MessageQueue();
  const large = new Uint8Array(20_000_000);
  queue.push(large);
  expect(queue.holds(1)).toBe(false);
  queue.push(large);
  expect(queue.holds(1)).toBe(true);
  const messages = queue.read();
  await messages.next();
  await messages.next();
  expect(queue.holds(0)).toBe(false);
  for (let index = 0; index <= 1_000; index += 1) queue.push('');
  expect(queue.holds(1)).toBe(true);
});

test('a request without an upgrade gets a hint to use a WebSocket', async () => {
  const response = await fetch(`${transport.url}/live/7?key=k`);
  expect(response.status).toBe(426);
  expect(response.headers.get('upgrade')).toBe('websocket');
});
