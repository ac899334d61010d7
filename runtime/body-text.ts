import type { BodyWriter } from './context.js';
import { toText } from './serialize.js';

/** A body of text. */
export const writeText: BodyWriter = (body, mediaType) => {
  if (typeof body === 'object') throw new TypeError(`A body of type ${mediaType} is to be a string.`);
  return [toText(body), mediaType];
};
