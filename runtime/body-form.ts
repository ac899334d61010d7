import type { BodyWriter } from './context.js';
import { type PairWriter, writePairs, type Writers } from './serialize.js';

/** A body of type `application/x-www-form-urlencoded`. */
export function writeFormBody(body: unknown, mediaType: string, writers?: Writers<PairWriter>): ReturnType<BodyWriter> {
  return [writePairs(body, writers).join('&'), mediaType];
}
