import { DecodeError } from './decode-error.js';
import { type Encodings, createMultipartDecoder, createUrlencodedDecoder } from './decode-form.js';
import { decodeCharset, decodeJson } from './decode-json.js';
import { type ItemPlan, readItems } from './items.js';
import { mediaKind } from './media-type.js';
import type { BodyReader, BodyType } from './server-types.js';
import { type TextShape, readShape } from './text-shape.js';

/** Reads JSON. @param parse - replaces `JSON.parse`, for integers of any size. */
export function jsonBody(parse: (text: string) => unknown = JSON.parse): BodyReader {
  return {
    isJson: true,
    whole: (bytes, { charset }) => decodeJson(decodeCharset(bytes, charset), undefined, parse),
  };
}

/** Reads a text. */
export const textBody: BodyReader = { whole: (bytes, { charset }) => decodeCharset(bytes, charset) };

/** Passes bytes on as they arrive. */
export const streamBody: BodyReader = { stream: (body) => body };

/** Reads `application/x-www-form-urlencoded`. */
export function formBody(shape: TextShape | undefined, encoding: Encodings = new Map()): BodyReader {
  const decode = createUrlencodedDecoder({ encoding }, readShape(shape));
  return { whole: (bytes, type) => decode(bytes, type) };
}

/** Reads `multipart/form-data`: files are `File`s, other parts have the types of the schema. */
export function multipartBody(shape: TextShape | undefined, encoding: Encodings = new Map()): BodyReader {
  const decode = createMultipartDecoder({ encoding }, readShape(shape));
  return { hasFiles: true, whole: (bytes, type) => decode(bytes, type) };
}

/** Reads text with a structure, such as XML. */
export function structuredBody(read: (text: string) => unknown): BodyReader {
  return {
    whole: (bytes, { charset }) => {
      try {
        return read(decodeCharset(bytes, charset));
      } catch (error) {
        throw error instanceof DecodeError ? error : new DecodeError((error as Error).message);
      }
    },
  };
}

/** Reads a body of any media type: JSON as its value, text as a text, all else as bytes. */
export const anyBody: BodyReader = {
  whole: (bytes, type) => {
    const kind = mediaKind(type.text);
    if (kind === 'json') return decodeJson(decodeCharset(bytes, type.charset));
    return kind === 'text' ? decodeCharset(bytes, type.charset) : bytes;
  },
};

/** Reads a stream of items, one by one. */
export function itemsBody(plan: ItemPlan): BodyReader {
  return { hasItems: true, stream: (body, type) => iterate(body, plan, type) };
}

/** Reads a list of unnamed parts. */
export function partsBody(plan: ItemPlan): BodyReader {
  return {
    whole: async (bytes, type) => {
      const items: unknown[] = [];
      for await (const item of iterate(new Blob([bytes as BlobPart]).stream(), plan, type)) items.push(item);
      return items;
    },
  };
}

function iterate(body: ReadableStream<Uint8Array>, plan: ItemPlan, { text, signal }: BodyType): AsyncIterable<unknown> {
  const response = new Response(body as BodyInit, { headers: { 'content-type': text } });
  return readItems(plan)(response, { check: undefined, signal: signal() });
}
