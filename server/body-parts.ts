import { HttpError } from '../http/http-error.js';
import { parseMediaType } from '../runtime/parsed-media-type.js';
import { DecodeError } from '../runtime/decode-error.js';
import { splitMultipart } from '../runtime/multipart.js';

/** A part of a multipart body. */
export interface BodyPart {
  readonly contentType: string | undefined;
  readonly bytes: Uint8Array;
}

/** Returns the parts of a multipart body in their order. @throws HttpError 400 for an invalid body */
export function readParts(bytes: Uint8Array, contentType: string): readonly BodyPart[] {
  try {
    const boundary = parseMediaType(contentType)?.parameters.get('boundary');
    return splitMultipart(bytes, boundary).map((part) => ({
      contentType: part.headers.get('content-type'),
      bytes: part.bytes,
    }));
  } catch (error) {
    if (!(error instanceof DecodeError)) throw error;
    const violation = { in: 'body', pointer: '', message: error.message } as const;
    throw new HttpError(400, 'The body cannot be read.', { violations: [violation] });
  }
}
