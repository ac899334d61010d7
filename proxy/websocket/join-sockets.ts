import { randomBytes } from 'node:crypto';
import type { Duplex } from 'node:stream';

import { OPCODES } from './frame-reader.js';
import type { SocketSide } from './message-reader.js';
import type { SocketRefusal, SocketSession } from './socket-session.js';

/** One end of a WebSocket, and the bytes after its head. */
export interface SocketEnd {
  readonly socket: Duplex;
  readonly head: Uint8Array;
}

export type SocketEnds = Readonly<Record<SocketSide, SocketEnd>>;

/** The most bytes of a reason (RFC 6455, section 5.5). */
const MOST_REASON = 123;
/** How long a side may take to read the close frame. Milliseconds. */
const CLOSE_TIME = 1_000;

/** Returns both directions, each with its sender, source and destination. */
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

/** Joins both sides byte for byte until both have ended. The session watches the bytes. */
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

/** Joins both sides message by message. The first message that the session refuses closes both. */
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

/**
 * Closes both sides: the sender with the refusal, the client with 1011 (failed) or the server with 1001 (going away).
 */
function refuse({ client, server }: SocketEnds, side: SocketSide, refusal: SocketRefusal): void {
  const other = {
    status: side === 'client' ? 1001 : 1011,
    reason: `The ${side} sent a message that the proxy refused.`,
  };
  end(client.socket, writeClose(side === 'client' ? refusal : other, false));
  end(server.socket, writeClose(side === 'server' ? refusal : other, true));
}

/** Closes a side. Drains its input, because unread bytes would reset the connection before the close frame is read. */
function end(socket: Duplex, frame: Uint8Array): void {
  socket.resume();
  socket.end(frame);
  setTimeout(() => socket.destroy(), CLOSE_TIME).unref();
}

/** Writes a close frame, masked if it goes to a server (RFC 6455, section 5.3). */
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

/** Cuts a text to at most `most` bytes without splitting a character. */
function cutToBytes(text: string, most: number): Uint8Array {
  const bytes = Buffer.from(text);
  if (bytes.length <= most) return bytes;
  const { written } = new TextEncoder().encodeInto(text, new Uint8Array(most));
  return bytes.subarray(0, written);
}

/** If one side closes the connection, the other is closed too. */
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
