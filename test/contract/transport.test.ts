import { type RequestListener, createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { gzipSync } from 'node:zlib';

import { describe, expect, onTestFinished, test } from 'vitest';

import { createSocketTransport } from '../../contract/requests/socket-transport.js';
import { type Transport, createFetchTransport } from '../../contract/requests/transport.js';

async function serve(listener: RequestListener): Promise<string> {
  const server = createServer(listener);
  onTestFinished(() => server.close().closeAllConnections());
  await new Promise<void>((resolve) => void server.listen(0, '127.0.0.1', resolve));
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

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
  const never = new AbortController().signal;

  test('carries method, headers and body, and reads the whole answer', async () => {
    const { url, transport } = await open(async (request, response) => {
      const chunks: Buffer[] = [];
      for await (const chunk of request as AsyncIterable<Buffer>) chunks.push(chunk);
      response.writeHead(201, { 'content-type': 'text/plain', 'x-twice': ['a', 'b'] });
      response.write(`${request.method} ${String(request.headers['x-own'])} `);
      response.end(Buffer.concat(chunks));
    });
    const answer = await transport.send(
      { method: 'PUT', url: `${url}/a`, headers: { 'x-own': 'mine' }, body: 'žluť' },
      never,
    );
    expect(answer).toMatchObject({ status: 201, text: 'PUT mine žluť' });
    expect(answer.headers.get('x-twice')).toBe('a, b');
  });

  test('takes a redirect as an answer', async () => {
    const { url, transport } = await open((_request, response) =>
      response.writeHead(302, { location: 'http://elsewhere.example.net/' }).end(),
    );
    expect(await transport.send({ method: 'GET', url, headers: {} }, never)).toMatchObject({ status: 302 });
  });

  test.each([
    ['gzip', gzipSync('{"a":1}'), '{"a":1}'],
    ['identity', Buffer.from('\uFEFF{"a":1}'), '{"a":1}'],
  ])('reads a body in the coding %s', async (coding, bytes, text) => {
    const { url, transport } = await open((_request, response) =>
      response.writeHead(200, { 'content-encoding': coding }).end(bytes),
    );
    expect((await transport.send({ method: 'GET', url, headers: {} }, never)).text).toBe(text);
  });

  test('reads no body where there is none', async () => {
    const { url, transport } = await open((request, response) =>
      response.writeHead(request.method === 'HEAD' ? 200 : 304, { 'content-encoding': 'gzip' }).end(),
    );
    for (const method of ['HEAD', 'GET'])
      expect((await transport.send({ method, url, headers: {} }, never)).text).toBe('');
  });

  test('reads the beginning of a stream that has no end', async () => {
    const { url, transport } = await open((_request, response) => {
      response.writeHead(200, { 'content-type': 'text/event-stream' });
      response.write('data: 1\n\n');
    });
    expect((await transport.send({ method: 'GET', url, headers: {} }, never)).text).toBe('data: 1\n\n');
  });

  test('gives up when it is told to', async () => {
    const { url, transport } = await open((_request, response) => void response.writeHead(200).write('so far'));
    const controller = new AbortController();
    const answer = transport.send({ method: 'GET', url, headers: {} }, controller.signal);
    setTimeout(() => controller.abort(), 20);
    await expect(answer).rejects.toThrow(/abort/i);
  });

  test('says so where no answer comes', async () => {
    const { url, transport } = await open((request) => void request.socket.destroy());
    await expect(transport.send({ method: 'GET', url, headers: {} }, never)).rejects.toThrow(
      /hang up|fetch failed|closed/,
    );
  });
});

test('a socket that the server closed while it was idle is no failure', async () => {
  const url = await serve((request, response) => {
    response.writeHead(200, { 'keep-alive': 'timeout=60' }).end('ok');
    // Without a word: the next request finds out.
    response.once('finish', () => setImmediate(() => request.socket.resetAndDestroy()));
  });
  const transport = createSocketTransport(new URL(url));
  onTestFinished(() => transport.close());
  for (let count = 0; count < 20; count += 1)
    expect(
      await transport.send({ method: 'POST', url, headers: {}, body: 'x' }, new AbortController().signal),
    ).toMatchObject({ text: 'ok' });
});
