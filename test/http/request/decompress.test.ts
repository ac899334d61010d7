import * as zlib from 'node:zlib';

import { describe, expect, test } from 'vitest';

import { decompressBody } from '../../../http/request/decompress.js';

const TEXT = Buffer.from('Babička '.repeat(50));
const LIMIT = 10_000;
const { zstdCompressSync } = zlib as { readonly zstdCompressSync?: typeof zlib.gzipSync };

describe('the content encodings of a body', () => {
  test.each([
    ['gzip', zlib.gzipSync(TEXT)],
    ['deflate', zlib.deflateSync(TEXT)],
    ['br', zlib.brotliCompressSync(TEXT)],
    ['deflate, gzip', zlib.gzipSync(zlib.deflateSync(TEXT))],
    ['identity', TEXT],
  ])('the content encoding %s of a body is decoded', async (encodings, bytes) => {
    expect(Buffer.from(await decompressBody(bytes, encodings, LIMIT))).toEqual(TEXT);
  });

  test.skipIf(zstdCompressSync === undefined)('zstd is decoded up to the limit if Node supports it', async () => {
    const bytes = zstdCompressSync?.(TEXT) ?? TEXT;
    expect(Buffer.from(await decompressBody(bytes, 'zstd', LIMIT))).toEqual(TEXT);
    await expect(decompressBody(bytes, 'zstd', 100)).rejects.toMatchObject({ status: 413 });
  });

  test.skipIf(zstdCompressSync !== undefined)('zstd is refused if Node does not support it', async () => {
    await expect(decompressBody(TEXT, 'zstd', LIMIT)).rejects.toThrow('must be one of gzip, deflate, br, identity.');
  });

  test('refuses bodies beyond the limit, broken ones and unknown encodings', async () => {
    await expect(decompressBody(zlib.gzipSync(TEXT), 'gzip', 100)).rejects.toMatchObject({ status: 413 });
    await expect(decompressBody(TEXT, 'gzip', LIMIT)).rejects.toMatchObject({ status: 400 });
    await expect(decompressBody(TEXT, 'lzma', LIMIT)).rejects.toMatchObject({ status: 415 });
  });
});
