import { readHeader } from '../http/messages.js';
import type { RecordedMessage } from '../http/recording/read-exchanges.js';
import { isRecord } from '../model/document/records.js';
import { parseJsonText } from '../model/document/json-text.js';
import { type ParsedMediaType, kindOf, parseMediaType } from '../runtime/parsed-media-type.js';

/** The body of a recorded message. */
export interface ReadBody {
  /** Absent if the message does not say it. */
  readonly mediaType?: ParsedMediaType;
  /** Its value: of JSON and forms parsed, of text the text. Absent if the recording has no value of it. */
  readonly value?: unknown;
}

/** Whether a message had a body that the recording kept. */
export function hasBody({ text, value }: RecordedMessage): boolean {
  return text !== '' || value !== undefined;
}

/** The media type of a body; `undefined` if the message does not say it. */
export function mediaTypeOf(message: RecordedMessage): ParsedMediaType | undefined {
  return parseMediaType(readHeader(message, 'content-type') || message.mimeType);
}

/** Reads the body of a message; `undefined` if the message had none, or the recording did not keep it. */
export function readBody(message: RecordedMessage): ReadBody | undefined {
  if (!hasBody(message)) return undefined;
  const { text, isBase64, value } = message;
  const mediaType = mediaTypeOf(message);
  const typed = mediaType === undefined ? {} : { mediaType };
  if (value !== undefined) return isRecord(value) && Object.hasOwn(value, '$bytes') ? typed : { ...typed, value };
  const parsed = readText(isBase64 ? Buffer.from(text, 'base64').toString() : text, mediaType);
  return parsed === undefined ? typed : { ...typed, value: parsed };
}

function readText(text: string, mediaType: ParsedMediaType | undefined): unknown {
  const kind = mediaType === undefined ? 'json' : kindOf(mediaType);
  if (kind === 'json') return parseJsonText(text);
  if (kind === 'text') return text;
  if (kind !== 'form') return undefined;
  const fields = new URLSearchParams(text);
  return Object.fromEntries(
    [...new Set(fields.keys())].map((name) => {
      const values = fields.getAll(name);
      return [name, values.length === 1 ? values[0] : values];
    }),
  );
}
