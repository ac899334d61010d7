import type { BodyWriter } from './context.js';

/** A JSON body. */
export const writeJson: BodyWriter = (body, mediaType) => [JSON.stringify(body), mediaType];
