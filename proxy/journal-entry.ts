import { decodeCharset } from '../http/request/decode-charset.js';
import { DecodeError } from '../http/request/decode-error.js';
import { isTextKind, kindOf, parseMediaType } from '../http/media-type.js';
import { parseJson } from '../http/request/parse-json.js';
import type { HeaderMap } from '../http/messages.js';
import type { ForwardedMessage, ForwardedExchange } from './exchange/exchange.js';
import type { JournalDraft } from '../http/journal/journal.js';

/** JSON up to this is kept as it is; of what is longer, only the start is, as text. Bytes. */
const MAX_JSON = 64 * 1_024;

/** A call as the journal keeps it: what was said in both directions, without content encodings. */
export async function toJournalDraft(call: ForwardedExchange): Promise<JournalDraft> {
  const { method, target, status, operation, request, response: received, refusal, violations, notes } = call;
  const asked = await readBody(request);
  return {
    at: Date.now(),
    method,
    path: target,
    status,
    ...(operation === undefined ? {} : { operationId: operation.id }),
    request: { headers: request.headers, ...(asked === undefined ? {} : { body: asked }) },
    response: refusal ?? (await describeResponse(received)),
    violations,
    ...(notes.length === 0 ? {} : { notes }),
  };
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
