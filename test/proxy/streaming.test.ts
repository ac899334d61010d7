import { createHash, randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { type ClientRequest, type IncomingMessage, type RequestOptions, request } from 'node:http';
import { setTimeout as wait } from 'node:timers/promises';
import { gzipSync } from 'node:zlib';

import { describe, expect, test, vi } from 'vitest';

import { respondWithJson, callsOf, readAll, startServer, startShopProxy, talk } from './proxied-server.js';

function ask(url: string, options: RequestOptions = {}): ClientRequest {
  const asked = request(url, { agent: false, ...options });
  asked.on('error', () => undefined);
  return asked;
}

async function responseOf(asked: ClientRequest): Promise<IncomingMessage> {
  const [received] = (await once(asked, 'response')) as [IncomingMessage];
  return received;
}

const hash = (bytes: Uint8Array): string => createHash('sha256').update(bytes).digest('hex');

describe('bytes', () => {
  const BODIES: readonly (readonly [string, Buffer, Record<string, string>])[] = [
    ['of a picture', randomBytes(300_000), { 'content-type': 'image/png' }],
    ['that are no UTF-8', Buffer.from([0xff, 0xfe, 0x00, 0x80, 0x0d, 0x0a]), { 'content-type': 'text/plain' }],
    ['that are compressed', gzipSync(randomBytes(100_000)), { 'content-encoding': 'gzip' }],
    ['of no type', randomBytes(70_000), {}],
    ['of JSON with odd spaces', Buffer.from(' {"a" :\n1e0,"a":2}\r\n'), { 'content-type': 'application/json' }],
    ['none', Buffer.alloc(0), { 'content-type': 'text/plain' }],
  ];

  test.each(BODIES)('%s pass unchanged, with a length or in chunks', async (_name, bytes, headers) => {
    const proxy = await startShopProxy(async (incoming, response) => {
      const body = await readAll(incoming);
      const { 'content-type': type, 'content-encoding': encoding, 'content-length': length } = incoming.headers;
      response.writeHead(200, {
        ...(type === undefined ? {} : { 'content-type': type }),
        ...(encoding === undefined ? {} : { 'content-encoding': encoding }),
        ...(length === undefined ? {} : { 'content-length': length }),
        'x-hash': hash(body),
      });
      response.end(body);
    });
    for (const extra of [{ 'content-length': bytes.length }, { 'transfer-encoding': 'chunked' }]) {
      const asked = ask(`${proxy.url}/files`, { method: 'PUT', headers: { ...headers, ...extra } });
      asked.end(bytes);
      const received = await responseOf(asked);
      expect(received.headers['x-hash']).toBe(hash(bytes));
      expect(hash(await readAll(received))).toBe(hash(bytes));
      expect('content-length' in received.headers).toBe('content-length' in extra);
    }
  });
});

describe('streams', () => {
  test('an event arrives before the next is sent, and each is checked', async () => {
    let send: (text: string) => void = () => undefined;
    let end = (): void => undefined;
    const proxy = await startShopProxy((_request, response) => {
      response.writeHead(200, { 'content-type': 'text/event-stream' });
      response.flushHeaders();
      send = (text) => void response.write(text);
      end = () => void response.end();
    });
    const received = await fetch(`${proxy.url}/events`);
    const reader = received.body?.pipeThrough(new TextDecoderStream()).getReader();
    const events = [
      'data: {"name":"Rex"}\n\n',
      ': a comment\n\nevent: pet\r\ndata: {"name":\r\ndata: 1}\r\n\r\n',
      'data: {"error":{"code":1}}\n\n',
      'data: none\r\r',
      'data: [DONE]\n\n',
    ];
    for (const event of events) {
      send(event);
      expect((await reader?.read())?.value).toBe(event);
    }
    end();
    expect((await reader?.read())?.done).toBe(true);
    const [entry] = await callsOf(proxy);
    expect(entry?.violations).toEqual([
      { in: 'response', pointer: '/body/name', message: 'must be string' },
      { in: 'response', pointer: '/body', message: 'must be JSON' },
    ]);
    expect(entry?.response.body).toBe(events.join(''));
  });

  test('a response of a known length is passed on before its body arrives', async () => {
    let end = (): void => undefined;
    const proxy = await startShopProxy((_request, response) => {
      response.writeHead(200, { 'content-type': 'application/json', 'content-length': 10 }).flushHeaders();
      end = () => void response.end('{"name":1}');
    });
    const received = await fetch(`${proxy.url}/pets/1`);
    end();
    expect(await received.json()).toEqual({ name: 1 });
    expect((await callsOf(proxy))[0]?.violations).toHaveLength(1);
  });

  test('compressed events are checked when the stream has ended', async () => {
    const proxy = await startShopProxy((_request, response) =>
      response
        .writeHead(200, { 'content-type': 'text/event-stream', 'content-encoding': 'gzip' })
        .end(gzipSync('data: {"name":1}\n\n')),
    );
    await fetch(`${proxy.url}/events`).then((received) => received.text());
    expect((await callsOf(proxy))[0]?.violations).toHaveLength(1);
  });

  test('the proxy streams both directions at once', async () => {
    const proxy = await startShopProxy((incoming, response) => {
      response.writeHead(200).flushHeaders();
      incoming.pipe(response);
    });
    const asked = ask(`${proxy.url}/files`, { method: 'PUT' });
    asked.flushHeaders();
    const received = await responseOf(asked);
    for (const text of ['one', 'two', 'three']) {
      asked.write(text);
      const [chunk] = (await once(received, 'data')) as [Buffer];
      expect(chunk.toString()).toBe(text);
    }
    asked.end();
    await once(received, 'end');
  });

  test('trailers pass in both directions', async () => {
    const proxy = await startShopProxy(async (incoming, response) => {
      await readAll(incoming);
      response.writeHead(200, { trailer: 'x-sum' });
      response.write('x');
      response.addTrailers({ 'x-sum': [incoming.trailers['x-sum'], incoming.headers['te']].join('/') });
      response.end();
    });
    const asked = ask(`${proxy.url}/files`, {
      method: 'PUT',
      headers: { trailer: 'x-sum', te: 'trailers', 'transfer-encoding': 'chunked' },
    });
    asked.write('x');
    asked.addTrailers({ 'x-sum': '1' });
    asked.end();
    const received = await responseOf(asked);
    await readAll(received);
    expect(received.trailers).toEqual({ 'x-sum': '1/trailers' });
  });

  test('a slow reader slows the server down, and the proxy buffers nothing', async () => {
    let sent = 0;
    const chunk = Buffer.alloc(1_000_000);
    const proxy = await startShopProxy(async (_request, response) => {
      while (sent < 300 && !response.destroyed) {
        sent += 1;
        if (!response.write(chunk)) await Promise.race([once(response, 'drain'), once(response, 'close')]);
      }
      response.end();
    });
    const asked = ask(`${proxy.url}/files`, { method: 'PUT' });
    asked.end();
    const received = await responseOf(asked);
    received.pause();
    await wait(300);
    // What the system keeps of three connections.
    expect(sent).toBeLessThan(40);
    asked.destroy();
  });
});

describe('who goes away', () => {
  test('the server sees when a client leaves during the response', async () => {
    const closed = vi.fn<() => void>();
    const proxy = await startShopProxy((_request, response) => {
      response.writeHead(200, { 'content-type': 'text/event-stream' }).write('data: {"name":"a"}\n\n');
      response.on('close', closed);
    });
    const asked = ask(`${proxy.url}/events`);
    asked.end();
    await once(await responseOf(asked), 'data');
    asked.destroy();
    await vi.waitFor(() => expect(closed).toHaveBeenCalledOnce());
    expect((await callsOf(proxy))[0]?.notes).toContain(
      'The client closed the connection before the end of the response.',
    );
  });

  test('the server sees when a client leaves during its request', async () => {
    const aborted = vi.fn<() => void>();
    const begun = vi.fn<() => void>();
    const proxy = await startShopProxy((incoming) => {
      incoming.on('data', begun).on('error', aborted);
    });
    const asked = ask(`${proxy.url}/files`, { method: 'PUT', headers: { 'content-length': 100 } });
    asked.write('x');
    await vi.waitFor(() => expect(begun).toHaveBeenCalled());
    asked.destroy();
    await vi.waitFor(() => expect(aborted).toHaveBeenCalledOnce());
    const [entry] = await callsOf(proxy);
    expect([entry?.status, entry?.notes]).toEqual([0, ['The client closed the connection before the response.']]);
  });

  test('the client sees when the server breaks off its response', async () => {
    const proxy = await startShopProxy((_request, response) => {
      response.writeHead(200, { 'content-type': 'application/json' }).write('{"name":');
      setTimeout(() => response.destroy(), 20);
    });
    await expect(fetch(`${proxy.url}/pets/1`).then((received) => received.text())).rejects.toThrow('terminated');
    expect((await callsOf(proxy))[0]?.notes).toEqual([
      'The body of the response was not checked: it is incomplete.',
      'The server closed the connection before the end of its response.',
    ]);
  });

  test('an early response of the server passes while the client is still sending', async () => {
    const proxy = await startShopProxy((_request, response) =>
      response.writeHead(413, { connection: 'close' }).end('too much'),
    );
    const text = `PUT /files HTTP/1.1\r\nHost: localhost\r\nContent-Length: 10\r\n\r\n12345`;
    expect(await talk(proxy.url, text, 300)).toMatch(/^HTTP\/1\.1 413 /);
    expect((await fetch(`${proxy.url}/files`, { method: 'PUT' })).status).toBe(413);
  });
});

describe('Expect: 100-continue', () => {
  const HEAD = 'POST /pets HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\nContent-Length: 14\r\n';

  test('the server responds to Expect: 100-continue', async () => {
    const server = await startServer((incoming, response) =>
      readAll(incoming).then((body) => respondWithJson(response, JSON.parse(String(body)), { status: 201 })),
    );
    const proxy = await startShopProxy(server.url);
    const asked = ask(`${proxy.url}/pets`, {
      method: 'POST',
      headers: { expect: '100-continue', 'content-type': 'application/json', 'content-length': 14 },
    });
    asked.flushHeaders();
    await once(asked, 'continue');
    asked.end('{"name":"Rex"}');
    expect((await responseOf(asked)).statusCode).toBe(201);
  });

  test('a refusal of the server to Expect: 100-continue ends the connection', async () => {
    const server = await startServer(() => undefined);
    server.on('checkContinue', (_request, response) => response.writeHead(417).end());
    const proxy = await startShopProxy(server.url);
    const received = await talk(proxy.url, `${HEAD}Expect: 100-continue\r\n\r\n`, 2_000);
    expect(received).toMatch(/^HTTP\/1\.1 417 [^]*\r\nConnection: close\r\n/);
  });
});
