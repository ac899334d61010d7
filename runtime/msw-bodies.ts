import { type Encodings, type FieldEncoding, createMultipartDecoder, createUrlencodedDecoder } from './decode-form.js';
import { decodeJson } from './decode-json.js';
import { decodePercent } from './fields.js';
import { type ItemPlan, readItems } from './items.js';
import { readShape, type TextShape } from './text-shape.js';
import { kindOf, parseMediaType } from './parsed-media-type.js';
import { type XmlPlan, readXmlText } from './xml.js';

type EncodingRecord = Readonly<Record<string, FieldEncoding>>;

/** Reads a body of one media type. */
type Read = (request: Request) => Promise<unknown>;

/** Makes the reader of bodies by media type; other JSON is parsed, other text is kept, and the rest is a file. */
export function readBodies(readers: Readonly<Record<string, Read>>): Read {
  return async (request) => {
    const essence = (request.headers.get('content-type') ?? '').split(';', 1)[0]?.trim().toLowerCase() ?? '';
    const read = Object.hasOwn(readers, essence) ? readers[essence] : undefined;
    if (read !== undefined) return read(request);
    if (/[/+]json$/.test(essence)) return (await request.json()) as unknown;
    return essence.startsWith('text/') ? request.text() : request.blob();
  };
}

/** Reads a form. */
export function readForm(shape: TextShape, encodings: EncodingRecord = {}): Read {
  const decode = createUrlencodedDecoder({ encoding: toEncodings(encodings) }, readShape(shape));
  return async (request) => decode(new Uint8Array(await request.arrayBuffer()), parametersOf(request));
}

/** Reads a multipart form. */
export function readMultipart(shape: TextShape, encodings: EncodingRecord = {}): Read {
  const decode = createMultipartDecoder({ encoding: toEncodings(encodings) }, readShape(shape));
  return async (request) => decode(new Uint8Array(await request.arrayBuffer()), parametersOf(request));
}

/** Reads XML as the value that it describes. */
export function readXmlBody(plan: XmlPlan): Read {
  return async (request) => readXmlText(await request.text(), plan);
}

/** Reads a stream of items. */
export function readItemBody(plan: ItemPlan): Read {
  const read = readItems(plan);
  return async (request) => read(new Response(request.body, { headers: request.headers }), {});
}

/** Reads a whole query as one value: a form, JSON or a text. */
export function readQuerystring(
  mediaType: string,
  shape: TextShape,
  encodings: EncodingRecord,
): (query: string) => unknown {
  const parsed = parseMediaType(mediaType === '' ? 'application/x-www-form-urlencoded' : mediaType);
  const kind = parsed === undefined ? undefined : kindOf(parsed);
  const decode = createUrlencodedDecoder({ encoding: toEncodings(encodings) }, readShape(shape));
  return (query) => {
    if (kind === 'form') return decode(new TextEncoder().encode(query), { charset: undefined, boundary: undefined });
    const text = decodePercent(query);
    return kind === 'json' ? decodeJson(text) : text;
  };
}

function toEncodings(encodings: EncodingRecord): Encodings {
  return new Map(Object.entries(encodings));
}

function parametersOf(request: Request): {
  readonly charset: string | undefined;
  readonly boundary: string | undefined;
} {
  const parameters = parseMediaType(request.headers.get('content-type') ?? '')?.parameters;
  return { charset: parameters?.get('charset'), boundary: parameters?.get('boundary') };
}
