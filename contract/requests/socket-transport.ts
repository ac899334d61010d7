import { Agent as HttpAgent, type ClientRequest, type IncomingMessage, request as requestHttp } from 'node:http';
import { Agent as HttpsAgent, request as requestHttps } from 'node:https';
import { promisify } from 'node:util';
import zlib from 'node:zlib';

import type { WireRequest } from '../types.js';
import { type Answer, MAX_ANSWER, MAX_STREAM, MAX_STREAM_MS, type Transport, isEndless } from './transport.js';

/**
 * Sends over sockets that are kept open. The platform's `fetch` does the same at about twice the cost of a request, and
 * refuses bodies with GET.
 */
export function createSocketTransport(url: URL): Transport {
  const options = { keepAlive: true, scheduling: 'lifo' } as const;
  const agent = url.protocol === 'https:' ? new HttpsAgent(options) : new HttpAgent(options);
  return {
    send: (request, signal) => sendOnce(request, { agent, signal }),
    close: () => agent.destroy(),
  };
}

interface Wire {
  readonly agent: HttpAgent | HttpsAgent;
  readonly signal: AbortSignal;
}

async function sendOnce(request: WireRequest, wire: Wire, isAgain = false): Promise<Answer> {
  const sent = openRequest(request, wire);
  let response: IncomingMessage;
  try {
    response = await new Promise<IncomingMessage>((resolve, reject) => {
      sent.once('response', resolve);
      sent.once('error', reject);
      sent.end(request.body);
    });
  } catch (error) {
    // The server may close a socket that it takes for idle just as it is used again: that says nothing about the request.
    if (sent.reusedSocket && !wire.signal.aborted && !isAgain) return sendOnce(request, wire, true);
    throw error;
  }
  const headers = readHeaders(response);
  return { status: response.statusCode ?? 0, headers, ...(await readText(response, headers)) };
}

function openRequest({ method, url, headers, body }: WireRequest, { agent, signal }: Wire): ClientRequest {
  const open = url.startsWith('https:') ? requestHttps : requestHttp;
  const length = body === undefined ? {} : { 'content-length': String(Buffer.byteLength(body)) };
  return open(url, { method, agent, signal, headers: { ...headers, ...length } });
}

function readHeaders({ rawHeaders }: IncomingMessage): Headers {
  const headers = new Headers();
  for (let index = 0; index + 1 < rawHeaders.length; index += 2)
    headers.append(rawHeaders[index] ?? '', rawHeaders[index + 1] ?? '');
  return headers;
}

async function readText(response: IncomingMessage, headers: Headers): Promise<Pick<Answer, 'text' | 'isCut'>> {
  const isStream = isEndless(headers.get('content-type'));
  const chunks: Buffer[] = [];
  let size = 0;
  let isCut = false;
  // Ends the reading of a stream that has no end; what has come until then stays.
  const timer = isStream ? setTimeout(() => ((isCut = true), response.destroy()), MAX_STREAM_MS) : undefined;
  try {
    for await (const chunk of response as AsyncIterable<Buffer>) {
      chunks.push(chunk);
      size += chunk.length;
      if (size <= (isStream ? MAX_STREAM : MAX_ANSWER)) continue;
      isCut = isStream;
      break;
    }
  } catch (error) {
    if (!isCut) throw error;
  } finally {
    clearTimeout(timer);
  }
  const bytes = await decompress(Buffer.concat(chunks), headers.get('content-encoding'));
  const text = bytes.toString('utf8');
  return { text: text.startsWith('\uFEFF') ? text.slice(1) : text, ...(isCut ? { isCut } : {}) };
}

const LIMIT = { maxOutputLength: MAX_ANSWER };
const unzip = promisify(zlib.unzip);
const unbrotli = promisify(zlib.brotliDecompress);

/** A beginning is decoded as far as it goes. */
async function decompress(bytes: Buffer, coding: string | null): Promise<Buffer> {
  if (bytes.length === 0) return bytes;
  switch (coding?.trim().toLowerCase()) {
    case 'gzip':
    case 'x-gzip':
    case 'deflate':
      return unzip(bytes, { ...LIMIT, finishFlush: zlib.constants.Z_SYNC_FLUSH });
    case 'br':
      return unbrotli(bytes, { ...LIMIT, finishFlush: zlib.constants.BROTLI_OPERATION_FLUSH });
    default:
      return bytes;
  }
}
