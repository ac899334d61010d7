import { mediaKind } from '../runtime/media-type.js';
import type { Encoding, Parameter } from './api.js';

/** Functions of `runtime/serialize.ts` that write `name=value` pairs. */
export type PairWriterName =
  | 'writeForm'
  | 'writeFormJoined'
  | 'writeSpaceDelimited'
  | 'writePipeDelimited'
  | 'writeTabDelimited'
  | 'writeDeepObject'
  | 'writeCookie'
  | 'writeCookieJoined'
  | 'writeJsonPair';

/** Functions of `runtime/serialize.ts` that write text in a path or a header. */
export type TextWriterName =
  | 'writeSimple'
  | 'writeSimpleExploded'
  | 'writeLabel'
  | 'writeLabelExploded'
  | 'writeMatrix'
  | 'writeMatrixExploded'
  | 'writeJsonText';

/** Functions of `runtime/serialize.ts` that encode values with `allowReserved`. */
export type EncoderName = 'encodeReserved' | 'encodeReservedInCookie' | 'encodeReservedInPath';

/** By style: the writer without `explode`, and the writer with it. */
const PAIRS: Readonly<Record<string, readonly [PairWriterName, PairWriterName]>> = {
  form: ['writeFormJoined', 'writeForm'],
  spaceDelimited: ['writeSpaceDelimited', 'writeForm'],
  pipeDelimited: ['writePipeDelimited', 'writeForm'],
  tabDelimited: ['writeTabDelimited', 'writeForm'],
  deepObject: ['writeDeepObject', 'writeDeepObject'],
  cookie: ['writeCookieJoined', 'writeCookie'],
};

const TEXTS: Readonly<Record<string, readonly [TextWriterName, TextWriterName]>> = {
  simple: ['writeSimple', 'writeSimpleExploded'],
  label: ['writeLabel', 'writeLabelExploded'],
  matrix: ['writeMatrix', 'writeMatrixExploded'],
};

type Described = Pick<Parameter, 'style' | 'explode' | 'mediaType'>;

/** The writer of a query parameter or a cookie. */
export function pairWriterOf({ style, explode, mediaType }: Described): PairWriterName {
  if (mediaType !== undefined) return mediaKind(mediaType) === 'json' ? 'writeJsonPair' : 'writeForm';
  return (PAIRS[style] ?? PAIRS['form']!)[explode ? 1 : 0];
}

/** The writer of a member of a form. Its content type matters only if it is JSON. */
export function fieldWriterOf({ style, explode, contentType = '' }: Partial<Encoding>): PairWriterName {
  if (mediaKind(contentType) === 'json') return 'writeJsonPair';
  return pairWriterOf({ style: style ?? 'form', explode: explode ?? true });
}

/** The writer of a path parameter or a header. */
export function textWriterOf({
  in: location,
  style,
  explode,
  mediaType,
}: Described & Pick<Parameter, 'in'>): TextWriterName {
  if (mediaType !== undefined) return mediaKind(mediaType) === 'json' ? 'writeJsonText' : 'writeSimple';
  return ((location === 'path' ? TEXTS[style] : undefined) ?? TEXTS['simple']!)[explode ? 1 : 0];
}

const ENCODERS: Readonly<Partial<Record<Parameter['in'], EncoderName>>> = {
  path: 'encodeReservedInPath',
  query: 'encodeReserved',
  cookie: 'encodeReservedInCookie',
};

/** The function that encodes the values of a parameter, unless it is the default one. */
export function encoderOf({
  in: location,
  allowReserved,
  style,
}: Pick<Parameter, 'in' | 'allowReserved' | 'style'>): EncoderName | undefined {
  return allowReserved && style !== 'cookie' ? ENCODERS[location] : undefined;
}
