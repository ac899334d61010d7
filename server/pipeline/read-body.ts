import { type MockRequest, readHeader } from '../../http/messages.js';
import { decompressBody } from '../../http/request/decompress.js';
import { tooLarge } from '../../http/wire/request-body.js';

/** A compressed body below a megabyte takes no longer to read than one that is sent as it is. Bytes. */
const SMALL = 1_000_000;
const MOST_EXPANDED = 2_000_000;

/** The body of a request, without its content encodings. @throws HttpError 413, 415 or 400 */
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

/** Over HTTP/1.1 a body is announced by one of two headers. */
export function mayHaveBody({ headers }: MockRequest): boolean {
  return headers['content-length'] !== undefined || headers['transfer-encoding'] !== undefined;
}
