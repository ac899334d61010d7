import type { IncomingMessage } from 'node:http';

import type { BodyTap } from './body-tap.js';
import { IdleTimeout } from './idle-timeout.js';

/** A body, or its start, that was read before it is passed on. */
export interface BufferedBody {
  readonly chunks: readonly Uint8Array[];
  /** Whether the stream has ended. */
  readonly isWhole: boolean;
  /** Whether reading was given up, because nothing came for too long. */
  readonly isIdle: boolean;
}

/** The connection broke before the end of the message. */
export class CutOffError extends Error {
  override readonly name = 'CutOffError';
}

/** The limits for holding a body back. */
export interface BufferLimits {
  /** The most bytes. */
  readonly limit: number;
  /** The longest idle time in milliseconds. */
  readonly patience: number;
}

/**
 * Returns the body of a message that is already complete, as short ones are. Avoids waiting, which needs two listeners,
 * a timer and several turns of the event loop.
 */
export function takeWhole(message: IncomingMessage, tap: BodyTap, limit: number): BufferedBody | undefined {
  if (!message.complete || message.destroyed || message.readableLength > limit) return undefined;
  const bytes = message.read() as Uint8Array | null;
  if (bytes !== null) tap.add(bytes);
  tap.end();
  return { chunks: bytes === null ? [] : [bytes], isWhole: true, isIdle: false };
}

/**
 * Reads a body until its end or until the limit is exceeded; in that case, the rest is still in the stream.
 *
 * @throws CutOffError if the body breaks off.
 */
export function bufferBody(
  message: IncomingMessage,
  tap: BodyTap,
  { limit, patience }: BufferLimits,
): Promise<BufferedBody> {
  return new Promise((resolve, reject) => {
    const chunks: Uint8Array[] = [];
    const watch = new IdleTimeout(patience, () => release({ isWhole: false, isIdle: true }));
    const settle = (finish: () => void): void => {
      watch.stop();
      message.pause();
      message.off('data', add).off('end', end).off('close', fail);
      finish();
    };
    const release = (how: Omit<BufferedBody, 'chunks'>): void => settle(() => resolve({ chunks, ...how }));
    const add = (chunk: Uint8Array): void => {
      watch.touch();
      chunks.push(chunk);
      tap.add(chunk);
      if (tap.size > limit) release({ isWhole: false, isIdle: false });
    };
    const end = (): void => {
      tap.end();
      release({ isWhole: true, isIdle: false });
    };
    const fail = (): void => settle(() => reject(new CutOffError('The message broke off.')));
    if (message.destroyed && !message.readableEnded) fail();
    else message.on('data', add).on('end', end).on('close', fail);
  });
}
