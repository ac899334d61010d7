import type { BodyWriter } from './context.js';

/** A body of bytes: Blob, ArrayBuffer, typed array, stream or text. For a range such as `image/*` the Blob's own type counts. */
export const writeBinary: BodyWriter = (body, mediaType) => {
  const range = mediaType.includes('*');
  const own = body instanceof Blob && body.type !== '' ? body.type : 'application/octet-stream';
  return [body as BodyInit, range ? own : mediaType];
};
