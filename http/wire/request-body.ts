import { ByteCollector } from './byte-collector.js';
import { HttpError } from '../http-error.js';
import type { MockRequest } from '../messages.js';

const NOTHING = new Uint8Array();

/** Creates the readers of a body, as bytes or as a stream. Bytes can be read again. */
export function createBodySource(
  open: () => AsyncIterable<Uint8Array> | undefined,
): Pick<MockRequest, 'bytes' | 'stream'> {
  let known: Promise<Uint8Array> | undefined;
  return {
    bytes: (limit) => (known ??= readAll(open(), limit)),
    stream: () => (known === undefined ? (open() ?? createStream(Promise.resolve(NOTHING))) : createStream(known)),
  };
}

export function createWholeBody(bytes: Uint8Array): Pick<MockRequest, 'bytes' | 'stream'> {
  const known = Promise.resolve(bytes);
  return { bytes: () => known, stream: () => createStream(known) };
}

/** Streams bytes as one chunk. */
export async function* createStream(bytes: Promise<Uint8Array>): AsyncIterable<Uint8Array> {
  yield await bytes;
}

async function readAll(
  chunks: AsyncIterable<Uint8Array> | undefined,
  limit = Number.POSITIVE_INFINITY,
): Promise<Uint8Array> {
  if (chunks === undefined) return NOTHING;
  const all = new ByteCollector();
  for await (const chunk of chunks) {
    if (all.size + chunk.length > limit) throw tooLarge(limit);
    all.add(chunk);
  }
  return all.joined();
}

export function tooLarge(limit: number): HttpError {
  return new HttpError(413, `The body is larger than ${limit} bytes.`, { headers: { connection: 'close' } });
}
