import { createUrlencodedDecoder, type Encodings } from './decode-form.js';
import { decodeJson } from './decode-json.js';
import { createFieldDecoder } from './field-decoder.js';
import { type DecodeText, type Fields, decodeFormText, decodePercent, keepText } from './fields.js';
import { kindOf, parseMediaType } from './parsed-media-type.js';
import { decodeLeniently } from './pointer.js';
import { type ValueStyle, decodeText } from './text-decoder.js';
import type { DecodeHints } from './text-shape.js';

/** How a parameter is written. */
export interface ParameterRule {
  readonly name: string;
  readonly in: 'path' | 'query' | 'querystring' | 'header' | 'cookie';
  readonly style: ValueStyle;
  readonly explode: boolean;
  readonly allowEmptyValue: boolean;
  /** Set if the value is a document. */
  readonly mediaType?: string;
  /** The encodings of a document that is a form. */
  readonly encoding?: Encodings;
}

/** The parts of a request that parameters are read from. */
export interface ParameterSources {
  /** Raw values by name. */
  readonly path: ReadonlyMap<string, string>;
  /** Without the question mark. */
  readonly query: string;
  /** The fields of the query or of the cookies, whichever has the parameter. */
  readonly fields: Fields;
  /** A header, by its name in lower case. */
  readonly header: (name: string) => string | undefined;
}

/** Reads the value of one parameter; `undefined` if it is absent. @throws DecodeError */
export type DecodeParameter = (sources: ParameterSources) => unknown;

/**
 * Creates the decoder of a parameter.
 *
 * @param taken - the names of the other parameters in the same place.
 */
export function createParameterDecoder(
  rule: ParameterRule,
  shape: DecodeHints,
  taken: ReadonlySet<string>,
): DecodeParameter {
  const { name, in: location, style, explode, allowEmptyValue } = rule;
  if (location === 'querystring') return createQuerystringDecoder(rule, shape);
  if (rule.mediaType !== undefined) return createDocumentDecoder(rule, rule.mediaType, shape);
  if (location === 'path' || location === 'header') {
    const text = { name, style, explode, shape, decode: location === 'path' ? decodePercent : keepText };
    return (sources) => {
      const raw = rawText(rule, sources);
      return raw === undefined ? undefined : decodeText(text, raw);
    };
  }
  const decode = createFieldDecoder({
    name,
    style,
    explode,
    shape,
    taken,
    allowEmptyValue,
    // Nothing in a cookie of style `cookie` is percent-encoded (OpenAPI 3.2).
    decode: style === 'cookie' ? keepText : FIELD_TEXT[location],
  });
  return ({ fields }) => decode(fields);
}

const FIELD_TEXT: Readonly<Record<'query' | 'cookie', DecodeText>> = { query: decodeFormText, cookie: decodeLeniently };

/** Creates a decoder for a parameter with a media type. */
function createDocumentDecoder(rule: ParameterRule, mediaType: string, shape: DecodeHints): DecodeParameter {
  const { in: location, name } = rule;
  const decodeField = location === 'cookie' ? FIELD_TEXT.cookie : FIELD_TEXT.query;
  const parsed = parseMediaType(mediaType);
  const kind = parsed === undefined ? undefined : kindOf(parsed);
  // A range such as */* is written as JSON, like a body.
  const isJson = kind === 'json' || (kind === 'any' && shape.types.size > 0 && !shape.types.has('string'));
  const read = isJson ? (text: string) => decodeJson(text) : keepText;
  return (sources) => {
    if (location === 'path' || location === 'header') {
      const raw = rawText(rule, sources);
      return raw === undefined ? undefined : read(location === 'path' ? decodePercent(raw) : raw);
    }
    const raws = sources.fields.get(name);
    const raw = raws?.[raws.length - 1];
    return raw === undefined ? undefined : read(decodeField(raw));
  };
}

/** Creates a decoder for the whole query (OpenAPI 3.2, `in: querystring`): a form, JSON or a text. */
function createQuerystringDecoder(
  { mediaType = FORM, encoding = new Map() }: ParameterRule,
  shape: DecodeHints,
): DecodeParameter {
  const parsed = parseMediaType(mediaType);
  if (parsed !== undefined && kindOf(parsed) === 'form') {
    const decode = createUrlencodedDecoder({ encoding }, shape);
    return ({ query }) => (query === '' ? undefined : decode(new TextEncoder().encode(query), NO_PARAMETERS));
  }
  const read = parsed !== undefined && kindOf(parsed) === 'json' ? (text: string) => decodeJson(text) : keepText;
  return ({ query }) => (query === '' ? undefined : read(decodePercent(query)));
}

const FORM = 'application/x-www-form-urlencoded';
const NO_PARAMETERS = { charset: undefined, boundary: undefined } as const;

function rawText(
  { in: location, name }: ParameterRule,
  { path, header }: Pick<ParameterSources, 'path' | 'header'>,
): string | undefined {
  return location === 'path' ? path.get(name) : header(name.toLowerCase());
}
