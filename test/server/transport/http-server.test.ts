import { once } from 'node:events';
import { connect, type Socket } from 'node:net';

import { afterAll, beforeAll, describe, expect, test } from 'vitest';

import type { Listening } from '../../../http/wire/listen.js';
import { openHttpServer } from '../../../server/transport/http-server.js';
import { PortBusyError } from '../../../http/wire/port-busy-error.js';
import { api, ECHO } from '../conformance/conformance-case.js';
import { mountPipeline, type Mounted } from '../conformance/start-transports.js';

const EVENTS = { 200: { description: 'events', content: { 'text/event-stream': { schema: {} } } } };
const DOCUMENT = api({
  '/x': {
    get: { operationId: 'get', ...ECHO },
    post: {
      operationId: 'post',
      ...ECHO,
      requestBody: { content: { 'application/json': { schema: { type: 'object' } } } },
    },
  },
  '/events': { get: { 'x-handler': 'events', responses: EVENTS } },
});

/** The statuses of an API that has no types are numbers, no more. */
const OK: number = 200;

let mounted: Mounted;
let transport: Listening;

beforeAll(async () => {
  mounted = await mountPipeline(DOCUMENT);
  const control = async (): Promise<{ status: number; headers: object; body: { kind: 'json'; value: unknown } }> => ({
    status: 200,
    headers: { 'content-type': 'application/json' },
    body: { kind: 'json', value: { control: true } },
  });
  transport = await openHttpServer({
    handle: mounted.handle,
    sandboxOf: (name) => {
      if (name.includes(' ')) throw new RangeError('no name');
      return mounted.sandbox;
    },
    control: async () => ({ ...(await control()), headers: { 'content-type': 'application/json' } }),
    port: 0,
    timeouts: { headers: 300, body: 300 },
  });
});

afterAll(() => transport.close());

function open(): Socket {
  const { hostname, port } = new URL(transport.url);
  return connect({ host: hostname, port: Number(port) });
}

/** Sends a text as it is, and gives all that comes back until the connection closes or nothing more comes. */
async function talk(text: string | Uint8Array, patience = 1_500): Promise<string> {
  const socket = open();
  let received = '';
  socket.on('data', (chunk) => (received += chunk.toString('latin1')));
  socket.on('error', () => undefined);
  socket.write(text);
  const timer = setTimeout(() => {
    if (received === '') received = 'neither a response nor an end';
    socket.destroy();
  }, patience);
  await once(socket, 'close');
  clearTimeout(timer);
  return received;
}

const HOST = 'Host: x\r\n';
const CLOSE = 'Connection: close\r\n';
const JSON_TYPE = 'Content-Type: application/json\r\n';

/** Each gets a 4xx, or the connection is closed without a word. */
const HOSTILE: readonly (readonly [string, string | Uint8Array])[] = [
  ['text that is not HTTP', 'hello\r\n\r\n'],
  ['a TLS handshake', new Uint8Array([0x16, 0x03, 0x01, 0x02, 0x00, 0x01, 0x00])],
  ['headers of a megabyte', `GET /x HTTP/1.1\r\n${HOST}X-Big: ${'a'.repeat(1_000_000)}\r\n\r\n`],
  ['a target of a megabyte', `GET /${'a'.repeat(1_000_000)} HTTP/1.1\r\n${HOST}\r\n`],
  ['ten thousand headers', `GET /y HTTP/1.1\r\n${HOST}${'A: b\r\n'.repeat(10_000)}\r\n`],
  ['no host', 'GET /x HTTP/1.1\r\n\r\n'],
  ['an empty host', `GET /x HTTP/1.1\r\nHost:\r\n${CLOSE}\r\n`],
  ['a host with a space', `GET /x HTTP/1.1\r\nHost: a b\r\n${CLOSE}\r\n`],
  ['a host that cannot be decoded', `GET /x HTTP/1.1\r\nHost: %zz\r\n${CLOSE}\r\n`],
  ['a host with a path', `GET /x HTTP/1.1\r\nHost: a/b\r\n${CLOSE}\r\n`],
  ['a host of broken brackets', `GET /x HTTP/1.1\r\nHost: [::1\r\n${CLOSE}\r\n`],
  [
    'a length and chunks',
    `POST /x HTTP/1.1\r\n${HOST}Content-Length: 3\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n`,
  ],
  ['a negative length', `POST /x HTTP/1.1\r\n${HOST}Content-Length: -1\r\n\r\n`],
  ['a broken chunk', `POST /x HTTP/1.1\r\n${HOST}${JSON_TYPE}Transfer-Encoding: chunked\r\n\r\nzz\r\n{}\r\n0\r\n\r\n`],
  ['no bytes', ''],
  ['headers that never end', `GET /x HTTP/1.1\r\n${HOST}`],
  ['a body that never comes', `POST /x HTTP/1.1\r\n${HOST}${JSON_TYPE}Content-Length: 10\r\n\r\n{`],
  ['an announced gigabyte', `POST /x HTTP/1.1\r\n${HOST}${JSON_TYPE}Content-Length: 1000000000\r\n\r\n{}`],
  ['an unknown method', `BREW /x HTTP/1.1\r\n${HOST}\r\n`],
  ['a method of WebDAV', `PROPFIND /x HTTP/1.1\r\n${HOST}${CLOSE}\r\n`],
  ['an unknown expectation', `GET /x HTTP/1.1\r\n${HOST}Expect: the-unexpected\r\n${CLOSE}\r\n`],
  ['a broken encoding in the path', `GET /%zz HTTP/1.1\r\n${HOST}${CLOSE}\r\n`],
  ['null bytes in a header', `GET /y HTTP/1.1\r\n${HOST}X: a\0b\r\n\r\n`],
  ['line feeds smuggled into a header', `GET /y HTTP/1.1\r\n${HOST}X: a\rb\r\n\r\n`],
  ['an upgrade to an unknown protocol', `GET /y HTTP/1.1\r\n${HOST}Connection: Upgrade\r\nUpgrade: h2c\r\n\r\n`],
  ['a CONNECT', 'CONNECT example.com:443 HTTP/1.1\r\nHost: example.com\r\n\r\n'],
];

describe('hostile requests', () => {
  // Some wait for a time limit of the server: they wait at the same time.
  test.concurrent.each(HOSTILE)('hostile requests: %s', async (_name, text) => {
    const received = await talk(text);
    expect(received).toMatch(/^(?:HTTP\/1\.1 4\d\d |$)/);
    expect((await fetch(`${transport.url}/x`)).status).toBe(200);
  });

  test('a client that disconnects during the response, and half-closed connections, do no harm', async () => {
    for (let count = 0; count < 50; count += 1) {
      const socket = open();
      socket.on('error', () => undefined);
      socket.write(`POST /x HTTP/1.1\r\n${HOST}${JSON_TYPE}Content-Length: 100\r\n\r\n{`);
      if (count % 2 === 0) socket.end();
      else setTimeout(() => socket.destroy(), 5);
    }
    expect((await fetch(`${transport.url}/x`)).status).toBe(200);
  });
});

/** Sends a body in pieces. */
async function drip(pieces: readonly string[], pause: number): Promise<string> {
  const socket = open();
  let received = '';
  socket.on('data', (chunk) => (received += chunk.toString('latin1')));
  socket.on('error', () => undefined);
  const length = pieces.join('').length;
  socket.write(`POST /x HTTP/1.1\r\n${HOST}${JSON_TYPE}${CLOSE}Content-Length: ${length}\r\n\r\n`);
  const closed = once(socket, 'close');
  for (const piece of pieces) {
    await new Promise((resolve) => setTimeout(resolve, pause));
    if (socket.destroyed) break;
    socket.write(piece);
  }
  await closed;
  return received;
}

describe('a slow body', () => {
  test('a slow body may take longer than the idle timeout, as long as bytes arrive', async () => {
    const pieces = ['{"a":"', ...Array.from({ length: 12 }, () => 'x'.repeat(50)), '"}'];
    expect(await drip(pieces, 100)).toMatch(/^HTTP\/1\.1 200/);
  });

  test('a body that arrives byte by byte is cut off', async () => {
    const received = await drip(['{"a":"', ...Array.from({ length: 40 }, () => 'x'), '"}'], 50);
    expect(received).toMatch(/^HTTP\/1\.1 408/);
    expect(received).toContain('The body comes at less than 100 bytes a second.');
  });

  test('a body that stalls is cut off, also if the operation reads it as it arrives', async () => {
    const { handle } = await mountWith(
      async (call) => {
        for await (const _chunk of call.request.stream());
        return call.respond(OK, {});
      },
      ['post'],
    );
    const other = await openHttpServer({ handle, sandboxOf: () => mounted.sandbox, port: 0, timeouts: { body: 200 } });
    const { port } = new URL(other.url);
    const socket = connect({ host: '127.0.0.1', port: Number(port) });
    socket.write(`POST /x HTTP/1.1\r\n${HOST}${JSON_TYPE}Content-Length: 10\r\n\r\n{`);
    let received = '';
    socket.on('data', (chunk) => (received += chunk.toString('latin1')));
    await once(socket, 'close');
    expect(received).toMatch(/^HTTP\/1\.1 408/);
    expect(mounted.sandbox.calls.at(-1)).toMatchObject({ status: 408, violations: [] });
    await other.close();
  });
});

describe('a connection', () => {
  test('a connection may have any number of calls that listen for its end', async () => {
    const warnings: Error[] = [];
    const note = (warning: Error): void => void warnings.push(warning);
    process.on('warning', note);
    mounted.sandbox.faults.replace([{ latencyMs: 1 }]);
    const one = `GET /x HTTP/1.1\r\n${HOST}\r\n`;
    const received = await talk(`${one.repeat(30)}GET /x HTTP/1.1\r\n${HOST}${CLOSE}\r\n`);
    mounted.sandbox.faults.replace([]);
    process.off('warning', note);
    expect(received.match(/HTTP\/1\.1 200/g)).toHaveLength(31);
    expect(warnings).toEqual([]);
  });

  test('a call ends if its client disconnects', async () => {
    mounted.sandbox.faults.replace([{ latencyMs: 60_000, status: 418 }]);
    const before = mounted.sandbox.calls.length;
    const socket = open();
    socket.write(`GET /x HTTP/1.1\r\n${HOST}\r\n`);
    await new Promise((resolve) => setTimeout(resolve, 50));
    socket.destroy();
    await expect.poll(() => mounted.sandbox.calls.slice(before)).toMatchObject([{ status: 418 }]);
    mounted.sandbox.faults.replace([]);
  });

  test('a connection that breaks off in the middle of a body is not reported as a bug of the mock', async () => {
    const before = mounted.sandbox.calls.length;
    const socket = open();
    socket.write(`POST /x HTTP/1.1\r\n${HOST}${JSON_TYPE}Content-Length: 100\r\n\r\n{`);
    await new Promise((resolve) => setTimeout(resolve, 50));
    socket.destroy();
    await expect.poll(() => mounted.sandbox.calls.slice(before)).toMatchObject([{ status: 400, violations: [] }]);
  });
});

describe('the HTTP server', () => {
  test('the HTTP server sends 100 Continue and waits for the body', async () => {
    const received = await talk(
      `POST /x HTTP/1.1\r\n${HOST}${JSON_TYPE}Expect: 100-continue\r\nContent-Length: 2\r\n${CLOSE}\r\n{}`,
    );
    expect(received).toMatch(/^HTTP\/1\.1 100 Continue\r\n\r\nHTTP\/1\.1 200 OK/);
  });

  test('the HTTP server responds to several requests of one connection in their order', async () => {
    const one = `GET /x HTTP/1.1\r\n${HOST}\r\n`;
    const received = await talk(`${one}GET /pots HTTP/1.1\r\n${HOST}\r\nGET /x HTTP/1.1\r\n${HOST}${CLOSE}\r\n`);
    expect([...received.matchAll(/HTTP\/1\.1 (\d+)/g)].map(([, status]) => status)).toEqual(['200', '404', '200']);
  });

  test('the HTTP server accepts an absolute request target', async () => {
    expect(await talk(`GET http://other.example.com/x HTTP/1.1\r\n${HOST}${CLOSE}\r\n`)).toMatch(/^HTTP\/1\.1 200/);
  });

  test('the HTTP server reports a busy port', async () => {
    const { port } = new URL(transport.url);
    const again = openHttpServer({ handle: mounted.handle, sandboxOf: () => mounted.sandbox, port: Number(port) });
    await expect(again).rejects.toBeInstanceOf(PortBusyError);
  });

  test('the HTTP server reports an address of another machine', async () => {
    const host = '192.0.2.1';
    const elsewhere = openHttpServer({ handle: mounted.handle, sandboxOf: () => mounted.sandbox, host, port: 0 });
    await expect(elsewhere).rejects.toThrow(
      'The mock cannot listen on port 0 of 192.0.2.1: this machine has no such address.',
    );
  });

  test('the HTTP server responds to preflights, and allows pages of this machine to read responses', async () => {
    const preflight = await fetch(`${transport.url}/x`, {
      method: 'OPTIONS',
      headers: {
        origin: 'http://localhost:5173',
        'access-control-request-method': 'PUT',
        'access-control-request-headers': 'x-a',
      },
    });
    expect(preflight.status).toBe(204);
    expect(preflight.headers.get('access-control-allow-methods')).toBe('PUT');
    expect(preflight.headers.get('access-control-allow-headers')).toBe('x-a');
    const { headers } = await fetch(`${transport.url}/pots`, { headers: { origin: 'http://localhost:5173' } });
    expect(headers.get('access-control-allow-origin')).toBe('http://localhost:5173');
    expect(headers.get('access-control-expose-headers')).toContain('content-type');
  });

  test('the HTTP server serves the control interface without CORS headers', async () => {
    const response = await fetch(`${transport.url}/__specmill/health`, { headers: { origin: 'http://page' } });
    expect(await response.json()).toEqual({ control: true });
    expect(response.headers.get('access-control-allow-origin')).toBeNull();
  });

  test('the HTTP server refuses an invalid name of a sandbox', async () => {
    expect((await fetch(`${transport.url}/x`, { headers: { 'x-specmill-sandbox': 'a b' } })).status).toBe(400);
  });

  test('the HTTP server closes the connection for a fault that aborts', async () => {
    mounted.sandbox.faults.replace([{ abort: true }]);
    await expect(fetch(`${transport.url}/x`)).rejects.toThrow('fetch failed');
    mounted.sandbox.faults.replace([]);
  });

  test('the HTTP server sends events as they arrive, and ends their source when the client disconnects', async () => {
    let ended = false;
    async function* forever(): AsyncIterable<{ data: unknown }> {
      try {
        for (let n = 0; ; n += 1) {
          yield { data: `line ${n}\nmore` };
          await new Promise((resolve) => setTimeout(resolve, 5));
        }
      } finally {
        ended = true;
      }
    }
    const { handle } = await mountWith((call) => call.respond(OK, { kind: 'events', events: forever() }));
    const other = await openHttpServer({ handle, sandboxOf: () => mounted.sandbox, port: 0 });
    const response = await fetch(`${other.url}/events`);
    const reader = response.body?.getReader();
    const { value } = (await reader?.read()) ?? {};
    expect(Buffer.from(value ?? []).toString()).toMatch(/^data: line 0\ndata: more\n\n/);
    await reader?.cancel();
    await expect.poll(() => ended).toBe(true);
    await other.close();
  });

  test('the HTTP server finishes running requests when it closes, up to a time limit', async () => {
    let begun = 0;
    const { handle } = await mountWith(async (call) => {
      begun += 1;
      await new Promise((resolve) => setTimeout(resolve, call.request.target.includes('slow') ? 600_000 : 100));
      return call.respond(OK, {});
    });
    const other = await openHttpServer({ handle, sandboxOf: () => mounted.sandbox, port: 0, timeouts: { close: 300 } });
    const quick = fetch(`${other.url}/x`);
    const slow = fetch(`${other.url}/x?slow`).catch(() => 'closed');
    await expect.poll(() => begun).toBe(2);
    await other.close();
    expect((await quick).status).toBe(200);
    expect(await slow).toBe('closed');
  });
});

async function mountWith(
  handler: NonNullable<ReturnType<Mounted['pipeline']['handlerOf']>>,
  streamed: readonly string[] = [],
): Promise<Pick<Mounted, 'handle'>> {
  const { createPipeline } = await import('../../../server/pipeline/create-pipeline.js');
  return { handle: createPipeline({ ...mounted.pipeline, handlerOf: () => handler, streamed }) };
}
