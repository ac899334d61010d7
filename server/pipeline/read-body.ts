import type { MockRequest } from '../../http/messages.js';
import { decompressBody } from '../../http/request/decompress.js';
import { headerText } from './exchange.js';
import { tooLarge } from '../../http/wire/request-body.js';

/** The body of a request, without its content encodings. @throws HttpError 413, 415 or 400 */
export async function readBody(request: MockRequest, limit: number): Promise<Uint8Array> {
  const { headers } = request;
  const announced = headers['content-length'];
  if (announced !== undefined && Number(announced) > limit) throw tooLarge(limit);
  const bytes = await request.bytes(limit);
  if (bytes.length > limit) throw tooLarge(limit);
  const encodings = headerText(request, 'content-encoding');
  return encodings === undefined || bytes.length === 0 ? bytes : await decompressBody(bytes, encodings, limit);
}

/** Over HTTP/1.1 a body is announced by one of two headers. */
export function mayHaveBody({ headers }: MockRequest): boolean {
  return headers['content-length'] !== undefined || headers['transfer-encoding'] !== undefined;
}
