import { isSuccess, type HeaderMap, type ResponseMessage, type Violation } from '../messages.js';
import type { MediaKind } from '../../runtime/media-type.js';
import type { Header, Operation } from '../../model/api.js';
import type { ValidationError } from '../../schema/compile-validator.js';
import { findMediaType, kindOf, parseMediaType } from '../../runtime/parsed-media-type.js';
import { decodeCharset, decodeJson } from '../../runtime/decode-json.js';
import { DecodeError } from '../../runtime/decode-error.js';
import { readAllItems } from '../item-codec.js';
import { readXmlBody } from '../xml-body.js';
import type { ResponseHeader, ResponseMedia, ResponseSpec } from './response-spec.js';

export interface ResponseViolation {
  readonly part: 'status' | 'header' | 'content-type' | 'body' | 'schema';
  /** JSON pointer into `/status`, `/headers/<lower-case name>` or `/body`. */
  readonly pointer: string;
  readonly message: string;
  /** The documented header that is missing or wrong. */
  readonly header?: Header;
  /** The validator's error in a body or header. */
  readonly error?: ValidationError;
}

/** Headers that the server's own HTTP layer writes. */
const WRITTEN_BY_SERVER: ReadonlySet<string> = new Set([
  'content-length',
  'content-type',
  'date',
  'connection',
  'transfer-encoding',
  'keep-alive',
]);

/** Headers with a URI reference (RFC 9110, 8.7 and 10.2.2): the informal format `url` says no more than that. */
const MAY_BE_RELATIVE: ReadonlySet<string> = new Set(['location', 'content-location']);

export function toViolation({ pointer, message }: ResponseViolation): Violation {
  return { in: 'response', pointer, message };
}

/** Checks a response before it is written, except for the items of a stream, which `writeCheckedItems` checks. */
export function findResponseViolations(
  message: ResponseMessage,
  spec: ResponseSpec | undefined,
  { withBody }: { readonly withBody: boolean },
): Violation[] {
  if (spec === undefined) return [toViolation(undocumentedStatus(message.status))];
  const headers = findHeaderProblems(message.headers, spec);
  const body = withBody ? findMessageBodyProblems(message, spec) : [];
  return headers.length === 0 && body.length === 0 ? [] : [...headers, ...body].map(toViolation);
}

export function undocumentedStatus(status: number): ResponseViolation {
  return { part: 'status', pointer: '/status', message: `must be a documented status, and ${status} is not` };
}

/** Whether a status is a success and the spec documents no success at all, so that any success is allowed. */
export function isUndescribedSuccess({ responses }: Operation, status: number): boolean {
  return isSuccess({ status }) && responses.every((response) => /^[145]/.test(response.status));
}

/** Whether a response of this status may have a body (RFC 9110, section 6.4.1). */
export function mayStatusHaveBody(status: number): boolean {
  return status >= 200 && status !== 204 && status !== 205 && status !== 304;
}

export function findHeaderProblems(headers: HeaderMap, spec: ResponseSpec): readonly ResponseViolation[] {
  return spec.headers.length === 0 ? [] : spec.headers.flatMap((header) => checkHeader(header, headers));
}

function checkHeader({ header, name, required, check }: ResponseHeader, headers: HeaderMap): ResponseViolation[] {
  const value = headers[name];
  if (value === undefined) {
    if (!required || WRITTEN_BY_SERVER.has(name)) return [];
    return [{ part: 'header', pointer: '/headers', message: `must have required header '${name}'`, header }];
  }
  const texts = typeof value === 'string' ? [value] : value;
  return texts
    .flatMap(check)
    .filter(({ params }) => !MAY_BE_RELATIVE.has(name) || params['format'] !== 'url')
    .map((error) => ({ part: 'header', pointer: `/headers/${name}`, message: error.message, header, error }));
}

/** Returns the documented media type of a response; without `Content-Type`, the first one. */
export function findResponseMedia(headers: HeaderMap, { media }: ResponseSpec): ResponseMedia | undefined {
  const given = headers['content-type'];
  const parsed = typeof given === 'string' ? parseMediaType(given) : undefined;
  return parsed === undefined ? media[0] : findMediaType(media, parsed);
}

export function findContentTypeProblems(headers: HeaderMap, spec: ResponseSpec): readonly ResponseViolation[] {
  const given = headers['content-type'];
  if (given === undefined || spec.media.length === 0) return [];
  if (typeof given !== 'string' || parseMediaType(given) === undefined)
    return [contentTypeProblem('must be a media type')];
  return findResponseMedia(headers, spec) === undefined ? [contentTypeProblem('must be a documented media type')] : [];
}

function contentTypeProblem(message: string): ResponseViolation {
  return { part: 'content-type', pointer: '/headers/content-type', message };
}

/** Returns a violation if a body of this size must be absent or must not be empty. */
export function findPresenceProblems(
  headers: HeaderMap,
  spec: ResponseSpec,
  size: number,
): readonly ResponseViolation[] {
  const isDocumented = spec.response.content.length > 0;
  if (!isDocumented) return size > 0 ? [bodyProblem('must NOT be present')] : [];
  if (size === 0) return mayBeEmpty(headers, spec) ? [] : [bodyProblem('must be present')];
  const isAnyType = spec.media.some(({ parsed }) => parsed.essence === '*/*');
  return headers['content-type'] === undefined && !isAnyType ? [contentTypeProblem('must be present')] : [];
}

/** Whether a body may be empty: a text, a file or a stream may be, JSON may not. */
function mayBeEmpty(headers: HeaderMap, spec: ResponseSpec): boolean {
  if (findResponseMedia(headers, spec)?.items !== undefined) return true;
  const given = headers['content-type'];
  const parsed = typeof given === 'string' ? parseMediaType(given) : undefined;
  return parsed !== undefined && kindOf(parsed) !== 'json';
}

function bodyProblem(message: string): ResponseViolation {
  return { part: 'body', pointer: '/body', message };
}

function findMessageBodyProblems(
  { status, headers, body }: ResponseMessage,
  spec: ResponseSpec,
): readonly ResponseViolation[] {
  const isDocumented = spec.response.content.length > 0;
  if (body === undefined) return isDocumented && mayStatusHaveBody(status) ? [bodyProblem('must be present')] : [];
  if (!isDocumented) return [bodyProblem('must NOT be present')];
  const media = findResponseMedia(headers, spec);
  if (media === undefined) return [contentTypeProblem('must be a documented media type')];
  if (body.kind === 'json') return findValueProblems(body.value, media);
  return body.kind === 'text' ? findTextProblems(body.text, media, headers) : [];
}

/** Returns how a body is read. For a range such as `*\/*`, the sent type decides. */
function effectiveKind({ kind }: ResponseMedia, headers: HeaderMap): MediaKind {
  const given = headers['content-type'];
  const parsed = kind === 'any' && typeof given === 'string' ? parseMediaType(given) : undefined;
  return parsed === undefined ? kind : kindOf(parsed);
}

/** Whether a body can be validated beyond its type. Schemas of types such as YAML describe the represented value. */
export function isBodyDescribed(media: ResponseMedia, headers: HeaderMap): boolean {
  if (media.validate === undefined || media.items !== undefined) return false;
  const kind = effectiveKind(media, headers);
  return (
    kind === 'json' ||
    media.xml !== undefined ||
    media.parts !== undefined ||
    (kind === 'text' && typeof media.media.schema === 'object' && media.media.schema.type === 'string')
  );
}

/** Returns the violations of a received body. */
export function findContentProblems(
  bytes: Uint8Array,
  media: ResponseMedia,
  headers: HeaderMap,
): readonly ResponseViolation[] {
  if (!isBodyDescribed(media, headers)) return [];
  const { parts } = media;
  if (parts !== undefined)
    return decodeThen(() => findValueProblems(readAllItems(bytes, parts, parameterOf(headers, 'boundary')), media));
  const charset = parameterOf(headers, 'charset');
  return decodeThen(() => findTextProblems(decodeCharset(bytes, charset), media, headers));
}

function parameterOf(headers: HeaderMap, name: string): string | undefined {
  const type = headers['content-type'];
  return typeof type === 'string' ? parseMediaType(type)?.parameters.get(name) : undefined;
}

export function findTextProblems(text: string, media: ResponseMedia, headers: HeaderMap): readonly ResponseViolation[] {
  if (!isBodyDescribed(media, headers)) return [];
  if (media.parts !== undefined) return findContentProblems(new TextEncoder().encode(text), media, headers);
  const { xml } = media;
  if (xml !== undefined) return decodeThen(() => findValueProblems(readXmlBody(text, xml), media));
  if (effectiveKind(media, headers) !== 'json') return findValueProblems(text, media);
  return decodeThen(() => findValueProblems(decodeJson(text), media));
}

export function decodeThen(find: () => readonly ResponseViolation[]): readonly ResponseViolation[] {
  try {
    return find();
  } catch (error) {
    if (!(error instanceof DecodeError)) throw error;
    return error.pointer === '/content-type'
      ? [contentTypeProblem(error.message)]
      : [{ part: 'schema', pointer: '/body', message: error.message }];
  }
}

/** Returns the violations of a value: a body, or one item of a stream. */
export function findValueProblems(
  value: unknown,
  { validate }: Pick<ResponseMedia, 'validate'>,
): readonly ResponseViolation[] {
  if (validate === undefined) return [];
  const errors = validate(value);
  if (errors.length === 0) return [];
  return errors.map((error) => ({ part: 'schema', pointer: `/body${error.pointer}`, message: error.message, error }));
}
