import { promisify } from 'node:util';
import { brotliCompress, constants, gzip } from 'node:zlib';

import { parseMediaType, isTextKind, kindOf } from '../../runtime/parsed-media-type.js';
import { type HeaderMap, type MockResponse, readHeader } from '../messages.js';

/** How strongly responses are compressed. */
export type CompressionLevel = 'optimal' | 'fastest' | 'none';

const CODINGS = ['br', 'gzip'] as const;
type Coding = (typeof CODINGS)[number];

const runGzip = promisify(gzip);
const runBrotli = promisify(brotliCompress);

/** Higher qualities of Brotli take seconds instead of milliseconds. */
const BROTLI_QUALITY = { optimal: 5, fastest: 1 } as const;
const GZIP_LEVEL = { optimal: 6, fastest: 1 } as const;

/** Compresses a response in an encoding that the client accepts. Streams and binary bodies are not compressed. */
export async function compressResponse(
  response: MockResponse,
  requestHeaders: HeaderMap,
  level: CompressionLevel,
): Promise<MockResponse> {
  const { headers, body } = response;
  if (level === 'none' || body === undefined || !isCompressible(headers)) return response;
  const bytes = body.kind === 'text' ? Buffer.from(body.text) : body.kind === 'bytes' ? body.bytes : undefined;
  if (bytes === undefined || bytes.length === 0) return response;
  const varied: HeaderMap = { ...headers, vary: [headers['vary'] ?? [], 'Accept-Encoding'].flat().join(', ') };
  const coding = chooseCoding(readHeader({ headers: requestHeaders }, 'accept-encoding') ?? '');
  if (coding === undefined) return { ...response, headers: varied };
  const compressed = await compress(bytes, coding, level);
  const { 'content-length': _length, ...rest } = varied;
  return { ...response, headers: { ...rest, 'content-encoding': coding }, body: { kind: 'bytes', bytes: compressed } };
}

function isCompressible(headers: HeaderMap): boolean {
  if (headers['content-encoding'] !== undefined) return false;
  const type = parseMediaType(readHeader({ headers }, 'content-type') ?? '');
  return type !== undefined && isTextKind(kindOf(type));
}

/** Returns the coding with the greatest weight (RFC 9110, section 12.5.3); without the header, `undefined`. */
function chooseCoding(accept: string): Coding | undefined {
  const weights = new Map(
    accept.split(',').map((part) => {
      const [name = '', ...parameters] = part.split(';').map((text) => text.trim().toLowerCase());
      const q = parameters.find((parameter) => parameter.startsWith('q='));
      const weight = q === undefined ? 1 : Number(q.slice(2));
      return [name, Number.isFinite(weight) ? weight : 0] as const;
    }),
  );
  const weightOf = (coding: Coding): number => weights.get(coding) ?? weights.get('*') ?? 0;
  const best = Math.max(...CODINGS.map(weightOf));
  return best > 0 ? CODINGS.find((coding) => weightOf(coding) === best) : undefined;
}

function compress(bytes: Uint8Array, coding: Coding, level: 'optimal' | 'fastest'): Promise<Buffer> {
  if (coding === 'gzip') return runGzip(bytes, { level: GZIP_LEVEL[level] });
  return runBrotli(bytes, { params: { [constants.BROTLI_PARAM_QUALITY]: BROTLI_QUALITY[level] } });
}
