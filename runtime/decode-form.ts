import { coerceText } from './coerce-text.js';
import { decodeCharset, decodeJson } from './decode-json.js';
import { DecodeError } from './decode-error.js';
import { createFieldDecoder, type DecodeField } from './field-decoder.js';
import { decodeFormText, type Fields, parseFields } from './fields.js';
import { kindOf, type ParsedMediaType, parseMediaType } from './parsed-media-type.js';
import { charsetOf, type FormPart, parseMultipart } from './multipart.js';
import { appendPointer } from './pointer.js';
import { setMember } from './json-integers.js';
import type { ValueStyle } from './text-decoder.js';
import type { DecodeHints } from './text-shape.js';

/** How a member of a form is encoded. */
export interface FieldEncoding {
  readonly contentType?: string;
  readonly style: ValueStyle;
  readonly explode: boolean;
  /** For a part that is itself a form. */
  readonly nested?: { readonly encoding: Encodings };
}

/** Encodings by member name. */
export type Encodings = ReadonlyMap<string, FieldEncoding>;

/** Decodes the body of a form. Created once for each media type. @throws DecodeError */
export type DecodeForm = (
  bytes: Uint8Array,
  contentType: { readonly charset: string | undefined; readonly boundary: string | undefined },
) => unknown;

/** Reads a part that is XML or itself a list of parts. @throws DecodeError */
export type PartReader = (bytes: Uint8Array, contentType: string | undefined) => unknown;

const ANY_CASE = { anyCase: true } as const;

/** Creates a decoder of `application/x-www-form-urlencoded` from the schema and the encodings in the spec. */
export function createUrlencodedDecoder(
  { encoding }: { readonly encoding: Encodings },
  shape: DecodeHints,
): DecodeForm {
  const described = new Map([...shape.names].map((name) => [name, createMemberDecoder(name, encoding, shape)]));
  return (bytes, { charset }) => {
    const fields = parseFields(decodeCharset(bytes, charset));
    const out: Record<string, unknown> = {};
    for (const [name, decode] of described) {
      const value = locate(name, () => decode(fields));
      if (value !== undefined) setMember(out, name, value);
    }
    addOthers(out, { fields, shape });
    return out;
  };
}

function createMemberDecoder(name: string, encodings: Encodings, shape: DecodeHints): DecodeField {
  const encoding = encodings.get(name);
  const member = shape.member(name);
  if (encoding?.contentType !== undefined && isJson(encoding.contentType)) {
    return (fields) => {
      const raw = fields.get(name)?.at(-1);
      return raw === undefined ? undefined : decodeJson(decodeFormText(raw));
    };
  }
  const rule = { name, shape: member, allowEmptyValue: false, taken: shape.names, decode: decodeFormText };
  // Without an encoding, lists repeat their name, and objects are JSON or use brackets, which `deepObject` reads too.
  const objects = member.types.has('object') || member.types.has('array');
  const style = encoding?.style ?? 'form';
  const decode = createFieldDecoder({
    ...rule,
    style: encoding === undefined && member.types.has('object') ? 'deepObject' : style,
    explode: encoding?.explode ?? true,
  });
  if (!objects || style !== 'form') return decode;
  const deep = createFieldDecoder({ ...rule, style: 'deepObject', explode: true });
  return (fields) => decode(fields) ?? deep(fields);
}

/** Adds members that the spec does not name; their schema may still give their type. */
function addOthers(
  out: Record<string, unknown>,
  { fields, shape }: { readonly fields: Fields; readonly shape: DecodeHints },
): void {
  for (const [name, raws] of fields) {
    if (Object.hasOwn(out, name) || shape.names.has(name.replace(/\[.*$/s, ''))) continue;
    const values = raws.map((raw) => coerceText(decodeFormText(raw), shape.member(name), ANY_CASE));
    setMember(out, name, values.length === 1 ? values[0] : values);
  }
}

/** Creates a decoder of `multipart/form-data`: files become `File`s, JSON parts are parsed, other parts are texts. */
export function createMultipartDecoder(
  { encoding }: { readonly encoding: Encodings },
  shape: DecodeHints,
  readers: ReadonlyMap<string, PartReader> = new Map(),
): DecodeForm {
  return (bytes, { boundary }) => {
    const values = new Map<string, unknown[]>();
    for (const part of parseMultipart(bytes, boundary)) {
      const name = part.name.endsWith('[]') && !shape.names.has(part.name) ? part.name.slice(0, -2) : part.name;
      const member = shape.member(name);
      const read = readers.get(name);
      const value = locate(name, () =>
        read !== undefined && part.fileName === undefined
          ? read(part.bytes, part.contentType)
          : readPart(part, { shape: member, encoding: encoding.get(name) }),
      );
      const known = values.get(name);
      if (known === undefined) values.set(name, [value]);
      else known.push(value);
    }
    const out: Record<string, unknown> = {};
    for (const [name, list] of values) setMember(out, name, joinParts(list, shape.member(name), readers.has(name)));
    return out;
  };
}

/** Joins the parts of a member. A list is sent as one part for each item, or as one JSON part. */
function joinParts(values: readonly unknown[], { types }: DecodeHints, isPlanned: boolean): unknown {
  if (values.length > 1) return values;
  return types.has('array') && (isPlanned || !Array.isArray(values[0])) ? values : values[0];
}

function readPart(
  part: FormPart,
  { shape, encoding }: { readonly shape: DecodeHints; readonly encoding: FieldEncoding | undefined },
): unknown {
  const target = shape.types.has('array') ? shape.item() : shape;
  const type = part.contentType === undefined ? undefined : parseMediaType(part.contentType);
  const documented = encoding?.contentType;
  const inner = type === undefined ? undefined : innerDecoder(type, target, encoding);
  if (type !== undefined && inner !== undefined)
    return inner(part.bytes, { charset: charsetOf(part), boundary: type.parameters.get('boundary') });
  if (part.fileName !== undefined || target.binary) return toFile(part);
  if (type !== undefined && kindOf(type) === 'json') return decodeJson(decodeCharset(part.bytes, charsetOf(part)));
  if (type !== undefined && kindOf(type) === 'binary') return toFile(part);
  const text = decodeCharset(part.bytes, charsetOf(part));
  if (documented !== undefined && isJson(documented)) return decodeJson(text);
  return /^\s*[[{]/.test(text) && shape.types.size > 0 && !shape.types.has('string')
    ? decodeJson(text)
    : coerceText(text, target, ANY_CASE);
}

/** Returns a decoder for a part that is itself a form, with its own encodings (OpenAPI 3.2). */
function innerDecoder(
  { essence }: ParsedMediaType,
  shape: DecodeHints,
  { nested }: Partial<FieldEncoding> = {},
): DecodeForm | undefined {
  if (!shape.types.has('object')) return undefined;
  const media = { encoding: nested?.encoding ?? new Map<string, FieldEncoding>() };
  if (essence === 'application/x-www-form-urlencoded') return createUrlencodedDecoder(media, shape);
  // Every level is in the spec, so a request cannot nest deeper.
  return essence === 'multipart/form-data' && nested !== undefined ? createMultipartDecoder(media, shape) : undefined;
}

function toFile({ bytes, fileName, contentType }: FormPart): Blob {
  const type = contentType ?? 'application/octet-stream';
  // Copied, so that a file does not keep the whole body in memory.
  const content = new Uint8Array(bytes);
  return fileName === undefined ? new Blob([content], { type }) : new File([content], fileName, { type });
}

function isJson(contentType: string): boolean {
  const parsed = parseMediaType(contentType);
  return parsed !== undefined && kindOf(parsed) === 'json';
}

/** Adds the member of the form to the pointer of a problem. */
function locate<T>(name: string, read: () => T): T {
  try {
    return read();
  } catch (error) {
    if (!(error instanceof DecodeError) || error.pointer.startsWith('/content-type')) throw error;
    throw new DecodeError(error.message, appendPointer('', name) + error.pointer, error.status);
  }
}
