import { afterAll, beforeAll, expect, test } from 'vitest';
import { WebSocket } from 'ws';

import { type HttpDoor, openHttpDoor } from '../../../mocks/doors/http-door.js';
import { createSocketPipeline } from '../../../mocks/pipeline/create-socket-pipeline.js';
import { api } from '../conformance/conformance-case.js';
import { type Mounted, mountPipeline } from '../conformance/start-doors.js';

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

let mounted: Mounted;
let door: HttpDoor;

beforeAll(async () => {
  mounted = await mountPipeline(DOCUMENT);
  const sockets = createSocketPipeline(mounted.pipeline, {
    live: async (call, socket) => {
      for await (const message of socket.messages) {
        if (message === 'fail') throw new Error('a bug of the handler');
        if (message === 'bye') socket.close(4000, 'bye');
        else await socket.send(typeof message === 'string' ? JSON.stringify({ input: call.input, message }) : message);
      }
    },
  });
  door = await openHttpDoor({ handle: mounted.handle, sandboxOf: () => mounted.sandbox, sockets, port: 0 });
});

afterAll(() => door.close());

function open(target: string): WebSocket {
  return new WebSocket(`${door.url.replace('http', 'ws')}${target}`);
}

/** What comes next: a message, the code of a close, or the status that refused it. */
function next(socket: WebSocket): Promise<unknown> {
  return new Promise((resolve) => {
    socket.once('message', (data: Buffer, isBinary) => resolve(isBinary ? data : JSON.parse(data.toString())));
    socket.once('close', (code, reason) => resolve([code, reason.toString()]));
    socket.once('unexpected-response', (_request, response) => resolve(response.statusCode));
    socket.once('error', () => undefined);
  });
}

test('serves messages both ways', async () => {
  const socket = open('/live/7?key=k');
  socket.once('open', () => socket.send('hello'));
  expect(await next(socket)).toMatchObject({ input: { path: { room: 7 } }, message: 'hello' });
  socket.send(new Uint8Array([255]));
  expect(await next(socket)).toEqual(Buffer.from([255]));
  socket.send('bye');
  expect(await next(socket)).toEqual([4000, 'bye']);
});

test.each([
  ['without a credential', '/live/7', 401],
  ['that breaks the spec', '/live/x?key=k', 400],
  ['to an unknown path', '/dead', 404],
])('refuses a connection %s', async (_name, target, status) => {
  expect(await next(open(target))).toBe(status);
});

test('closes with 1011 when the handler fails, and says so in the journal', async () => {
  const socket = open('/live/7?key=k');
  socket.once('open', () => socket.send('fail'));
  expect(await next(socket)).toEqual([1011, 'The mock failed: a bug of the handler']);
  expect(mounted.sandbox.calls.at(-1)?.violations[0]?.message).toContain('a bug of the handler');
});

test('tells who comes without a WebSocket to come with one', async () => {
  const response = await fetch(`${door.url}/live/7?key=k`);
  expect(response.status).toBe(426);
  expect(response.headers.get('upgrade')).toBe('websocket');
});
