import { isRecord, setMember } from '../model/document/records.js';
import { remember } from '../model/maps.js';
import { wireMethod } from '../model/http-method.js';
import type { HeaderMap } from './messages.js';
import { isToken } from '../runtime/parsed-media-type.js';

/** The parts of HAR 1.2 that the proxy writes. Members with an underscore are extensions, as the format allows. */
export interface HarEntry {
  readonly startedDateTime: string;
  /** Milliseconds, like all durations. */
  readonly time: number;
  readonly request: HarRequest;
  readonly response: HarResponse;
  readonly cache: Readonly<Record<string, never>>;
  readonly timings: {
    readonly blocked: -1;
    readonly dns: -1;
    readonly connect: number;
    readonly ssl: -1;
    readonly send: number;
    readonly wait: number;
    readonly receive: number;
  };
  readonly comment?: string;
  readonly _operationId?: string;
  readonly _violations?: readonly unknown[];
  /** In the format of browsers. */
  readonly _resourceType?: 'websocket';
  readonly _webSocketMessages?: readonly HarSocketMessage[];
}

/** A WebSocket message, in the format of browsers. */
export interface HarSocketMessage {
  readonly type: 'send' | 'receive';
  /** Epoch seconds. */
  readonly time: number;
  /** 1: text, 2: binary. */
  readonly opcode: 1 | 2;
  /** Binary messages in base64. */
  readonly data: string;
}

export interface HarNameValue {
  readonly name: string;
  readonly value: string;
}

interface HarMessage {
  readonly httpVersion: string;
  readonly cookies: readonly HarNameValue[];
  readonly headers: readonly HarNameValue[];
  readonly headersSize: -1;
  readonly bodySize: number;
}

export interface HarRequest extends HarMessage {
  readonly method: string;
  readonly url: string;
  readonly queryString: readonly HarNameValue[];
  readonly postData?: {
    readonly mimeType: string;
    readonly params: readonly HarNameValue[];
    readonly text: string;
    readonly _encoding?: 'base64';
    readonly comment?: string;
  };
}

export interface HarResponse extends HarMessage {
  /** 0 if there was no response. */
  readonly status: number;
  readonly statusText: string;
  readonly content: {
    readonly size: number;
    readonly compression?: number;
    readonly mimeType: string;
    readonly text?: string;
    readonly encoding?: 'base64';
    readonly comment?: string;
  };
  readonly redirectURL: string;
}

/** A call that was read from a HAR file of any recorder. */
export interface HarCall {
  readonly method: string;
  /** As the recorder wrote it, usually absolute. */
  readonly url: string;
  /** 0 if no response arrived. */
  readonly status: number;
  /** As the recorder wrote it. */
  readonly startedDateTime: string | undefined;
  readonly request: HarReadMessage;
  readonly response: HarReadMessage;
}

export interface HarReadMessage {
  /** Names in lower case. Without names and values that HTTP does not allow. */
  readonly headers: HeaderMap;
  /** Empty if there was no body, or the recorder did not keep it. */
  readonly text: string;
  /** Whether the text is base64 of the bytes. */
  readonly isBase64: boolean;
  /** The media type that the recorder wrote beside the body, or ''. */
  readonly mimeType: string;
}

/** Reads an entry; `undefined` if it has no method, URL and status. */
export function readHarEntry(entry: unknown): HarCall | undefined {
  const { request, response, startedDateTime } = isRecord(entry) ? entry : {};
  if (!isRecord(request) || !isRecord(response)) return undefined;
  const { method, url, postData } = request;
  const { status, content } = response;
  if (typeof method !== 'string' || typeof url !== 'string' || typeof status !== 'number') return undefined;
  return {
    method: wireMethod(method),
    url,
    status,
    startedDateTime: typeof startedDateTime === 'string' ? startedDateTime : undefined,
    request: readMessage(request['headers'], postData, '_encoding'),
    response: readMessage(response['headers'], content, 'encoding'),
  };
}

function readMessage(headers: unknown, body: unknown, encoding: '_encoding' | 'encoding'): HarReadMessage {
  const given = isRecord(body) ? body : {};
  const text = textOf(given['text']);
  return {
    headers: readHeaders(headers),
    text: text === '' ? readForm(given['params']) : text,
    isBase64: text !== '' && given[encoding] === 'base64',
    mimeType: textOf(given['mimeType']),
  };
}

/** The name in lower case, if HTTP allows it. */
const headerName = remember((name) => (isToken(name) ? name.toLowerCase() : undefined));

function readHeaders(list: unknown): HeaderMap {
  const headers: Record<string, string | string[]> = {};
  if (!Array.isArray(list)) return headers;
  for (const field of list) {
    const { name, value } = isRecord(field) ? field : {};
    const key = headerName(textOf(name));
    if (key === undefined || typeof value !== 'string') continue;
    const known = Object.hasOwn(headers, key) ? headers[key] : undefined;
    if (Array.isArray(known)) known.push(value);
    else setMember(headers, key, known === undefined ? value : [known, value]);
  }
  return headers;
}

/** Some recorders write only the fields of a form, not its text. */
function readForm(params: unknown): string {
  const fields = Array.isArray(params) ? params.filter(isRecord) : [];
  return new URLSearchParams(fields.map(({ name, value }) => [textOf(name), textOf(value)])).toString();
}

function textOf(value: unknown): string {
  return typeof value === 'string' ? value : '';
}
