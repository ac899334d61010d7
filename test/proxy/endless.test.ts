import { once } from 'node:events';
import { connect, type Socket } from 'node:net';

import { expect, test, vi } from 'vitest';

import { ByteCollector } from '../../http/wire/byte-collector.js';
import { callsOf, startRawServer, startShopProxy, talk } from './proxied-server.js';

const OK = 'HTTP/1.1 200 OK\r\nContent-Type: application/json\r\n';
const CHUNKED = `${OK}Transfer-Encoding: chunked\r\n\r\n`;
const ENOUGH = 64_000_000;

/** What a server says first and then again and again, and the milliseconds between. */
const SERVERS: readonly (readonly [string, string, string, number?])[] = [
  ['an endless body', CHUNKED, `10000\r\n${'x'.repeat(65_536)}\r\n`],
  ['an endless body of a known length', `${OK}Content-Length: 99999999999\r\n\r\n`, 'x'.repeat(65_536)],
  ['an endless extension of a chunk', `${CHUNKED}1;`, 'a'.repeat(65_536)],
  ['endless headers', OK, 'X: a\r\n'.repeat(1_000)],
  ['an endless header', `${OK}X: `, 'a'.repeat(65_536)],
  ['endless trailers', `${CHUNKED}1\r\nx\r\n0\r\n`, 'X: a\r\n'.repeat(1_000)],
  ['endless hints', '', 'HTTP/1.1 103 Early Hints\r\nLink: <https://x.example>; rel=preload\r\n\r\n'.repeat(1_000)],
  ['a byte at a time', CHUNKED, '1\r\nx\r\n', 2],
  ['a byte of a header at a time', `${OK}X: `, 'x', 2],
];

/** Says a text again and again, as fast as it is read, and counts the bytes. */
function repeat(socket: Socket, text: string, pause: number | undefined): { sent: number } {
  const count = { sent: 0 };
  const bytes = Buffer.from(text);
  const say = (): void => {
    while (!socket.destroyed && count.sent < ENOUGH) {
      count.sent += bytes.length;
      const isFull = !socket.write(bytes);
      if (pause !== undefined) return void setTimeout(say, pause);
      if (isFull) return void socket.once('drain', say);
    }
  };
  say();
  return count;
}

test.each(SERVERS.flatMap((row) => [false, true].map((errors) => [row[0], errors, row] as const)))(
  'a server that sends %s is bounded, with errors: %s',
  async (_name, errors, [, head, text, pause]) => {
    let count = { sent: 0 };
    const closed = vi.fn<() => void>();
    const upstream = await startRawServer((socket) => {
      socket.on('close', closed);
      socket.write(head);
      count = repeat(socket, text, pause);
    });
    const proxy = await startShopProxy(upstream, { errors, timeout: 500 });
    // A client that reads nothing after the head.
    const client = connect(Number(new URL(proxy.url).port), '127.0.0.1');
    client.on('error', () => undefined);
    client.write('GET /pets/1 HTTP/1.1\r\nHost: localhost\r\n\r\n');
    await Promise.race([once(client, 'readable'), new Promise((done) => void setTimeout(done, 300))]);
    client.destroy();
    await vi.waitFor(() => expect(closed).toHaveBeenCalledOnce(), 5_000);
    // 10 MB are held for a check; the rest is in sockets.
    expect(count.sent).toBeLessThan(ENOUGH);
    const [entry] = await callsOf(proxy);
    expect(entry?.notes?.length).toBeGreaterThan(0);
    expect(JSON.stringify(entry).length).toBeLessThan(200_000);
  },
);

test.each(['1.0', '1.1'])(
  'a client of HTTP/%s gets 502 after a thousand hints, and none is sent after it',
  async (version) => {
    const closed = vi.fn<() => void>();
    const upstream = await startRawServer((socket) => {
      socket.on('close', closed);
      repeat(socket, 'HTTP/1.1 102 Processing\r\n\r\n'.repeat(300), undefined);
    });
    const proxy = await startShopProxy(upstream, { timeout: 60_000 });
    const received = await talk(
      proxy.url,
      `GET /pets/1 HTTP/${version}\r\nHost: localhost\r\nConnection: close\r\n\r\n`,
    );
    const statuses = [...received.matchAll(/^HTTP\/1\.1 (\d+) /gm)].map(([, status]) => status);
    expect(statuses).toEqual([...(version === '1.0' ? [] : Array.from({ length: 1_000 }, () => '102')), '502']);
    await vi.waitFor(() => expect(closed).toHaveBeenCalledOnce(), 5_000);
    expect((await callsOf(proxy))[0]).toMatchObject({
      status: 502,
      notes: ['The server sent more than 1000 interim responses.'],
    });
  },
);

test('a body of single bytes is kept in few parts', async () => {
  const parts = vi.spyOn(ByteCollector.prototype, 'parts');
  const upstream = await startRawServer((socket) => {
    socket.write(`${CHUNKED}${'1\r\n \r\n'.repeat(40_000)}2\r\n{}\r\n0\r\n\r\n`);
  });
  const proxy = await startShopProxy(upstream, { errors: true });
  await fetch(`${proxy.url}/pets/1`).then((received) => received.arrayBuffer());
  await callsOf(proxy);
  const counts = parts.mock.results.map(({ value }) => (value as readonly Uint8Array[]).length);
  parts.mockRestore();
  expect(counts.length).toBeGreaterThan(0);
  expect(Math.max(...counts)).toBeLessThan(10);
});
