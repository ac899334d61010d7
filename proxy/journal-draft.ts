import { decodeCharset, decodeJson } from '../runtime/decode-json.js';
import { DecodeError } from '../runtime/decode-error.js';
import { isTextKind, kindOf, parseMediaType } from '../runtime/parsed-media-type.js';
import type { HeaderMap } from '../http/messages.js';
import type {
  DecodedBody,
  ForwardedMessage,
  ForwardedExchange,
  RecordedMessage,
} from './exchange/forwarded-exchange.js';
import type { JournalDraft, JournalMessage } from '../http/journal/journal.js';
import type { JournalSocketMessage } from '../http/journal/journal-entry.js';
import { START_BYTES } from './wire/body-tap.js';

/** The most bytes of JSON that are kept as a value. Of longer JSON, only the start is kept, as text. */
const MAX_JSON = 64 * 1_024;

/** Makes the journal entry of a call, with decompressed bodies. */
export function toJournalDraft(call: ForwardedExchange): JournalDraft | Promise<JournalDraft> {
  const { refusal, response: received } = call;
  const request = describeMessage(call.request);
  const response = refusal ?? (received === undefined ? { headers: {} } : describeMessage(received));
  return request instanceof Promise || response instanceof Promise
    ? Promise.all([request, response]).then(([sent, shown]) => toDraft(call, sent, shown))
    : toDraft(call, request, response);
}

function toDraft(call: ForwardedExchange, request: JournalMessage, response: JournalMessage): JournalDraft {
  const { method, target, status, operation, violations, notes, messages } = call;
  return {
    at: messages === undefined ? Date.now() : call.startedAt,
    method,
    path: target,
    status,
    operationId: operation?.id,
    request,
    response,
    violations,
    ...(notes.length === 0 ? {} : { notes }),
    ...(messages === undefined ? {} : { messages: describeMessages(messages) }),
  };
}

function describeMessage(message: ForwardedMessage): JournalMessage | Promise<JournalMessage> {
  if (message.body.size === 0) return { headers: message.headers };
  const start = startOf(message);
  return start instanceof Promise ? start.then((known) => keepStart(message, known)) : keepStart(message, start);
}

/** Keeps the start of a body. It is parsed when the entry is read, because most entries never are. */
function keepStart({ body, headers }: ForwardedMessage, { bytes, isWhole }: BodyStart): JournalMessage {
  if (bytes === undefined) return { headers, body: { $bytes: { size: body.size } } };
  // Copied, so that the original buffer is not kept in memory.
  const kept = Buffer.from(bytes.subarray(0, MAX_JSON));
  const isAll = isWhole && bytes.length <= MAX_JSON;
  return { headers, lazy: { read: () => readStart(kept, headers, isAll), size: kept.length } };
}

/** Describes the first messages, up to the size that the journal keeps of a body. */
function describeMessages(messages: readonly RecordedMessage[]): JournalSocketMessage[] {
  let room = START_BYTES;
  return messages.flatMap(({ at, side, isText, bytes }) => {
    room -= bytes.length;
    if (room < 0) return [];
    const body = isText || isJson(bytes) ? readText(bytes, { isJson: true, charset: undefined }) : undefined;
    return [{ at: new Date(at).toISOString(), from: side, body: body ?? { $bytes: { size: bytes.length } } }];
  });
}

const [OPEN_LIST, OPEN_OBJECT] = [0x5b, 0x7b] as const;

/** Whether bytes may be JSON, because some servers send JSON in binary messages. */
function isJson(bytes: Uint8Array): boolean {
  return bytes[0] === OPEN_OBJECT || bytes[0] === OPEN_LIST;
}

/** Reads a body: JSON as a value, text as a string, others as their size. */
export async function readJournalBody({ body, headers }: Pick<ForwardedMessage, 'body' | 'headers'>): Promise<unknown> {
  if (body.size === 0) return undefined;
  const { bytes, isWhole } = await startOf({ body, headers });
  if (bytes === undefined) return { $bytes: { size: body.size } };
  return readStart(bytes, headers, isWhole && bytes.length <= MAX_JSON);
}

interface BodyStart {
  /** The decompressed bytes; `undefined` if the body is not a text or cannot be decompressed. */
  readonly bytes: Uint8Array | undefined;
  /** Whether these are all bytes of the body. */
  readonly isWhole: boolean;
}

function startOf({ body, headers }: Pick<ForwardedMessage, 'body' | 'headers'>): BodyStart | Promise<BodyStart> {
  if (textTypeOf(headers) === undefined) return { bytes: undefined, isWhole: false };
  if (headers['content-encoding'] === undefined)
    return { bytes: body.start, isWhole: body.isWhole && body.start.length === body.size };
  const expanded = body.decode();
  return expanded instanceof Promise ? expanded.then(toBodyStart) : toBodyStart(expanded);
}

function toBodyStart(expanded: DecodedBody): BodyStart {
  return expanded.ok ? { bytes: expanded.bytes, isWhole: true } : { bytes: undefined, isWhole: false };
}

function readStart(bytes: Uint8Array, headers: HeaderMap, isWhole: boolean): unknown {
  const type = textTypeOf(headers);
  return readText(bytes, { isJson: type?.isJson === true && isWhole, charset: type?.charset });
}

interface TextType {
  readonly isJson: boolean;
  readonly charset: string | undefined;
}

function textTypeOf(headers: HeaderMap): TextType | undefined {
  const given = headers['content-type'];
  const parsed = typeof given === 'string' ? parseMediaType(given) : undefined;
  if (parsed === undefined) return undefined;
  const kind = kindOf(parsed);
  if (!isTextKind(kind)) return undefined;
  return { isJson: kind === 'json', charset: parsed.parameters.get('charset') };
}

function readText(bytes: Uint8Array, { isJson, charset }: TextType): unknown {
  // Lenient, because the start of a text may end within a character.
  const text = decodeLeniently(bytes, charset);
  if (!isJson) return text;
  try {
    return decodeJson(text);
  } catch (error) {
    if (!(error instanceof DecodeError)) throw error;
    return text;
  }
}

function decodeLeniently(bytes: Uint8Array, charset: string | undefined): string {
  try {
    return decodeCharset(bytes, charset);
  } catch {
    return new TextDecoder().decode(bytes);
  }
}
