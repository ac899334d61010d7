import { type MockRequest, readHeader } from '../../http/messages.js';
import { decompressBody } from '../../http/request/decompress.js';
import { tooLarge } from '../../http/wire/request-body.js';

/** Up to this many bytes, a compressed body is as fast to read as an uncompressed one. */
const SMALL = 1_000_000;
const MOST_EXPANDED = 2_000_000;

/** Reads the body of a request and decompresses it. @throws HttpError 413, 415 or 400 */
export async function readBody(request: MockRequest, limit: number): Promise<Uint8Array> {
  const { headers } = request;
  const announced = headers['content-length'];
  if (announced !== undefined && Number(announced) > limit) throw tooLarge(limit);
  const bytes = await request.bytes(limit);
  if (bytes.length > limit) throw tooLarge(limit);
  const encodings = readHeader(request, 'content-encoding');
  if (encodings === undefined || bytes.length === 0) return bytes;
  const mostExpanded = bytes.length < SMALL ? Math.min(limit, MOST_EXPANDED) : limit;
  return await decompressBody(bytes, encodings, mostExpanded);
}

/** Whether one of the two headers announces a body (HTTP/1.1). */
export function mayHaveBody({ headers }: MockRequest): boolean {
  return headers['content-length'] !== undefined || headers['transfer-encoding'] !== undefined;
}
