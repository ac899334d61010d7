import { promisify } from 'node:util';
import * as zlib from 'node:zlib';

import { HttpError } from '../http-error.js';

type Expand = (bytes: Uint8Array, limit: number) => Promise<Uint8Array>;

const [gunzipBytes, inflateBytes, inflateRawBytes, brotliBytes] = [
  promisify(zlib.gunzip),
  promisify(zlib.inflate),
  promisify(zlib.inflateRaw),
  promisify(zlib.brotliDecompress),
];

/** Available since Node 22.15. */
const { zstdDecompress } = zlib as { readonly zstdDecompress?: typeof zlib.gunzip };

/** Reads `deflate`, which should be a zlib stream, but is a raw one from some clients. */
const inflateAny: Expand = (bytes, limit) => {
  const isZlib = ((bytes[0] ?? 0) & 0x0f) === 8 && (((bytes[0] ?? 0) << 8) + (bytes[1] ?? 0)) % 31 === 0;
  return (isZlib ? inflateBytes : inflateRawBytes)(bytes, { maxOutputLength: limit });
};

const gunzipAny: Expand = (bytes, limit) =>
  gunzipBytes(bytes, { maxOutputLength: limit, finishFlush: zlib.constants.Z_FINISH });

const EXPANDERS: ReadonlyMap<string, Expand> = new Map<string, Expand>([
  ['gzip', gunzipAny],
  ['x-gzip', gunzipAny],
  ['deflate', inflateAny],
  ['br', (bytes, limit) => brotliBytes(bytes, { maxOutputLength: limit })],
  ...(zstdDecompress === undefined ? [] : [['zstd', expandBy(promisify(zstdDecompress))] as const]),
  ['identity', (bytes) => Promise.resolve(bytes)],
]);

function expandBy(decompress: typeof gunzipBytes): Expand {
  return (bytes, limit) => decompress(bytes, { maxOutputLength: limit });
}

/** The codings that refusals list, without the old name `x-gzip`. */
const CODINGS = [...EXPANDERS.keys()].filter((name) => name !== 'x-gzip').join(', ');

/**
 * Decompresses a body.
 *
 * @param limit - the most bytes of the decompressed body.
 * @throws HttpError 415 if an encoding is unknown, 413 if the decompressed body is larger than the limit, 400 if it is
 *   broken.
 */
export async function decompressBody(bytes: Uint8Array, encodings: string, limit: number): Promise<Uint8Array> {
  const names = encodings
    .split(',')
    .map((name) => name.trim().toLowerCase())
    .filter((name) => name !== '');
  let body = bytes;
  // The last encoding was applied last. More than four are an attack.
  for (const name of names.slice(-4).toReversed()) {
    const expand = EXPANDERS.get(name);
    if (expand === undefined || names.length > 4) throw refuse(415, `must be one of ${CODINGS}`);
    body = await expandOnce(expand, body, limit);
  }
  return body;
}

async function expandOnce(expand: Expand, bytes: Uint8Array, limit: number): Promise<Uint8Array> {
  try {
    return await expand(bytes, limit);
  } catch (error) {
    const code = (error as { code?: unknown }).code;
    if (code === 'ERR_BUFFER_TOO_LARGE' || code === 'ERR_OUT_OF_RANGE')
      throw new HttpError(413, `The decompressed body is larger than ${limit} bytes.`);
    throw refuse(400, 'must describe the body, which cannot be decompressed');
  }
}

function refuse(status: number, message: string): HttpError {
  return new HttpError(status, `Content-Encoding ${message}.`, {
    violations: [{ in: 'header', pointer: '/content-encoding', message }],
  });
}
