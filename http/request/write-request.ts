import type { Encoding, Operation, Parameter } from '../../model/api.js';
import { mapRecord, setMember } from '../../model/document/records.js';
import { encoderOf, fieldWriterOf, pairWriterOf, textWriterOf } from '../../model/parameter-writer.js';
import { stringifyExactJson } from '../../runtime/json-integers.js';
import { mediaKind, mediaTypeEssence } from '../../runtime/media-type.js';
import {
  type Encode,
  encode,
  encodeReserved,
  encodeReservedInCookie,
  encodeReservedInPath,
  toText,
  writeCookie,
  writeCookieJoined,
  writeDeepObject,
  writeForm,
  writeFormJoined,
  writeJsonPair,
  writeJsonText,
  writeLabel,
  writeLabelExploded,
  writeMatrix,
  writeMatrixExploded,
  writePipeDelimited,
  writeSimple,
  writeSimpleExploded,
  writeSpaceDelimited,
  writeTabDelimited,
} from '../../runtime/serialize.js';

const ENCODERS = { encodeReserved, encodeReservedInCookie, encodeReservedInPath } as const;
const TEXT_WRITERS = {
  writeJsonText,
  writeLabel,
  writeLabelExploded,
  writeMatrix,
  writeMatrixExploded,
  writeSimple,
  writeSimpleExploded,
} as const;
const PAIR_WRITERS = {
  writeCookie,
  writeCookieJoined,
  writeDeepObject,
  writeForm,
  writeFormJoined,
  writeJsonPair,
  writePipeDelimited,
  writeSpaceDelimited,
  writeTabDelimited,
} as const;

/** What decides how a member of a form is written. */
export type FieldEncoding = Pick<Encoding, 'style' | 'explode' | 'allowReserved' | 'contentType'>;

/** What decides how a parameter is written. */
export interface WrittenParameter extends Pick<
  Parameter,
  'name' | 'in' | 'style' | 'explode' | 'allowReserved' | 'mediaType'
> {
  readonly encoding?: ReadonlyMap<string, FieldEncoding>;
}

/** The parameters of a request as they are sent, with everything encoded that must be. */
export interface WrittenRequest {
  readonly path: string;
  /** `name=value`, or the whole query. */
  readonly query: readonly string[];
  readonly headers: Readonly<Record<string, string>>;
  /** `name=value`. */
  readonly cookies: readonly string[];
}

/** A value that no request can carry, such as an empty path parameter. */
export class UnsendableError extends TypeError {
  override readonly name: string = 'UnsendableError';
}

/**
 * Writes the parameters of a request. `read-request.ts` is the inverse: it reads the values that were written, and so
 * `null` is written as the text that it reads as `null`. Generated clients write the same with `runtime/serialize.ts`.
 *
 * @throws UnsendableError if the path has no value for a parameter, or would lead to another route.
 * @throws TypeError if a cookie contains a character that ends it.
 */
export function writeRequest(
  { path }: Pick<Operation, 'path'>,
  values: Iterable<readonly [WrittenParameter, unknown]>,
): WrittenRequest {
  const segments = new Map<string, string>();
  const query: string[] = [];
  const cookies: string[] = [];
  const headers: Record<string, string> = {};
  for (const [parameter, value] of values) {
    if (parameter.in === 'path') segments.set(parameter.name, writeText(parameter, value));
    else if (parameter.in === 'header') setMember(headers, parameter.name, writeText(parameter, value));
    else if (parameter.in === 'querystring') query.push(writeQuerystring(parameter, value));
    else (parameter.in === 'query' ? query : cookies).push(...writePairs(parameter, value));
  }
  return { path: fillPath(path, segments), query: query.filter((text) => text !== ''), headers, cookies };
}

function fillPath(template: string, values: ReadonlyMap<string, string>): string {
  const path = template.replaceAll(/\{([^{}]+)\}/g, (_, name: string) => {
    const text = values.get(name) ?? '';
    if (text === '') throw new UnsendableError(`The path parameter ${name} needs a value.`);
    return text;
  });
  // '.' and '..' select another path, even percent-encoded.
  if (/\/(?:\.|%2e){1,2}(?=\/|$)/i.test(path))
    throw new UnsendableError(`The path must not have "." or ".." as a segment.`);
  return path;
}

function writeText(parameter: WrittenParameter, value: unknown): string {
  const { name, in: location, style, mediaType } = parameter;
  const encoder = location === 'header' ? String : encoderFor(parameter);
  if (mediaType !== undefined) return writeSimple(name, documentText(mediaType, value), encoder);
  return TEXT_WRITERS[textWriterOf(parameter)](name, toTexts(value, style), encoder);
}

function writePairs(parameter: WrittenParameter, value: unknown): string[] {
  const { name, style, mediaType } = parameter;
  const encoder = encoderFor(parameter);
  if (mediaType !== undefined) return writeForm(name, documentText(mediaType, value), encoder);
  return PAIR_WRITERS[pairWriterOf(parameter)](name, toTexts(value, style), encoder);
}

function encoderFor(parameter: WrittenParameter): Encode | undefined {
  const name = encoderOf(parameter);
  return name === undefined ? undefined : ENCODERS[name];
}

/** Writes the whole query as one document (OpenAPI 3.2): a form, JSON or text. */
function writeQuerystring({ mediaType = '', encoding = new Map() }: WrittenParameter, value: unknown): string {
  if (mediaKind(mediaType) === 'form') return writeFormText(encoding, value);
  return encode(documentText(mediaType, value));
}

/** Whether a body is an object that is written as a form. */
export function isForm(mediaType: string): boolean {
  return mediaKind(mediaType) === 'form' || mediaTypeEssence(mediaType) === 'multipart/form-data';
}

/** Writes an object as `application/x-www-form-urlencoded`. */
export function writeFormText(encoding: ReadonlyMap<string, FieldEncoding>, value: unknown): string {
  const members: [string, unknown][] = typeof value === 'object' ? Object.entries(value ?? {}) : [];
  return members.flatMap(([name, member]) => writeField(name, member, encoding.get(name))).join('&');
}

function writeField(name: string, value: unknown, how: Partial<FieldEncoding> = {}): string[] {
  const encoder = how.allowReserved === true ? encodeReserved : undefined;
  if (mediaKind(how.contentType ?? '') === 'json') return writeForm(name, stringifyExactJson(value), encoder);
  return PAIR_WRITERS[fieldWriterOf(how)](name, toTexts(value, how.style), encoder);
}

function documentText(mediaType: string, value: unknown): string {
  return mediaKind(mediaType) === 'json' ? stringifyExactJson(value) : scalarText(value);
}

/** A scalar as text of a parameter, anything else as JSON. */
export function scalarText(value: unknown): string {
  return typeof value === 'object' ? stringifyExactJson(value) : toText(value);
}

/** Turns the scalars of a value into texts. Only `deepObject` writes nested lists and objects in its own way. */
function toTexts(value: unknown, style: string | undefined, isNested = false): unknown {
  if (value === undefined) return undefined;
  if (typeof value !== 'object' || value === null || (isNested && style !== 'deepObject')) return scalarText(value);
  if (Array.isArray(value)) return value.map((item) => toTexts(item, style, true));
  return mapRecord(value as Record<string, unknown>, (member) => toTexts(member, style, true));
}

/**
 * Whether a value can be written as a parameter and read back. An empty list cannot, nor a list of one empty text that is
 * written as one value, and only `deepObject` defines how nested lists and objects are written.
 */
export function hasForm({ style, explode, mediaType }: WrittenParameter, value: unknown): boolean {
  if (mediaType !== undefined || typeof value !== 'object' || value === null) return true;
  const inner: unknown[] = Object.values(value);
  if (inner.length === 0 || (inner.length === 1 && inner[0] === '' && !explode && Array.isArray(value))) return false;
  return style === 'deepObject' || inner.every((one) => typeof one !== 'object' || one === null);
}
