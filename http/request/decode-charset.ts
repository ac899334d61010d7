import { DecodeError } from './decode-error.js';

const utf8 = new TextDecoder('utf-8', { fatal: true });
const NAMES: ReadonlySet<string> = new Set(['utf-8', 'utf8', 'us-ascii', 'ascii']);

/** Decodes bytes to text. @throws DecodeError with status 415 if the charset is unknown */
export function decodeCharset(bytes: Uint8Array, charset: string | undefined): string {
  const decoder = charset === undefined || NAMES.has(charset.toLowerCase()) ? utf8 : createDecoder(charset);
  try {
    return decoder.decode(bytes);
  } catch {
    throw new DecodeError(`must be ${charset ?? 'UTF-8'} text`);
  }
}

function createDecoder(charset: string): TextDecoder {
  try {
    return new TextDecoder(charset, { fatal: true });
  } catch {
    throw new DecodeError('must name a known charset', '/content-type', 415);
  }
}
