import { randomBytes } from 'node:crypto';
import type { Duplex } from 'node:stream';

import { OPCODES } from './frame-reader.js';
import type { SocketSide } from './read-extensions.js';
import type { SocketRefusal, SocketSession } from './socket-session.js';

/** One end of a WebSocket, and what came with its head. */
export interface SocketEnd {
  readonly socket: Duplex;
  readonly head: Uint8Array;
}

export type SocketEnds = Readonly<Record<SocketSide, SocketEnd>>;

/** A reason has no more (RFC 6455, section 5.5). Bytes. */
const MOST_REASON = 123;
/** How long a side may take to read why it is closed. Milliseconds. */
const FAREWELL = 1_000;

/** Both ways: whose bytes they are, from where and to where they go. */
function waysOf({ client, server }: SocketEnds): readonly Way[] {
  return [
    { side: 'server', from: server, to: client.socket },
    { side: 'client', from: client, to: server.socket },
  ];
}

interface Way {
  readonly side: SocketSide;
  readonly from: SocketEnd;
  readonly to: Duplex;
}

/** Joins both sides byte for byte, while the session looks on, until both have ended. */
export async function joinSockets(ends: SocketEnds, session: SocketSession): Promise<void> {
  const closed = untilClosed(ends);
  for (const { side, from, to } of waysOf(ends)) {
    endTogether(from.socket, to);
    if (from.head.length > 0) {
      to.write(from.head);
      session.watch(side, from.head);
    }
    from.socket.on('data', (chunk: Uint8Array) => session.watch(side, chunk));
    from.socket.pipe(to);
  }
  await closed;
}

/** Joins both sides message by message: none passes that the session does not admit, and the first such ends both. */
export async function gateSockets(ends: SocketEnds, session: SocketSession): Promise<void> {
  const closed = untilClosed(ends);
  let isRefused = false;
  const pass = ({ side, from, to }: Way, chunk: Uint8Array): void => {
    if (isRefused) return;
    const { passed, refusal } = session.admit(side, chunk);
    const isFull = passed.map((bytes) => to.write(bytes)).at(-1) === false;
    if (refusal !== undefined) {
      isRefused = true;
      refuse(ends, side, refusal);
    } else if (isFull) {
      from.socket.pause();
      to.once('drain', () => from.socket.resume());
    }
  };
  for (const way of waysOf(ends)) {
    endTogether(way.from.socket, way.to);
    if (way.from.head.length > 0) pass(way, way.from.head);
    way.from.socket.on('data', (chunk: Uint8Array) => pass(way, chunk));
    way.from.socket.once('end', () => void way.to.end());
  }
  await closed;
}

/** Says why to the side whose message it is; the other learns that the connection is over: 1001 goes away, 1011 failed. */
function refuse({ client, server }: SocketEnds, side: SocketSide, refusal: SocketRefusal): void {
  const other = {
    status: side === 'client' ? 1001 : 1011,
    reason: `The ${side} sent a message that the proxy does not pass.`,
  };
  end(client.socket, writeClose(side === 'client' ? refusal : other, false));
  end(server.socket, writeClose(side === 'server' ? refusal : other, true));
}

/** Reads and drops the rest: an unread byte would reset the connection before the close frame is read. */
function end(socket: Duplex, frame: Uint8Array): void {
  socket.resume();
  socket.end(frame);
  setTimeout(() => socket.destroy(), FAREWELL).unref();
}

/** A close frame; what goes to a server is masked (RFC 6455, section 5.3). */
function writeClose({ status, reason }: SocketRefusal, isMasked: boolean): Uint8Array {
  const text = cutToBytes(reason, MOST_REASON);
  const payload = Buffer.alloc(2 + text.length);
  payload.writeUInt16BE(status);
  payload.set(text, 2);
  if (!isMasked) return Buffer.concat([Uint8Array.of(0x80 | OPCODES.close, payload.length), payload]);
  const mask = randomBytes(4);
  const masked = payload.map((byte, index) => byte ^ (mask[index & 3] ?? 0));
  return Buffer.concat([Uint8Array.of(0x80 | OPCODES.close, 0x80 | payload.length), mask, masked]);
}

/** The start of a text that takes no more bytes than that, without half a character at its end. */
function cutToBytes(text: string, most: number): Uint8Array {
  const bytes = Buffer.from(text);
  if (bytes.length <= most) return bytes;
  const { written } = new TextEncoder().encodeInto(text, new Uint8Array(most));
  return bytes.subarray(0, written);
}

/** A break of one side is a break of the other. */
function endTogether(from: Duplex, to: Duplex): void {
  from.on('error', () => undefined);
  from.once('close', () => to.destroy());
}

async function untilClosed({ client, server }: SocketEnds): Promise<void> {
  await Promise.all(
    [client.socket, server.socket].map(
      (socket) => new Promise<void>((resolve) => (socket.closed ? resolve() : socket.once('close', () => resolve()))),
    ),
  );
}
