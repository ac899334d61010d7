import type { GenerateContentRequest, GenerateContentResponse } from '../../../generated/generation/types.js';
import type { Mock, MockOptions } from '../../../entry/mock.js';
import { sendJson } from '../../support/send-json.js';
import { startMock } from '../../support/start-mock.js';
import type { ActionsOf } from '../../../server/start/mock.js';

export type GenerationMock = Mock<ActionsOf<'generation'>>;

export function start(options: MockOptions = { port: 0 }): Promise<GenerationMock> {
  return startMock('generation', options);
}

/** A mock by its socket, or by its `fetch`. */
export interface Target {
  readonly url: string;
  readonly fetch: typeof fetch;
}

export interface ReceivedResponse<Body> {
  readonly status: number;
  readonly headers: Headers;
  readonly body: Body;
}

export interface ErrorResponse {
  readonly error: {
    readonly code: number;
    readonly message: string;
    readonly status: string;
    readonly violations?: readonly { readonly pointer: string }[];
  };
}

/** Sends JSON with a key, and reads JSON. */
export async function call<Body>(
  { url, fetch }: Target,
  method: string,
  path: string,
  body?: unknown,
): Promise<ReceivedResponse<Body>> {
  const { json, ...response } = await sendJson(fetch, url + path, {
    method,
    headers: { 'x-vendor-api-key': 'test' },
    body,
  });
  // The test says what it expects to get.
  return { ...response, body: json as Body };
}

/** A request with one text of the user. */
export function ask(text: string, more: Partial<GenerateContentRequest> = {}): GenerateContentRequest {
  return { contents: [{ role: 'user', parts: [{ text }] }], ...more };
}

export function generate(
  target: Target,
  request: object,
  model = 'sonata-2-flash',
): Promise<ReceivedResponse<GenerateContentResponse & Partial<ErrorResponse>>> {
  return call(target, 'POST', `/v1beta/models/${model}:generateContent`, request);
}

/** The text of a candidate, without thoughts. */
export function textOf({ candidates = [] }: GenerateContentResponse, index = 0): string {
  const parts = candidates[index]?.content?.parts ?? [];
  return parts.flatMap(({ text, thought }) => (text === undefined || thought === true ? [] : [text])).join('');
}

/** The events of a stream, parsed. */
export async function stream(
  target: Target,
  request: object,
  signal?: AbortSignal,
): Promise<(GenerateContentResponse & Partial<ErrorResponse>)[]> {
  const response = await target.fetch(
    `${target.url}/v1beta/models/sonata-2-flash:streamGenerateContent?alt=sse&key=test`,
    {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(request),
      ...(signal === undefined ? {} : { signal }),
    },
  );
  const text = await response.text();
  return text
    .split('\n\n')
    .filter((event) => event !== '')
    .map((event) => JSON.parse(event.replace(/^data: /, '')) as GenerateContentResponse);
}

/** Uploads bytes in one piece. Gives the name of the file. */
export async function upload(target: Target, bytes: string, type: string): Promise<string> {
  const address = await startUpload(target, bytes.length, type);
  const sent = await sendBytes(target, address, { command: 'upload, finalize', offset: 0, bytes });
  return ((await sent.json()) as { file: { name: string } }).file.name;
}

export async function startUpload(target: Target, size: number, type: string, file: object = {}): Promise<string> {
  const response = await target.fetch(`${target.url}/upload/v1beta/files?key=test`, {
    method: 'POST',
    headers: {
      'content-type': 'application/json',
      'x-vendor-upload-protocol': 'resumable',
      'x-vendor-upload-command': 'start',
      'x-vendor-upload-header-content-length': String(size),
      'x-vendor-upload-header-content-type': type,
    },
    body: JSON.stringify({ file }),
  });
  return response.headers.get('x-vendor-upload-url') ?? `${response.status} ${await response.text()}`;
}

export interface Piece {
  readonly command: string;
  readonly offset?: number;
  readonly bytes?: BodyInit;
}

export function sendBytes({ fetch }: Target, address: string, { command, offset, bytes }: Piece): Promise<Response> {
  const headers = {
    'x-vendor-upload-command': command,
    ...(offset === undefined ? {} : { 'x-vendor-upload-offset': String(offset) }),
  };
  return fetch(address, { method: 'POST', headers, ...(bytes === undefined ? {} : { body: bytes }) });
}
