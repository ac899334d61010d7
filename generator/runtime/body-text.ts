import type { BodyWriter } from './context.js';

/** A body of text. */
export const writeText: BodyWriter = (body, mediaType) => {
  if (typeof body === 'object') throw new TypeError(`A body of type ${mediaType} is to be a string.`);
  return [String(body), mediaType];
};
