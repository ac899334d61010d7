import { once } from 'node:events';
import { connect } from 'node:net';

import * as fc from 'fast-check';
import { afterAll, beforeAll, expect, test } from 'vitest';

import type { Listening } from '../../../http/wire/listen.js';
import { openHttpServer } from '../../../server/transport/http-server.js';
import { body } from '../conformance/conformance-case.js';
import { type Mounted, mountPipeline } from '../conformance/start-transports.js';

let mounted: Mounted;
let transport: Listening;
const escaped: unknown[] = [];
const note = (error: unknown): void => void escaped.push(error);

beforeAll(async () => {
  mounted = await mountPipeline(body('application/json', { type: 'object' }));
  transport = await openHttpServer({
    handle: mounted.handle,
    sandboxOf: () => mounted.sandbox,
    port: 0,
    timeouts: { headers: 100, body: 100, keepAlive: 100 },
  });
  process.on('unhandledRejection', note);
});
afterAll(async () => {
  process.off('unhandledRejection', note);
  await transport.close();
});

const LINES = [
  'POST /x HTTP/1.1',
  'GET /x HTTP/1.1',
  'POST /x HTTP/1.0',
  'POST //x?a[=%zz HTTP/1.1',
  'POST http://[::1/x HTTP/1.1',
  'HEAD * HTTP/1.1',
  'OPTIONS * HTTP/1.1',
  'PRI * HTTP/2.0',
  'Host: mock',
  'Host: mo ck',
  'Host:',
  'Host: %zz',
  'Content-Type: application/json',
  'Content-Type: multipart/form-data; boundary=b',
  'Content-Length: 7',
  'Content-Length: 9999999999999999999',
  'Content-Length: 0x7',
  'Transfer-Encoding: chunked',
  'Transfer-Encoding: gzip, chunked',
  'Content-Encoding: gzip',
  'Expect: 100-continue',
  'Connection: close',
  'Connection: Upgrade',
  'Upgrade: websocket',
  'Sec-WebSocket-Version: 13',
  'X-Specmill-Sandbox: ../..',
  'Origin: null',
  'Access-Control-Request-Method: PUT',
  ': nameless',
  ' folded',
  'X: a\0b',
  '',
  '{"a":1}',
  '7',
  '7;ext=1',
  'fffffffff',
  '0',
];
const line = fc.oneof(
  { weight: 5, arbitrary: fc.constantFrom(...LINES) },
  fc.string({ unit: 'binary', maxLength: 20 }),
);
const end = fc.constantFrom('\r\n', '\r\n', '\r\n', '\r\n', '\n', '\r', '');
const text = fc.array(fc.tuple(line, end), { minLength: 1, maxLength: 14 }).map((all) => all.flat().join(''));
/** A whole request in front, so that the parser is not always stopped by the first line. */
const whole = 'POST /x HTTP/1.1\r\nHost: mock\r\nContent-Type: application/json\r\nContent-Length: 7\r\n\r\n{"a":1}';
const wire = fc.oneof(
  text,
  text.map((rest) => whole + rest),
  // One byte of it is another.
  fc.tuple(fc.nat(whole.length - 1), fc.integer({ min: 0, max: 255 })).map(([place, code]) => {
    return whole.slice(0, place) + String.fromCharCode(code) + whole.slice(place + 1);
  }),
  // It breaks off somewhere, or comes in two pieces.
  fc.nat(whole.length).map((place) => whole.slice(0, place)),
);
const way = fc.constantFrom('whole', 'in two pieces', 'half-closed', 'reset');

async function send(bytes: Buffer, how: string): Promise<string> {
  const { hostname, port } = new URL(transport.url);
  const socket = connect({ host: hostname, port: Number(port) });
  let response = '';
  socket.on('data', (chunk) => {
    // A connection that is kept alive would be kept for a second and more.
    if (response === '') setTimeout(() => socket.end(), 20);
    response += chunk.toString('latin1');
  });
  socket.on('error', () => undefined);
  const closed = once(socket, 'close');
  if (how === 'half-closed') socket.end(bytes);
  else if (how === 'in two pieces') {
    socket.write(bytes.subarray(0, bytes.length / 2));
    setImmediate(() => socket.write(bytes.subarray(bytes.length / 2)));
  } else socket.write(bytes);
  if (how === 'reset') setImmediate(() => socket.resetAndDestroy());
  await closed;
  return response;
}

test('random bytes on the wire get a 4xx at worst, or the connection ends', async () => {
  const broken: string[] = [];
  await fc.assert(
    fc.asyncProperty(fc.array(fc.tuple(wire, way), { minLength: 12, maxLength: 12 }), async (calls) => {
      const responses = await Promise.all(calls.map(([content, how]) => send(Buffer.from(content, 'latin1'), how)));
      broken.push(
        ...responses.filter((response) => /^HTTP\/1\.1 5/m.test(response) || !/^(?:HTTP\/1\.1 \d|$)/.test(response)),
      );
      return broken.length === 0;
    }),
    { numRuns: 25, seed: 7 },
  );
  expect(broken).toEqual([]);
  expect(escaped).toEqual([]);
  expect(mounted.sandbox.calls.filter(({ status }) => status >= 500)).toEqual([]);
  const init = { method: 'POST', body: '{}', headers: { 'content-type': 'application/json' } };
  expect((await fetch(`${transport.url}/x`, init)).status).toBe(200);
}, 60_000);
