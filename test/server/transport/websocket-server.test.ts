import { afterAll, beforeAll, describe, expect, test } from 'vitest';

import { type FetchSockets, createFetchSockets } from '../../../server/transport/in-process-websocket.js';
import type { Listening } from '../../../http/wire/listen.js';
import { openHttpServer } from '../../../server/transport/http-server.js';
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

test('a request without an upgrade gets a hint to use a WebSocket', async () => {
  const response = await fetch(`${transport.url}/live/7?key=k`);
  expect(response.status).toBe(426);
  expect(response.headers.get('upgrade')).toBe('websocket');
});
