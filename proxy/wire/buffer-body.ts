import type { IncomingMessage } from 'node:http';

import { ByteCollector } from '../../http/wire/byte-collector.js';
import type { BodyTap } from './body-tap.js';
import { IdleTimeout } from './idle-timeout.js';

/** A body, or its start, that was read before it is passed on. */
export interface BufferedBody {
  readonly chunks: readonly Uint8Array[];
  /** Why reading stopped: the end of the body, too many bytes, no byte for too long, or a broken connection. */
  readonly stop: 'end' | 'limit' | 'idle' | 'cut-off';
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
  return { chunks: bytes === null ? [] : [bytes], stop: 'end' };
}

/** Reads a body until its end or until the limit is exceeded; in that case, the rest is still in the stream. */
export function bufferBody(
  message: IncomingMessage,
  tap: BodyTap,
  { limit, patience }: BufferLimits,
): Promise<BufferedBody> {
  return new Promise((resolve) => {
    const chunks = new ByteCollector();
    const watch = new IdleTimeout(patience, () => release('idle'));
    const release = (stop: BufferedBody['stop']): void => {
      watch.stop();
      message.pause();
      message.off('data', add).off('end', end).off('close', cutOff);
      resolve({ chunks: chunks.parts(), stop });
    };
    const add = (chunk: Uint8Array): void => {
      watch.touch();
      chunks.add(chunk);
      tap.add(chunk);
      if (tap.size > limit) release('limit');
    };
    const end = (): void => {
      tap.end();
      release('end');
    };
    const cutOff = (): void => release('cut-off');
    if (message.destroyed && !message.readableEnded) cutOff();
    else message.on('data', add).on('end', end).on('close', cutOff);
  });
}
