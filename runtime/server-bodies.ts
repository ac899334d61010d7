import { DecodeError } from './decode-error.js';
import { type Encodings, createMultipartDecoder, createUrlencodedDecoder } from './decode-form.js';
import { decodeCharset, decodeJson, decodeJsonWith } from './decode-json.js';
import { type ItemPlan, readItems } from './items.js';
import { mediaKind } from './media-type.js';
import { round } from './round-integers.js';
import { invalid, invalidStatus, toViolation } from './server-request.js';
import type { BodyReader, ServerCall } from './server-types.js';
import { type TextShape, readShape } from './text-shape.js';

/** The most bytes of a body that is read whole, and of one with files. */
const BODY_LIMIT = 1 << 20;
const FILES_LIMIT = 1 << 24;

/** Reads JSON. @param parse - replaces `JSON.parse`, for integers of any size. */
export function jsonBody(parse: (text: string) => unknown = JSON.parse): BodyReader {
  return {
    read: async ({ body }, { parameters, bodyLimit = BODY_LIMIT }) => {
      if (body.parsed !== undefined) return body.parsed;
      const bytes = await body.bytes(bodyLimit);
      return bytes.length === 0 ? undefined : decodeJsonWith(parse, decodeCharset(bytes, parameters?.get('charset')));
    },
  };
}

type DecodeBytes = (
  bytes: Uint8Array,
  type: { readonly charset: string | undefined; readonly boundary: string | undefined; readonly text: string },
  call: ServerCall,
) => unknown;

/** Reads a whole body. */
function wholeBody(decode: DecodeBytes, limit = BODY_LIMIT): BodyReader {
  return {
    read: async (call, { text, mediaType, parameters, bodyLimit = limit }) => {
      const bytes = await call.body.bytes(bodyLimit);
      if (bytes.length === 0 && text === undefined) return undefined;
      const [charset, boundary] = [parameters?.get('charset'), parameters?.get('boundary')];
      return decode(bytes, { charset, boundary, text: text ?? mediaType }, call);
    },
  };
}

/** Reads a text. */
export const textBody: BodyReader = /* @__PURE__ */ wholeBody((bytes, { charset }) => decodeCharset(bytes, charset));

/** Passes bytes on as they arrive. */
export const streamBody: BodyReader = { read: ({ body }) => body.stream() };

/** Reads `application/x-www-form-urlencoded`. */
export function formBody(shape: TextShape | undefined, encoding: Encodings = new Map()): BodyReader {
  const decode = createUrlencodedDecoder({ encoding }, readShape(shape));
  return wholeBody(decode);
}

/** Reads `multipart/form-data`: files are `File`s, other parts have the types of the schema. */
export function multipartBody(shape: TextShape | undefined, encoding: Encodings = new Map()): BodyReader {
  const decode = createMultipartDecoder({ encoding }, readShape(shape));
  return wholeBody(decode, FILES_LIMIT);
}

/** Reads text with a structure, such as XML. */
export function structuredBody(read: (text: string) => unknown): BodyReader {
  return wholeBody((bytes, { charset }) => {
    try {
      return read(decodeCharset(bytes, charset));
    } catch (error) {
      throw error instanceof DecodeError ? error : new DecodeError((error as Error).message);
    }
  });
}

/** Reads a body of any media type: JSON as its value, text as a text, all else as bytes. */
export const anyBody: BodyReader = /* @__PURE__ */ wholeBody((bytes, { charset, text }) => {
  const kind = mediaKind(text);
  if (kind === 'json') return decodeJson(decodeCharset(bytes, charset));
  return kind === 'text' ? decodeCharset(bytes, charset) : bytes;
});

/** Reads a stream of items, one by one. */
export function itemsBody(plan: ItemPlan): BodyReader {
  return {
    read: (call, { text, mediaType }) => iterate(call.body.stream(), plan, text ?? mediaType, call),
    checkItems: (operation, values, rounded) => {
      const items = values['body'] as AsyncIterable<unknown>;
      rounded['body'] = values['body'] = checkItems(items, (item) => {
        const result = operation.check?.({ ...rounded, body: [round(item)] });
        if (result?.ok === false) throw invalid(invalidStatus(operation), result.errors.map(toViolation));
      });
    },
  };
}

async function* checkItems(
  items: AsyncIterable<unknown>,
  check: (item: unknown) => void,
): AsyncGenerator<unknown, void, undefined> {
  for await (const item of items) {
    check(item);
    yield item;
  }
}

/** Reads a list of unnamed parts. */
export function partsBody(plan: ItemPlan): BodyReader {
  return wholeBody(async (bytes, { text }, call) => {
    const items: unknown[] = [];
    for await (const item of iterate(new Blob([bytes as BlobPart]).stream(), plan, text, call)) items.push(item);
    return items;
  });
}

function iterate(
  body: ReadableStream<Uint8Array>,
  plan: ItemPlan,
  type: string,
  { signal }: ServerCall,
): AsyncIterable<unknown> {
  const response = new Response(body as BodyInit, { headers: { 'content-type': type } });
  return readItems(plan)(response, { check: undefined, signal });
}
