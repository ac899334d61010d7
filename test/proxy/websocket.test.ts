import { mkdtemp, readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { constants, deflateRawSync } from 'node:zlib';

import { expect, onTestFinished, test, vi } from 'vitest';

import { startProxy } from '../../entry/start-proxy.js';
import type { ProxyOptions } from '../../proxy/proxy-options.js';
import { FrameError, FrameReader } from '../../proxy/websocket/frame-reader.js';
import { MessageReader } from '../../proxy/websocket/message-reader.js';
import type { ValidationProxy } from '../../proxy/start-proxy.js';
import { documentWith, loadDocument } from '../support/load-document.js';

/** What of `ws` these tests use: the package has no types of its own. */
interface Socket {
  send(data: string | Uint8Array, options?: { readonly fin?: boolean; readonly compress?: boolean }): void;
  close(code?: number, reason?: string): void;
  terminate(): void;
  readonly extensions: string;
  on(event: 'message', listener: (data: Buffer, isBinary: boolean) => void): void;
  on(event: 'close', listener: (code: number, reason: Buffer) => void): void;
  on(event: 'open' | 'error', listener: () => void): void;
}
interface Options {
  readonly perMessageDeflate?: boolean | object;
}
const { WebSocket, WebSocketServer } = createRequire(import.meta.url)('ws') as {
  readonly WebSocket: new (url: string, options?: Options) => Socket;
  readonly WebSocketServer: new (options: Options & { readonly server: object }) => {
    on(event: 'connection', listener: (socket: Socket) => void): void;
  };
};

const RADIO = documentWith(
  {
    '/live': {
      get: {
        operationId: 'tuneIn',
        'x-websocket': { client: '#/components/schemas/FromClient', server: '#/components/schemas/FromServer' },
        'x-live-session': { setup: '/hello', ready: '/welcome' },
        responses: { 101: { description: 'open' } },
      },
    },
    '/plain': { get: { operationId: 'plain', responses: { 101: { description: 'open' } } } },
  },
  {
    components: {
      schemas: {
        FromClient: {
          type: 'object',
          properties: {
            hello: { type: 'object' },
            pin: { type: 'string', format: 'password' },
            talk: { type: 'string', minLength: 1 },
          },
        },
        FromServer: { type: 'object', properties: { welcome: { type: 'object' }, heard: { type: 'string' } } },
      },
    },
  },
);

type Respond = (message: Readonly<Record<string, unknown>>, socket: Socket) => void;

/** Says welcome, then repeats. */
const REPEAT: Respond = (message, socket) =>
  socket.send(JSON.stringify('hello' in message ? { welcome: {} } : { heard: message['talk'] }));

interface Station {
  readonly proxy: ValidationProxy;
  /** What the server got, as text. */
  readonly received: string[];
  /** The codes by which connections to the server were closed. */
  readonly closes: number[];
}

async function startStation(
  respond: Respond,
  options: Partial<ProxyOptions> & { readonly deflate?: boolean | object } = {},
): Promise<Station> {
  const { deflate = false, ...proxied } = options;
  const server = createServer();
  const [received, closes]: [string[], number[]] = [[], []];
  new WebSocketServer({ server, perMessageDeflate: deflate }).on('connection', (socket) => {
    onTestFinished(() => socket.terminate());
    socket.on('error', () => undefined);
    socket.on('close', (code) => closes.push(code));
    socket.on('message', (data) => {
      received.push(String(data));
      const message: unknown = String(data).startsWith('{') ? JSON.parse(String(data)) : {};
      respond(message as Readonly<Record<string, unknown>>, socket);
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => void server.close());
  const upstream = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const proxy = await startProxy(await loadDocument(RADIO), { upstream, ...proxied });
  onTestFinished(() => proxy.close());
  return { proxy, received, closes };
}

interface Client {
  readonly socket: Socket;
  /** The next message as text. */
  readonly next: () => Promise<string>;
  readonly closed: Promise<readonly [number, string]>;
}

async function openClient(proxy: ValidationProxy, place = '/live', options: Options = {}): Promise<Client> {
  const socket = new WebSocket(proxy.url.replace('http', 'ws') + place, { perMessageDeflate: false, ...options });
  onTestFinished(() => socket.terminate());
  const inbox: string[] = [];
  socket.on('message', (data) => inbox.push(String(data)));
  const closed = new Promise<readonly [number, string]>((resolve) =>
    socket.on('close', (code, reason) => resolve([code, String(reason)])),
  );
  await new Promise<void>((resolve, reject) => {
    socket.on('open', resolve);
    socket.on('error', () => reject(new Error('The socket did not open.')));
  });
  const next = async (): Promise<string> => {
    await vi.waitFor(() => expect(inbox.length).toBeGreaterThan(0), { interval: 2 });
    return inbox.shift() ?? '';
  };
  return { socket, next, closed };
}

test('messages of both sides are checked, and appear in the journal while the connection is open', async () => {
  const { proxy, received } = await startStation((message, socket) => {
    if ('talk' in message) socket.send('{"heard":7}');
    else socket.send('{"welcome":{}}');
  });
  const { socket, next } = await openClient(proxy);
  socket.send('{"hello":{}}');
  expect(await next()).toBe('{"welcome":{}}');
  socket.send('{"talk":"","pin":"1234"}');
  expect(await next()).toBe('{"heard":7}');
  await vi.waitFor(async () =>
    expect(await proxy.requests({ violations: true })).toMatchObject([
      {
        status: 101,
        operationId: 'tuneIn',
        violations: [
          { in: 'body', pointer: '/messages/2/talk', message: 'must NOT have fewer than 1 characters' },
          { in: 'response', pointer: '/messages/3/heard', message: 'must be string' },
        ],
        messages: [
          { from: 'client', body: { hello: {} } },
          { from: 'server', body: { welcome: {} } },
          { from: 'client', body: { talk: '', pin: expect.not.stringContaining('1234') as string } },
          { from: 'server', body: { heard: 7 } },
        ],
      },
    ]),
  );
  expect(received).toHaveLength(2);
  expect(proxy.report().calls).toBe(0);
  socket.close();
  await vi.waitFor(() =>
    expect(proxy.report()).toMatchObject({
      calls: 1,
      violations: [{ pointer: '/messages/*/talk' }, { pointer: '/messages/*/heard' }],
    }),
  );
});

test.each([
  [
    'the setup is missing',
    ['{"talk":"hi"}'],
    { pointer: '/messages/0', message: 'must have /hello: it is the first message' },
  ],
  [
    'the setup comes twice',
    ['{"hello":{}}', '{"hello":{}}'],
    { pointer: '/messages/2/hello', message: 'must be in the first message only' },
  ],
  ['a message is not JSON', ['{"hello":{}}', 'hi'], { pointer: '/messages/2', message: 'must be JSON' }],
])('a violation is reported if %s', async (_name, messages, violation) => {
  const { proxy } = await startStation((_message, socket) => socket.send('{"welcome":{}}'));
  const { socket, next } = await openClient(proxy);
  for (const message of messages) {
    socket.send(message);
    if (message.startsWith('{')) await next();
  }
  await vi.waitFor(async () =>
    expect((await proxy.requests({ violations: true }))[0]?.violations).toEqual([{ in: 'body', ...violation }]),
  );
});

test('a message before the server is ready is reported', async () => {
  const { proxy } = await startStation(() => undefined);
  const { socket } = await openClient(proxy);
  socket.send('{"hello":{}}');
  socket.send('{"talk":"hi"}');
  await vi.waitFor(async () =>
    expect((await proxy.requests())[0]?.violations).toEqual([
      { in: 'body', pointer: '/messages/1', message: 'must come after the server has sent /welcome' },
    ]),
  );
});

test.each([
  ['with a shared context', true],
  ['without a context', { serverNoContextTakeover: true, clientNoContextTakeover: true }],
])('compressed messages are read %s, and pass unchanged', async (_name, deflate) => {
  const settings = { threshold: 0, ...(typeof deflate === 'object' ? deflate : {}) };
  const { proxy, received } = await startStation(REPEAT, { deflate: settings });
  const { socket, next } = await openClient(proxy, '/live', { perMessageDeflate: settings });
  expect(socket.extensions).toContain('permessage-deflate');
  socket.send('{"hello":{}}');
  await next();
  const said = 'the same words again and again '.repeat(3_000);
  for (let round = 0; round < 4; round += 1) {
    socket.send(JSON.stringify({ talk: `${round}${said}` }));
    expect(await next()).toBe(JSON.stringify({ heard: `${round}${said}` }));
  }
  socket.send('{"talk":""}');
  await vi.waitFor(async () =>
    expect(await proxy.requests()).toMatchObject([{ violations: [{ pointer: '/messages/10/talk' }] }]),
  );
  expect((await proxy.requests())[0]?.notes).toBeUndefined();
  expect(received).toHaveLength(6);
});

test('messages in several frames are one message', async () => {
  const { proxy } = await startStation(REPEAT);
  const { socket, next } = await openClient(proxy);
  socket.send('{"hel', { fin: false });
  socket.send('lo":{', { fin: false });
  socket.send('}}', { fin: true });
  expect(await next()).toBe('{"welcome":{}}');
  await vi.waitFor(async () =>
    expect((await proxy.requests())[0]?.messages?.map(({ body }) => body)).toEqual([{ hello: {} }, { welcome: {} }]),
  );
});

test('a recording has messages in the format of browsers, without credentials', async () => {
  const folder = await mkdtemp(path.join(tmpdir(), 'specmill-socket-'));
  const record = path.join(folder, 'traffic.har');
  const { proxy } = await startStation(REPEAT, { record });
  const { socket, next, closed } = await openClient(proxy);
  socket.send('{"hello":{},"pin":"1234"}');
  await next();
  socket.send(Buffer.from('{"talk":"ü"}'));
  await next();
  socket.close(1000);
  await closed;
  await proxy.close();
  const har = JSON.parse(await readFile(record, 'utf8')) as {
    readonly log: { readonly entries: readonly Record<string, unknown>[] };
  };
  expect(har.log.entries).toHaveLength(1);
  expect(har.log.entries[0]).toMatchObject({
    response: { status: 101 },
    _resourceType: 'websocket',
    _webSocketMessages: [
      { type: 'send', opcode: 1, data: expect.stringContaining('"hello"') as string },
      { type: 'receive', opcode: 1, data: '{"welcome":{}}' },
      { type: 'send', opcode: 2, data: Buffer.from('{"talk":"ü"}').toString('base64') },
      { type: 'receive', opcode: 1, data: '{"heard":"ü"}' },
    ],
  });
  expect(JSON.stringify(har)).not.toContain('1234');
});

test.each(['/live', '/plain'])(
  'messages of %s show no credential in the recording, the journal and the log',
  async (target) => {
    const record = path.join(await mkdtemp(path.join(tmpdir(), 'specmill-socket-')), 'traffic.har');
    const calls: object[] = [];
    const echo: Respond = (message, socket) => {
      socket.send(JSON.stringify(message));
    };
    const { proxy } = await startStation(echo, { record, onCall: (call) => void calls.push(call) });
    const { socket, next, closed } = await openClient(proxy, target);
    const messages = [
      '{"access_token":"@"}',
      '{"a":[{"password":"@"}]}',
      '{"a":{"token":"tok_0123456789_@"}}',
      '{"talk":"https://x.example/?X-Amz-Signature=@"}',
      '{"talk":"{\\"client_secret\\":\\"@\\"}"}',
    ];
    const secretOf = (index: number): string => `HIDE${index}ME`;
    for (const [index, message] of messages.entries())
      for (const write of [String, (text: string) => Buffer.from(text)]) {
        socket.send(write(message.replace('@', secretOf(index))));
        await next();
      }
    socket.close(1000);
    await closed;
    await vi.waitFor(() => expect(calls).toHaveLength(1));
    const journal = JSON.stringify(await proxy.requests());
    await proxy.close();
    const har = await readFile(record, 'utf8');
    const inBase64 = [...har.matchAll(/"data":\s?"([\w+/]{16,}=*)"/g)].map(([, text = '']) =>
      String(Buffer.from(text, 'base64')),
    );
    expect(inBase64).toHaveLength(messages.length);
    for (const shown of [har, inBase64.join(), journal, JSON.stringify(calls)])
      expect(messages.filter((_, index) => shown.includes(secretOf(index)))).toEqual([]);
  },
);

test('the first messages of a connection without a schema are kept and not checked', async () => {
  const { proxy } = await startStation((message, socket) => socket.send(JSON.stringify(message)), { errors: true });
  const { socket, next } = await openClient(proxy, '/plain');
  for (let index = 0; index < 20; index += 1) {
    socket.send(JSON.stringify({ index, fill: 'x'.repeat(5_000) }));
    await next();
  }
  socket.close();
  await vi.waitFor(async () => {
    const [entry] = await proxy.requests();
    expect(entry?.violations).toEqual([]);
    expect(entry?.messages?.length).toBeGreaterThan(10);
    expect(entry?.notes).toEqual([expect.stringMatching(/^\d+ messages were not kept\.$/)]);
  });
});

test('--errors stops a client message that breaks the spec and closes both sides', async () => {
  const { proxy, received, closes } = await startStation(REPEAT, { errors: true });
  const { socket, next, closed } = await openClient(proxy);
  socket.send('{"hello":{}}');
  await next();
  socket.send('{"talk":"hi"}');
  expect(await next()).toBe('{"heard":"hi"}');
  socket.send('{"talk":""}');
  socket.send('{"talk":"never"}');
  expect(await closed).toEqual([
    1008,
    'The message does not match the specification: /messages/4/talk must NOT have fewer than 1 characters',
  ]);
  expect(received).toEqual(['{"hello":{}}', '{"talk":"hi"}']);
  await vi.waitFor(() => expect(closes).toEqual([1001]));
  await vi.waitFor(async () => expect(await proxy.requests({ violations: true })).toHaveLength(1));
});

test('--errors stops a server message that breaks the spec and closes both sides', async () => {
  const { proxy, closes } = await startStation((_message, socket) => socket.send('{"welcome":7}'), {
    errors: true,
    deflate: { threshold: 0 },
  });
  const { socket, closed } = await openClient(proxy, '/live', { perMessageDeflate: { threshold: 0 } });
  const got: string[] = [];
  socket.on('message', (data) => got.push(String(data)));
  socket.send('{"hello":{}}');
  expect(await closed).toEqual([1011, 'The server sent a message that the proxy refused.']);
  await vi.waitFor(() => expect(closes).toEqual([1008]));
  expect(got).toEqual([]);
});

test('a message beyond the limit passes without --errors, and ends the connection with --errors', async () => {
  const long = JSON.stringify({ talk: 'x'.repeat(5_000) });
  for (const errors of [false, true]) {
    const { proxy, received } = await startStation(REPEAT, { errors, maxBodyBytes: 4_000 });
    const { socket, next, closed } = await openClient(proxy);
    socket.send('{"hello":{}}');
    await next();
    socket.send(long);
    if (errors) expect((await closed)[0]).toBe(1009);
    else expect(await next()).toContain('xxx');
    expect(received).toHaveLength(errors ? 1 : 2);
    if (!errors)
      await vi.waitFor(async () =>
        expect((await proxy.requests())[0]?.notes).toContain('A message was too long to be checked.'),
      );
  }
});

test.each([false, true])(
  'a message that expands to a thousand times its length is not read, --errors: %s',
  async (errors) => {
    const settings = { threshold: 0 };
    const { proxy, received } = await startStation(REPEAT, { errors, deflate: settings });
    const { socket, next, closed } = await openClient(proxy, '/live', { perMessageDeflate: settings });
    socket.send('{"hello":{}}');
    await next();
    socket.send(JSON.stringify({ talk: 'x'.repeat(4_000_000) }));
    if (errors) expect((await closed)[0]).toBe(1009);
    else expect((await next()).length).toBeGreaterThan(4_000_000);
    expect(received).toHaveLength(errors ? 1 : 2);
    expect((await proxy.requests())[0]?.notes).toContain(
      'The messages of the client were read only in part: A compressed message is longer than the limit.',
    );
  },
);

test('the messages of a chunk expand to a bounded number of bytes together', () => {
  const content = deflateRawSync(Buffer.alloc(1_500_000, ' '), { finishFlush: constants.Z_SYNC_FLUSH }).subarray(0, -4);
  const head = Buffer.from([0xc1, 126, content.length >> 8, content.length & 255]);
  const reader = new MessageReader({ limit: 10_000_000, isStrict: false }, { keepsContext: false });
  let bytes = 0;
  const read = (): void => {
    const chunk = Buffer.concat(Array.from({ length: 20 }, () => [head, content]).flat());
    for (const message of reader.read(chunk)) bytes += message.bytes?.length ?? 0;
  };
  expect(read).toThrow(FrameError);
  expect(bytes).toBeLessThan(2_000_000);
});

test.each([false, true])(
  '10,000 short messages at once pass in their order, --errors: %s',
  async (errors) => {
    const { proxy, received } = await startStation(REPEAT, { errors });
    const { socket, next } = await openClient(proxy);
    socket.send('{"hello":{}}');
    await next();
    for (let index = 0; index < 10_000; index += 1) socket.send(`{"talk":"${index}"}`);
    await vi.waitFor(() => expect(received).toHaveLength(10_001), { timeout: 20_000 });
    expect(received.slice(1).every((text, index) => text === `{"talk":"${index}"}`)).toBe(true);
    expect(await next()).toBe('{"heard":"0"}');
  },
  30_000,
);

test('a connection that is open when the proxy closes is in the recording', async () => {
  const folder = await mkdtemp(path.join(tmpdir(), 'specmill-socket-'));
  const record = path.join(folder, 'traffic.har');
  const { proxy } = await startStation(REPEAT, { record });
  const { socket, next } = await openClient(proxy);
  socket.send('{"hello":{}}');
  await next();
  await proxy.close();
  expect(await readFile(record, 'utf8')).toContain('"welcome');
}, 10_000);

test('frames are read however their bytes are cut', () => {
  const text = Buffer.from('{"talk":"ü"}');
  const long = Buffer.alloc(70_000, 'x');
  const mask = Buffer.from([1, 2, 3, 4]);
  const bytes = Buffer.concat([
    Buffer.from([0x81, 0x80 | text.length]),
    mask,
    text.map((byte, index) => byte ^ (mask[index & 3] ?? 0)),
    Buffer.from([0x89, 0x00]),
    Buffer.from([0x82, 127, 0, 0, 0, 0, 0, 1, 0x11, 0x70]),
    long,
  ]);
  for (const step of [1, 3, 1_000, bytes.length]) {
    const reader = new FrameReader({ limit: 100_000, isStrict: false });
    const frames = [];
    for (let at = 0; at < bytes.length; at += step) frames.push(...reader.read(bytes.subarray(at, at + step)));
    expect(
      frames.map(({ opcode, payload }) => [opcode, Buffer.from(payload ?? []).equals(opcode === 2 ? long : text)]),
    ).toEqual([
      [1, true],
      [9, false],
      [2, true],
    ]);
    expect(Buffer.concat(frames.flatMap(({ raw }) => raw)).equals(bytes)).toBe(true);
  }
});

test.each([true, false])(
  'a message of endless empty frames takes no memory beyond the limit, strict: %s',
  (isStrict) => {
    const reader = new MessageReader({ limit: 10_000, isStrict }, undefined);
    const read = (): readonly unknown[] =>
      [[0x01, 0x00], ...Array.from({ length: 200 }, () => [0x00, 0x00]), [0x80, 0x00]].flatMap((bytes) =>
        [...reader.read(Uint8Array.from(bytes))].map(({ bytes: content, raw }) => [content, raw.length]),
      );
    if (isStrict) expect(read).toThrow('A message is longer than the limit.');
    else expect(read()).toEqual([[undefined, 0]]);
  },
);

test.each([
  ['reserved bits', [0xb1, 0x00]],
  ['an unknown opcode', [0x83, 0x00]],
  ['a control frame in parts', [0x09, 0x00]],
  ['a control frame that is too long', [0x88, 126, 0, 126]],
  ['a length beyond what can be counted', [0x82, 127, 255, 255, 255, 255, 255, 255, 255, 255]],
])('the frame reader fails at %s', (_name, bytes) => {
  const reader = new FrameReader({ limit: 100, isStrict: false });
  expect(() => [...reader.read(Uint8Array.from(bytes))]).toThrow(FrameError);
});
