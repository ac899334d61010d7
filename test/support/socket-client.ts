import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { request, type IncomingMessage } from 'node:http';
import type { Duplex } from 'node:stream';

/** What a WebSocket server sends: a text, bytes, or the code and reason of a close. */
export type SocketEvent = string | Uint8Array | { readonly code: number; readonly reason: string };

/** A WebSocket client for tests: one frame at a time, no extensions. Node 20 has none of its own. */
export interface SocketClient {
  readonly send: (message: string | Uint8Array) => void;
  readonly next: () => Promise<SocketEvent>;
  /** Goes away without a word. */
  readonly close: () => void;
}

/** Opens a WebSocket. Gives the status of the response where it is refused. */
export async function openSocketClient(url: string): Promise<SocketClient | number> {
  const headers = {
    connection: 'Upgrade',
    upgrade: 'websocket',
    'sec-websocket-version': '13',
    'sec-websocket-key': randomBytes(16).toString('base64'),
  };
  const asked = request(url, { headers });
  asked.end();
  const refused = once(asked, 'response').then(([response]) => (response as IncomingMessage).statusCode ?? 0);
  const opened = once(asked, 'upgrade').then(([, socket, head]) => createClient(socket as Duplex, head as Buffer));
  return await Promise.race([refused, opened]);
}

/** The same over what a mock in this process gives. */
export async function openLocalSocketClient(
  webSocket: (url: string) => WebSocket,
  url: string,
): Promise<SocketClient | number> {
  const socket = webSocket(url);
  socket.binaryType = 'arraybuffer';
  const { tell, next } = collectEvents();
  socket.addEventListener('message', ({ data }: { readonly data: string | ArrayBuffer }) =>
    tell(typeof data === 'string' ? data : new Uint8Array(data)),
  );
  socket.addEventListener('close', ({ code, reason }) => tell({ code, reason }));
  return await new Promise((resolve) => {
    socket.addEventListener('open', () =>
      resolve({ send: (message) => socket.send(message as string), next, close: () => socket.close() }),
    );
    socket.addEventListener('error', (event) => {
      resolve(Number(/\d{3}/.exec((event as Event & { readonly message: string }).message)?.[0]));
    });
  });
}

interface Events {
  readonly tell: (event: SocketEvent) => void;
  readonly next: () => Promise<SocketEvent>;
}

function collectEvents(): Events {
  const events: SocketEvent[] = [];
  const waiting: ((event: SocketEvent) => void)[] = [];
  return {
    tell: (event) => {
      const first = waiting.shift();
      if (first === undefined) events.push(event);
      else first(event);
    },
    next: () =>
      new Promise((resolve) => {
        const event = events.shift();
        if (event === undefined) waiting.push(resolve);
        else resolve(event);
      }),
  };
}

function createClient(socket: Duplex, head: Buffer): SocketClient {
  const { tell, next } = collectEvents();
  let rest = head;
  const read = (chunk: Buffer): void => {
    rest = Buffer.concat([rest, chunk]);
    for (let frame = readFrame(rest); frame !== undefined; frame = readFrame(rest)) {
      rest = rest.subarray(frame.end);
      if (frame.event !== undefined) tell(frame.event);
    }
  };
  socket.on('data', read);
  socket.on('error', () => undefined);
  read(Buffer.alloc(0));
  return {
    send: (message) => socket.write(writeFrame(message)),
    close: () => socket.destroy(),
    next,
  };
}

interface Frame {
  readonly event: SocketEvent | undefined;
  readonly end: number;
}

/** One frame of a server (RFC 6455, section 5.2), if it is there as a whole. */
function readFrame(bytes: Buffer): Frame | undefined {
  if (bytes.length < 2) return undefined;
  const short = bytes.readUInt8(1) & 0x7f;
  const start = short < 126 ? 2 : short === 126 ? 4 : 10;
  if (bytes.length < start) return undefined;
  const length = short < 126 ? short : short === 126 ? bytes.readUInt16BE(2) : Number(bytes.readBigUInt64BE(2));
  const end = start + length;
  if (bytes.length < end) return undefined;
  return { event: readEvent(bytes.readUInt8(0) & 0x0f, bytes.subarray(start, end)), end };
}

function readEvent(opcode: number, data: Buffer): SocketEvent | undefined {
  if (opcode === 1) return data.toString();
  if (opcode === 2) return new Uint8Array(data);
  if (opcode !== 8) return undefined;
  return { code: data.length >= 2 ? data.readUInt16BE(0) : 1005, reason: data.toString('utf8', 2) };
}

/** Clients must mask what they send; a mask of zeros leaves it as it is. */
function writeFrame(message: string | Uint8Array): Buffer {
  const data = Buffer.from(message);
  const opcode = typeof message === 'string' ? 0x81 : 0x82;
  const header =
    data.length < 126
      ? Buffer.from([opcode, 0x80 | data.length])
      : Buffer.from([opcode, 0xfe, data.length >> 8, data.length & 0xff]);
  return Buffer.concat([header, Buffer.alloc(4), data]);
}
