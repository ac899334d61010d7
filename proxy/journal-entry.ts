import { decodeCharset } from '../http/request/decode-charset.js';
import { DecodeError } from '../http/request/decode-error.js';
import { isTextKind, kindOf, parseMediaType } from '../http/media-type.js';
import { parseJson } from '../http/request/parse-json.js';
import type { HeaderMap } from '../http/messages.js';
import type { ForwardedMessage, ForwardedExchange, RecordedMessage } from './exchange/exchange.js';
import type { JournalDraft } from '../http/journal/journal.js';
import type { JournalSocketMessage } from '../http/journal/journal-entry.js';
import { START_BYTES } from './wire/body-tap.js';

/** JSON up to this is kept as it is; of what is longer, only the start is, as text. Bytes. */
const MAX_JSON = 64 * 1_024;

/** A call as the journal keeps it: what was said in both directions, without content encodings. */
export async function toJournalDraft(call: ForwardedExchange): Promise<JournalDraft> {
  const { method, target, status, operation, request, response: received, refusal, violations, notes, messages } = call;
  const asked = await readBody(request);
  return {
    at: messages === undefined ? Date.now() : call.startedAt,
    method,
    path: target,
    status,
    ...(operation === undefined ? {} : { operationId: operation.id }),
    request: { headers: request.headers, ...(asked === undefined ? {} : { body: asked }) },
    response: refusal ?? (await describeResponse(received)),
    violations,
    ...(notes.length === 0 ? {} : { notes }),
    ...(messages === undefined ? {} : { messages: describeMessages(messages) }),
  };
}

/** As many of the first messages as the journal keeps of a body. */
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

/** Whether bytes may be JSON: some servers send that in binary messages. */
function isJson(bytes: Uint8Array): boolean {
  return bytes[0] === OPEN_OBJECT || bytes[0] === OPEN_LIST;
}

async function describeResponse(received: ForwardedMessage | undefined): Promise<JournalDraft['response']> {
  if (received === undefined) return { headers: {} };
  const body = await readBody(received);
  return { headers: received.headers, ...(body === undefined ? {} : { body }) };
}

/** JSON as it is, text as text, all else by its size. */
export async function readBody({ body, headers }: Pick<ForwardedMessage, 'body' | 'headers'>): Promise<unknown> {
  if (body.size === 0) return undefined;
  const type = textTypeOf(headers);
  if (type === undefined) return { $bytes: { size: body.size } };
  const isEncoded = headers['content-encoding'] !== undefined;
  const expanded = isEncoded ? await body.decode() : undefined;
  if (expanded?.ok === false) return { $bytes: { size: body.size } };
  const bytes = expanded?.bytes ?? body.start;
  const isWhole = expanded !== undefined || (body.isWhole && bytes.length === body.size);
  return readText(bytes, { ...type, isJson: type.isJson && isWhole && bytes.length <= MAX_JSON });
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
  // The start of a text may end within a character.
  const text = decodeLeniently(bytes, charset);
  if (!isJson) return text;
  try {
    return parseJson(text);
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
