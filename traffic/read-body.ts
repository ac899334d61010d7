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

/** Reads the body of a message; `undefined` if the message had none, or the recording did not keep it. */
export function readBody(message: RecordedMessage): ReadBody | undefined {
  const { text, isBase64, value } = message;
  if (text === '' && value === undefined) return undefined;
  const mediaType = parseMediaType(readHeader(message, 'content-type') || message.mimeType);
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
