import type { IncomingMessage, OutgoingHttpHeaders, ServerResponse } from 'node:http';

import { stringifyExactJson } from '../../runtime/json-integers.js';
import type { ResponseBody, HeaderMap, MockResponse } from '../messages.js';
import { atEndOfTurn } from './end-of-turn.js';
import { frameEvent } from './encode-sse.js';

/** Writes a response to a connection of Node. Stops without an error if the client goes away. */
export function writeResponse(
  mockResponse: MockResponse,
  request: IncomingMessage,
  response: ServerResponse,
): Promise<void> | undefined {
  if (mockResponse.abort === true) {
    request.socket.destroy();
    return undefined;
  }
  const headers = toNodeHeaders(mockResponse.headers);
  // The unread rest of the request would block the next one on the connection.
  if (!request.complete && !isBodyless(request)) headers['connection'] = 'close';
  const { status, body } = mockResponse;
  if (body === undefined) writeWhole(response, { status, headers, content: undefined });
  else if (body.kind === 'json') writeWhole(response, { status, headers, content: stringifyExactJson(body.value) });
  else if (body.kind === 'text') writeWhole(response, { status, headers, content: body.text });
  else if (body.kind === 'bytes') writeWhole(response, { status, headers, content: body.bytes });
  else return writeStream(response, { status, headers, chunks: chunksOf(body) });
  return undefined;
}

/** Whether a request has no body: it has neither of these headers (RFC 9112, section 6.3). */
function isBodyless({ headers }: IncomingMessage): boolean {
  return headers['content-length'] === undefined && headers['transfer-encoding'] === undefined;
}

/** Removes characters that headers cannot contain, so that an odd value from a handler does not break the response. */
function toNodeHeaders(headers: HeaderMap): OutgoingHttpHeaders {
  const out: OutgoingHttpHeaders = {};
  for (const name of Object.keys(headers)) {
    const value = headers[name];
    if (value !== undefined) out[name] = typeof value === 'string' ? clean(value) : value.map(clean);
  }
  return out;
}

function clean(value: string): string {
  return /[^\t\x20-\x7e\x80-\xff]/.test(value) ? value.replace(/[^\t\x20-\x7e\x80-\xff]/g, '') : value;
}

interface WholeResponse {
  readonly status: number;
  readonly headers: OutgoingHttpHeaders;
  readonly content: string | Uint8Array | undefined;
}

function writeWhole(response: ServerResponse, { status, headers, content }: WholeResponse): void {
  const length = content === undefined ? 0 : typeof content === 'string' ? Buffer.byteLength(content) : content.length;
  if (headers['content-length'] === undefined && status >= 200 && status !== 204 && status !== 304)
    headers['content-length'] = length;
  atEndOfTurn(response, () => {
    response.writeHead(status, headers);
    response.end(content);
  });
}

async function* chunksOf(
  body: Extract<ResponseBody, { kind: 'stream' | 'events' }>,
): AsyncIterable<Uint8Array | string> {
  if (body.kind === 'stream') yield* body.chunks;
  else for await (const event of body.events) yield frameEvent(event);
}

/** Resolves when more can be written or the client is gone. Removes both listeners, which would pile up otherwise. */
function drained(response: ServerResponse): Promise<void> {
  return new Promise((resolve) => {
    const done = (): void => {
      response.off('drain', done);
      response.off('close', done);
      resolve();
    };
    response.on('drain', done);
    response.on('close', done);
    if (response.destroyed) done();
  });
}

interface StreamResponse {
  readonly status: number;
  readonly headers: OutgoingHttpHeaders;
  readonly chunks: AsyncIterable<Uint8Array | string>;
}

async function writeStream(response: ServerResponse, { status, headers, chunks }: StreamResponse): Promise<void> {
  const iterator = chunks[Symbol.asyncIterator]();
  // Ends the source at once, because it may wait for something that never comes.
  response.once('close', () => {
    if (response.writableFinished) return;
    void iterator.return?.().catch(() => undefined);
  });
  response.writeHead(status, headers);
  response.flushHeaders();
  try {
    for (
      let result = await iterator.next();
      result.done !== true && !response.destroyed;
      result = await iterator.next()
    ) {
      if (!response.write(result.value)) await drained(response);
    }
    response.end();
  } catch {
    // The headers are sent, so only breaking the connection can show that the response is incomplete.
    response.destroy();
  }
}
