import { isUtf8 } from 'node:buffer';

import { decodeCharset } from '../../runtime/decode-json.js';
import { isTextKind, kindOf, parseMediaType } from '../../runtime/parsed-media-type.js';
import type { BodyOrigin, Redact } from '../../http/secrets/redaction.js';
import { type HeaderMap, readHeader } from '../../http/messages.js';
import type {
  ForwardedResponse,
  ForwardedMessage,
  ForwardedExchange,
  RecordedMessage,
} from '../exchange/forwarded-exchange.js';
import type { HarEntry, HarNameValue, HarRequest, HarResponse, HarSocketMessage } from '../../http/har.js';

/** Makes the HAR entry of a call: the request and the server's response, without credentials. */
export async function toHarEntry(call: ForwardedExchange, url: string, redact: Redact): Promise<HarEntry> {
  const { connect, send, wait, receive } = roundAll(call.timings);
  const { response: received, notes, operation, violations } = call;
  return {
    startedDateTime: new Date(call.startedAt).toISOString(),
    time: roundTime(Math.max(0, connect) + send + wait + receive),
    request: await toRequest(call, url, redact),
    response: received === undefined ? NO_RESPONSE : await toResponse(received, operation?.id, redact),
    cache: {},
    timings: { blocked: -1, dns: -1, connect, ssl: -1, send, wait, receive },
    ...(notes.length === 0 ? {} : { comment: notes.join(' ') }),
    ...(operation === undefined ? {} : { _operationId: operation.id }),
    ...(violations.length === 0 ? {} : { _violations: violations }),
    ...(call.messages === undefined
      ? {}
      : {
          _resourceType: 'websocket',
          _webSocketMessages: call.messages.map((message) => toSocketMessage(message, operation?.id, redact)),
        }),
  };
}

function toSocketMessage(
  { at, side, isText, bytes }: RecordedMessage,
  operationId: string | undefined,
  redact: Redact,
): HarSocketMessage {
  const text = redact.text(Buffer.from(bytes).toString(isText ? 'utf8' : 'latin1'), {
    operationId,
    side: side === 'client' ? 'request' : 'response',
    headers: JSON_TYPE,
  });
  return {
    type: side === 'client' ? 'send' : 'receive',
    time: at / 1_000,
    opcode: isText ? 1 : 2,
    data: isText ? text : Buffer.from(text, 'latin1').toString('base64'),
  };
}

const JSON_TYPE: HeaderMap = { 'content-type': 'application/json' };

const NO_RESPONSE: HarResponse = {
  status: 0,
  statusText: '',
  httpVersion: '',
  cookies: [],
  headers: [],
  headersSize: -1,
  bodySize: -1,
  content: { size: 0, mimeType: '' },
  redirectURL: '',
};

async function toRequest(
  { method, request, operation }: ForwardedExchange,
  url: string,
  redact: Redact,
): Promise<HarRequest> {
  const kept = redact.target(url);
  const origin = { operationId: operation?.id, side: 'request', headers: request.headers } as const;
  const body = request.body.size === 0 ? undefined : await readContent(request, origin, redact);
  const mimeType = readHeader(request, 'content-type') ?? '';
  return {
    method,
    url: kept,
    httpVersion: `HTTP/${request.httpVersion}`,
    cookies: [],
    headers: toHeaders(request, redact),
    queryString: readQuery(kept),
    headersSize: -1,
    bodySize: request.body.size,
    ...(body === undefined
      ? {}
      : {
          postData: {
            mimeType,
            params: [],
            text: body.text ?? '',
            ...(body.isBase64 ? { _encoding: 'base64' as const } : {}),
            ...(body.comment === undefined ? {} : { comment: body.comment }),
          },
        }),
  };
}

async function toResponse(
  received: ForwardedResponse,
  operationId: string | undefined,
  redact: Redact,
): Promise<HarResponse> {
  const { body, headers, status, statusText, httpVersion } = received;
  const { text, isBase64, size, comment } = await readContent(
    received,
    { operationId, side: 'response', headers },
    redact,
  );
  const { location } = headers;
  return {
    status,
    statusText,
    httpVersion: `HTTP/${httpVersion}`,
    cookies: [],
    headers: toHeaders(received, redact),
    headersSize: -1,
    bodySize: body.size,
    content: {
      size,
      ...(size === body.size ? {} : { compression: size - body.size }),
      mimeType: readHeader({ headers }, 'content-type') ?? '',
      ...(text === undefined ? {} : { text }),
      ...(isBase64 ? { encoding: 'base64' as const } : {}),
      ...(comment === undefined ? {} : { comment }),
    },
    redirectURL: typeof location === 'string' ? String(redact.headers({ location })['location']) : '',
  };
}

interface Content {
  /** `undefined` if the body is not kept. */
  readonly text: string | undefined;
  readonly isBase64: boolean;
  /** The decompressed size in bytes. */
  readonly size: number;
  readonly comment?: string;
}

/** Reads a decompressed body: text as text, others in base64. */
async function readContent({ body }: ForwardedMessage, origin: BodyOrigin, redact: Redact): Promise<Content> {
  const expanded = await body.decode();
  if (expanded.ok) return { ...toText(expanded.bytes, origin, redact), size: expanded.bytes.length };
  const comment = `The body ${expanded.message}.`;
  const { bytes } = body;
  if (bytes === undefined) return { text: undefined, isBase64: false, size: body.size, comment };
  // Keeps the received part as it was sent.
  return { ...toText(bytes, origin, redact), size: bytes.length, comment };
}

/** Writes bytes as text or base64, without credentials. */
function toText(bytes: Uint8Array, origin: BodyOrigin, redact: Redact): Pick<Content, 'text' | 'isBase64'> {
  const parsed = parseMediaType(readHeader(origin, 'content-type') ?? '');
  const kind = parsed === undefined ? 'text' : kindOf(parsed);
  try {
    if (isTextKind(kind)) {
      const text = decodeCharset(bytes, parsed?.parameters.get('charset'));
      return { text: redact.text(text, origin), isBase64: false };
    }
  } catch {
    // Not valid in its charset: stored as base64.
  }
  // Lines of JSON and other texts of unknown types have credentials too.
  const shown = kind === 'multipart' || isUtf8(bytes) ? redactParts(bytes, origin, redact) : bytes;
  return { text: Buffer.from(shown).toString('base64'), isBase64: true };
}

/** Redacts parts as latin1, one character for each byte, so that files in other parts are unchanged. */
function redactParts(bytes: Uint8Array, origin: BodyOrigin, redact: Redact): Uint8Array {
  return Buffer.from(redact.text(Buffer.from(bytes).toString('latin1'), origin), 'latin1');
}

/** Returns the headers with their original order, letter case and repetitions. */
function toHeaders({ rawHeaders }: ForwardedMessage, redact: Redact): HarNameValue[] {
  return rawHeaders.flatMap((name, index) => {
    if (index % 2 === 1) return [];
    const value = rawHeaders[index + 1] ?? '';
    const key = name.toLowerCase();
    const kept = redact.headers({ [key]: value })[key];
    return [{ name, value: String(kept) }];
  });
}

function readQuery(url: string): HarNameValue[] {
  const query = url.slice(url.indexOf('?') + 1);
  return url.includes('?') ? [...new URLSearchParams(query)].map(([name, value]) => ({ name, value })) : [];
}

function roundAll({ connect, send, wait, receive }: ForwardedExchange['timings']): ForwardedExchange['timings'] {
  return { connect: roundTime(connect), send: roundTime(send), wait: roundTime(wait), receive: roundTime(receive) };
}

/** Rounds to microseconds. */
function roundTime(milliseconds: number): number {
  return Math.round(milliseconds * 1_000) / 1_000;
}
