import type { IncomingMessage } from 'node:http';

import { tooLarge } from '../pipeline/read-body.js';

/** Reads a request of Node whole. By its events, which costs a third of what reading it as an iterable does. */
export function readIncoming(request: IncomingMessage, limit: number = Number.POSITIVE_INFINITY): Promise<Uint8Array> {
  return new Promise((resolve, reject) => {
    const parts: Uint8Array[] = [];
    let size = 0;
    request.on('data', (chunk: Uint8Array) => {
      size += chunk.length;
      if (size > limit) {
        request.pause();
        request.removeAllListeners('data');
        reject(tooLarge(limit));
      } else parts.push(chunk);
    });
    request.on('end', () => resolve(parts.length === 1 && parts[0] !== undefined ? parts[0] : Buffer.concat(parts)));
    request.on('error', reject);
    // An error is dear, and every request closes.
    request.on('close', () => {
      if (!request.complete) reject(new Error('The client went away before its request was whole.'));
    });
  });
}
