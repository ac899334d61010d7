import type { Encoding, Parameter } from '../../../model/api.js';
import {
  type PairWriter,
  type TextWriter,
  writeCookie,
  writeCookieJoined,
  writeDeepObject,
  writeForm,
  writeFormJoined,
  writeLabel,
  writeLabelExploded,
  writeMatrix,
  writeMatrixExploded,
  writePipeDelimited,
  writeSimple,
  writeSimpleExploded,
  writeSpaceDelimited,
  writeTabDelimited,
} from '../../../runtime/serialize.js';
import { stringifyExactJson } from '../../../runtime/json-integers.js';
import { kindOf } from './media.js';

type Style = Pick<Parameter, 'name' | 'style' | 'explode'>;

/** By style: the writers of values that are not exploded, and of values that are. */
const FIELD_WRITERS: Readonly<Record<string, readonly [PairWriter, PairWriter]>> = {
  spaceDelimited: [writeSpaceDelimited, writeForm],
  pipeDelimited: [writePipeDelimited, writeForm],
  tabDelimited: [writeTabDelimited, writeForm],
  deepObject: [writeDeepObject, writeDeepObject],
  cookie: [writeCookieJoined, writeCookie],
};

const PATH_WRITERS: Readonly<Record<string, readonly [TextWriter, TextWriter]>> = {
  label: [writeLabel, writeLabelExploded],
  matrix: [writeMatrix, writeMatrixExploded],
};

/** A scalar as text of a parameter. */
export function scalarText(value: unknown): string {
  if (value === null) return 'null';
  if (typeof value === 'object') return stringifyExactJson(value);
  return typeof value === 'string' ? value : `${value as number | bigint | boolean}`;
}

/** A path parameter, with the prefix of its style. */
export function writePathParameter({ name, style, explode }: Style, value: unknown): string {
  const [joined, exploded] = PATH_WRITERS[style] ?? [writeSimple, writeSimpleExploded];
  return (explode ? exploded : joined)(name, toTexts(value, style));
}

/** A header, or any unescaped text in the simple style. */
export function writeHeader({ name, explode }: Pick<Style, 'name' | 'explode'>, value: unknown): string {
  return (explode ? writeSimpleExploded : writeSimple)(name, toTexts(value), (text) => text);
}

/** The fields of a query, a form or a cookie as `name=value`, with both escaped. */
export function writeFields({ name, style, explode }: Style, value: unknown): string[] {
  const [joined, exploded] = FIELD_WRITERS[style] ?? [writeFormJoined, writeForm];
  return (explode ? exploded : joined)(name, toTexts(value, style));
}

/** The whole query as one document (OpenAPI 3.2): a form, JSON or text. */
export function writeQuerystring({ mediaType = '', encoding }: Parameter, value: unknown): string {
  const kind = kindOf(mediaType);
  if (kind !== 'form') return encodeURIComponent(kind === 'json' ? stringifyExactJson(value) : scalarText(value));
  const members = typeof value === 'object' && value !== null ? Object.entries(value) : [];
  return members
    .flatMap(([name, member]) => {
      const how = encoding?.get(name);
      const isJson = how?.contentType !== undefined && kindOf(how.contentType) === 'json';
      return writeFields(formStyle(name, how), isJson ? stringifyExactJson(member) : member);
    })
    .join('&');
}

/** The style of a form member; `form`, exploded, unless the spec says otherwise. */
export function formStyle(name: string, encoding: Encoding | undefined): Style {
  return { name, style: encoding?.style ?? 'form', explode: encoding?.explode ?? true };
}

/**
 * Whether a value can be written as a parameter and read back. An empty list cannot, and only `deepObject` defines how
 * nested lists and objects are written.
 */
export function hasForm({ style, mediaType }: Parameter, value: unknown): boolean {
  if (mediaType !== undefined || typeof value !== 'object' || value === null) return true;
  const inner: unknown[] = Object.values(value);
  if (inner.length === 0) return false;
  return style === 'deepObject' || inner.every((one) => typeof one !== 'object' || one === null);
}

/** Converts a value to text, including `null`, which clients leave out. */
function toTexts(value: unknown, style?: string): unknown {
  const text = (one: unknown): string => (style === 'cookie' ? escapeCookie(scalarText(one)) : scalarText(one));
  if (typeof value !== 'object' || value === null) return text(value);
  const write = (one: unknown): unknown => (style === 'deepObject' ? toTexts(one, style) : text(one));
  if (Array.isArray(value)) return value.map(write);
  return Object.fromEntries(Object.entries(value).map(([name, member]) => [name, write(member)]));
}

/** Cookies of style `cookie` are not percent-encoded, except for characters that would end them. */
function escapeCookie(text: string): string {
  return text.replace(/[^!#-+\--:<-[\]-~]/gu, encodeURIComponent);
}
