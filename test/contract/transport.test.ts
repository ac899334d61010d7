import { type RequestListener, createServer } from 'node:http';
import { createServer as createSecureServer } from 'node:https';
import { type AddressInfo, createServer as createTcpServer } from 'node:net';
import { Worker } from 'node:worker_threads';
import { setTimeout } from 'node:timers/promises';
import { gzipSync } from 'node:zlib';

import { type TestContext, describe, expect, onTestFinished, test, vi } from 'vitest';

import { createSocketTransport } from '../../contract/execute/http/socket-transport.js';
import {
  type ReceivedResponse,
  LateResponseError,
  MAX_RESPONSE,
  type Transport,
  createFetchTransport,
} from '../../contract/execute/http/transport.js';
import type { WireRequest } from '../../contract/types.js';
import { LOCAL_TLS } from './local-tls.js';

async function serve(listener: RequestListener, atEnd: typeof onTestFinished = onTestFinished): Promise<string> {
  const server = createServer(listener);
  atEnd(() => server.close().closeAllConnections());
  await new Promise<void>((resolve) => void server.listen(0, '127.0.0.1', resolve));
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

/** Longer than any response here takes. */
const LIMIT_MS = 10_000;

const TRANSPORTS: readonly (readonly [string, (url: string) => Transport])[] = [
  ['sockets', (url) => createSocketTransport(new URL(url))],
  ['fetch', () => createFetchTransport(fetch)],
];

describe.each(TRANSPORTS)('the transport over %s', (_, create) => {
  const open = async (listener: RequestListener): Promise<{ url: string; transport: Transport }> => {
    const url = await serve(listener);
    const transport = create(url);
    onTestFinished(() => transport.close());
    return { url, transport };
  };

  test('carries method, headers and body, and reads the whole response', async () => {
    const { url, transport } = await open(async (request, response) => {
      const chunks: Buffer[] = [];
      for await (const chunk of request as AsyncIterable<Buffer>) chunks.push(chunk);
      response.writeHead(201, { 'content-type': 'text/plain', 'x-twice': ['a', 'b'] });
      response.write(`${request.method} ${String(request.headers['x-own'])} `);
      response.end(Buffer.concat(chunks));
    });
    const received = await transport.send(
      { method: 'PUT', url: `${url}/a`, headers: { 'x-own': 'mine' }, body: 'žluť' },
      LIMIT_MS,
    );
    expect(received).toMatchObject({ status: 201, text: 'PUT mine žluť' });
    expect(received.headers.get('x-twice')).toBe('a, b');
  });

  test('returns a redirect as a response', async () => {
    const { url, transport } = await open((_request, response) =>
      response.writeHead(302, { location: 'http://elsewhere.example.net/' }).end(),
    );
    expect(await transport.send({ method: 'GET', url, headers: {} }, LIMIT_MS)).toMatchObject({ status: 302 });
  });

  test.each([
    ['gzip', gzipSync('{"a":1}'), '{"a":1}'],
    ['identity', Buffer.from('\uFEFF{"a":1}'), '{"a":1}'],
  ])('reads a body in the coding %s', async (coding, bytes, text) => {
    const { url, transport } = await open((_request, response) =>
      response.writeHead(200, { 'content-encoding': coding }).end(bytes),
    );
    expect((await transport.send({ method: 'GET', url, headers: {} }, LIMIT_MS)).text).toBe(text);
  });

  test('reads no body of a response without one', async () => {
    const { url, transport } = await open((request, response) =>
      response.writeHead(request.method === 'HEAD' ? 200 : 304, { 'content-encoding': 'gzip' }).end(),
    );
    for (const method of ['HEAD', 'GET'])
      expect((await transport.send({ method, url, headers: {} }, LIMIT_MS)).text).toBe('');
  });

  test('fails when the time is over', async () => {
    const { url, transport } = await open((_request, response) => void response.writeHead(200).write('so far'));
    await expect(transport.send({ method: 'GET', url, headers: {} }, 20)).rejects.toThrow(LateResponseError);
  });

  test('fails with a reason if no response arrives', async () => {
    const { url, transport } = await open((request) => void request.socket.destroy());
    await expect(transport.send({ method: 'GET', url, headers: {} }, LIMIT_MS)).rejects.toThrow(
      /ended|fetch failed|closed/,
    );
  });
});

// A stream is given up when nothing has come for two seconds: the three wait at the same time.
describe.concurrent('a stream that has no end', () => {
  type Read = (create: (url: string) => Transport, mediaType: string, text: string) => Promise<ReceivedResponse>;
  const reader =
    ({ onTestFinished: atEnd }: TestContext): Read =>
    async (create, mediaType, text) => {
      const url = await serve((_request, response) => {
        response.writeHead(200, { 'content-type': mediaType });
        response.write(text);
      }, atEnd);
      const transport = create(url);
      atEnd(() => transport.close());
      return transport.send({ method: 'GET', url, headers: {} }, LIMIT_MS);
    };

  test.for(TRANSPORTS)('the transport over %s reads the beginning of events', async ([, create], context) => {
    const { text } = await reader(context)(create, 'text/event-stream', 'data: 1\n\n');
    expect(text).toBe('data: 1\n\n');
  });

  test('the lines of JSON that have arrived are read, whatever the media type', async (context) => {
    const create = (url: string): Transport => createSocketTransport(new URL(url));
    const received = await reader(context)(create, 'application/json', '{"created":true}\n');
    expect(received).toMatchObject({ text: '{"created":true}\n', isCut: true });
  });
});

test('sends the request again if the server closed the idle socket', async () => {
  const url = await serve((request, response) => {
    response.writeHead(200, { 'keep-alive': 'timeout=60' }).end('ok');
    // Without a word: the next request finds out.
    response.once('finish', () => setImmediate(() => request.socket.resetAndDestroy()));
  });
  const transport = createSocketTransport(new URL(url));
  onTestFinished(() => transport.close());
  for (let count = 0; count < 20; count += 1)
    expect(await transport.send({ method: 'POST', url, headers: {}, body: 'x' }, LIMIT_MS)).toMatchObject({
      text: 'ok',
    });
});

test('a response that arrived while this process was busy is not a timeout', async () => {
  // 1: the request has come, 2: the response is due, 3: the response has gone out.
  const state = new Int32Array(new SharedArrayBuffer(4));
  const worker = new Worker(
    `const { workerData, parentPort } = require('node:worker_threads');
    const tell = (state) => { Atomics.store(workerData, 0, state); Atomics.notify(workerData, 0); };
    const server = require('node:http').createServer((request, response) => {
      tell(1);
      Atomics.wait(workerData, 0, 1);
      response.end('here', () => tell(3));
    });
    server.listen(0, '127.0.0.1', () => parentPort.postMessage(server.address().port));`,
    { eval: true, workerData: state },
  );
  onTestFinished(async () => void (await worker.terminate()));
  const port = await new Promise<number>((resolve) => void worker.once('message', resolve));
  const transport = createSocketTransport(new URL(`http://127.0.0.1:${port}`));
  onTestFinished(() => transport.close());
  const limit = 300;
  const received = transport.send({ method: 'GET', url: `http://127.0.0.1:${port}/`, headers: {} }, limit);
  while (Atomics.load(state, 0) !== 1) await setTimeout(1);
  Atomics.store(state, 0, 2);
  Atomics.notify(state, 0);
  Atomics.wait(state, 0, 2);
  Atomics.wait(state, 0, 3, limit);
  expect((await received).text).toBe('here');
});

describe('a secure server', () => {
  const ask = async (): Promise<ReceivedResponse> => {
    const server = createSecureServer(LOCAL_TLS, (request, response) => response.end(`hello ${request.method}`));
    onTestFinished(() => server.close().closeAllConnections());
    await new Promise<void>((resolve) => void server.listen(0, '127.0.0.1', resolve));
    const url = `https://localhost:${(server.address() as AddressInfo).port}`;
    const transport = createSocketTransport(new URL(url));
    onTestFinished(() => transport.close());
    return transport.send({ method: 'GET', url: `${url}/`, headers: {} }, LIMIT_MS);
  };

  test('no request is sent to a secure server with an untrusted certificate', async () =>
    expect(ask()).rejects.toThrow(/self-signed certificate/));

  test('a secure server responds if its certificate is ignored', async () => {
    vi.stubEnv('NODE_TLS_REJECT_UNAUTHORIZED', '0');
    expect((await ask()).text).toBe('hello GET');
  });
});

describe('what goes over the wire', () => {
  /** Everything that a server is sent before it responds. */
  const watch = async (request: Omit<WireRequest, 'url'>): Promise<string> => {
    const server = createTcpServer((socket) =>
      socket.once('data', (bytes) =>
        socket.end(`HTTP/1.1 200 OK\r\ncontent-length: ${bytes.length}\r\n\r\n${bytes.toString()}`),
      ),
    );
    onTestFinished(() => void server.close());
    await new Promise<void>((resolve) => void server.listen(0, '127.0.0.1', resolve));
    const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
    const transport = createSocketTransport(new URL(url));
    onTestFinished(() => transport.close());
    return (await transport.send({ ...request, url: `${url}/a%20b?c=d%27` }, LIMIT_MS)).text.replace(
      url,
      'http://host',
    );
  };

  test('the Content-Length of a body is in bytes', async () =>
    expect(await watch({ method: 'GET', headers: { accept: '*/*' }, body: 'žluť' })).toMatch(
      /^GET \/a%20b\?c=d%27 HTTP\/1\.1\r\nhost: 127\.0\.0\.1:\d+\r\nconnection: keep-alive\r\naccept: \*\/\*\r\ncontent-length: 6\r\n\r\nžluť$/,
    ));

  test.each([
    ['POST', true],
    ['PUT', true],
    ['DELETE', false],
    ['GET', false],
  ])('%s without a body sends Content-Length: 0: %s', async (method, says) =>
    expect((await watch({ method, headers: {} })).includes('content-length: 0')).toBe(says),
  );

  test('a header cannot change the framing of a request, but can name another host', async () => {
    const headers = {
      host: 'other.example',
      'content-length': '99',
      'transfer-encoding': 'chunked',
      connection: 'close',
      expect: '100-continue',
      upgrade: 'websocket',
      'keep-alive': 'timeout=1',
    };
    expect(await watch({ method: 'POST', headers, body: 'a' })).toBe(
      'POST /a%20b?c=d%27 HTTP/1.1\r\nhost: other.example\r\nconnection: keep-alive\r\ncontent-length: 1\r\n\r\na',
    );
  });

  test.each([
    ['name', { 'a: 1\r\nb': '2' }],
    ['value', { a: '1\r\nb: 2' }],
  ])('a header whose %s contains another header is not sent', async (_, headers) =>
    expect(watch({ method: 'GET', headers })).rejects.toThrow('HTTP cannot carry the header'),
  );
});

describe('what a server writes', () => {
  /** The response of a server that writes these bytes and ends the connection. */
  const readFrom = async (text: string, method = 'GET'): Promise<ReceivedResponse> => {
    const server = createTcpServer((socket) => socket.once('data', () => socket.end(Buffer.from(text, 'latin1'))));
    onTestFinished(() => void server.close());
    await new Promise<void>((resolve) => void server.listen(0, '127.0.0.1', resolve));
    const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
    const transport = createSocketTransport(new URL(url));
    onTestFinished(() => transport.close());
    return transport.send({ method, url: `${url}/`, headers: {} }, LIMIT_MS);
  };

  test.each([
    ['counted', 'HTTP/1.1 201 Created\r\nContent-Length: 7\r\n\r\n{"a":1}', 201, '{"a":1}'],
    [
      'in chunks',
      'HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n4;x=y\r\n{"a"\r\n3\r\n:1}\r\n0\r\n\r\n',
      200,
      '{"a":1}',
    ],
    [
      'after a hint',
      'HTTP/1.1 103 Early Hints\r\nLink: </a>\r\n\r\nHTTP/1.1 200 OK\r\nContent-Length: 1\r\n\r\na',
      200,
      'a',
    ],
    ['without a word after the status', 'HTTP/1.1 204\r\n\r\n', 204, ''],
    ['of an old server', 'HTTP/1.0 200 OK\r\nContent-Length: 1\r\n\r\na', 200, 'a'],
    ['that ends with its connection', 'HTTP/1.1 200 OK\r\n\r\nto the end', 200, 'to the end'],
  ])('reads a response %s', async (_, written, status, text) =>
    expect(await readFrom(written)).toMatchObject({ status, text }),
  );

  test('reads headers in any letter case, empty, repeated and beyond ASCII', async () => {
    const { headers } = await readFrom(
      'HTTP/1.1 204 x\r\nA:1 \r\nb: \r\nSet-Cookie: c=1\r\nset-cookie: d=2\r\nE:\t\u00e9 \u00e9\r\n__proto__: p\r\n\r\n',
    );
    const names = ['a', 'B', 'set-cookie', 'e', '__proto__', 'f', 'constructor'];
    expect(names.map((name) => headers.get(name))).toEqual(['1', '', 'c=1, d=2', 'é é', 'p', null, null]);
  });

  const HINT = 'HTTP/1.1 103 Early Hints\r\nLink: </a>\r\n\r\n';
  test.each([
    ['body', 'HTTP/1.1 200 OK\r\n\r\n', 'x'.repeat(1_000_000), MAX_RESPONSE],
    [
      'body in chunks',
      'HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n',
      `F4240\r\n${'x'.repeat(1_000_000)}\r\n`,
      MAX_RESPONSE,
    ],
    ['list of headers', 'HTTP/1.1 200 OK\r\n', 'A: b\r\n'.repeat(1_000), 0],
    ['list of trailers', 'HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n', 'A: b\r\n'.repeat(1_000), 0],
    ['list of hints', '', HINT.repeat(1_000), 0],
  ])('an endless %s is read up to a limit', async (_what, head, text, most) => {
    const closed = vi.fn<() => void>();
    const server = createTcpServer((socket) => {
      socket.on('error', () => undefined).on('close', closed);
      const say = (): void => {
        while (!socket.destroyed && socket.write(text));
        if (!socket.destroyed) socket.once('drain', say);
      };
      socket.once('data', () => {
        socket.write(head);
        say();
      });
    });
    onTestFinished(() => void server.close());
    await new Promise<void>((resolve) => void server.listen(0, '127.0.0.1', resolve));
    const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
    const transport = createSocketTransport(new URL(url));
    onTestFinished(() => transport.close());
    const received = await transport
      .send({ method: 'GET', url: `${url}/`, headers: {} }, 20_000)
      .catch(() => undefined);
    const size = received?.text.length ?? 0;
    expect([size >= most, size <= most + 2_000_000]).toEqual([true, true]);
    await vi.waitFor(() => expect(closed).toHaveBeenCalled());
  });

  test.each([
    ['another protocol', 'SSH-2.0-OpenSSH_9.6\r\n\r\n'],
    ['an invalid status', 'HTTP/1.1 99 x\r\n\r\n'],
    ['a line that is not a header', 'HTTP/1.1 200 OK\r\nnothing\r\n\r\n'],
    ['a NUL', 'HTTP/1.1 200 OK\r\nA: \0\r\n\r\n'],
    ['an invalid length', 'HTTP/1.1 200 OK\r\nContent-Length: +3\r\n\r\nabc'],
    ['two lengths', 'HTTP/1.1 200 OK\r\nContent-Length: 3\r\nContent-Length: 4\r\n\r\nabcd'],
    ['a length and chunks', 'HTTP/1.1 200 OK\r\nContent-Length: 3\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n'],
    ['a chunk whose size is not a number', 'HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n-1\r\n\r\n'],
    ['a head without an end', `HTTP/1.1 200 OK\r\nA: ${'a'.repeat(100_000)}`],
    ['nothing', ''],
    ['half a head', 'HTTP/1.1 200 OK\r\n'],
    ['less than it says', 'HTTP/1.1 200 OK\r\nContent-Length: 3\r\n\r\nab'],
    ['chunks without the last one', 'HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n1\r\na\r\n'],
    ['another protocol from now on', 'HTTP/1.1 101 Switching Protocols\r\nUpgrade: x\r\n\r\n'],
  ])('a response with %s is refused', async (_, written) => {
    await expect(readFrom(written)).rejects.toThrow(Error);
  });
});
