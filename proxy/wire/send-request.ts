import type { ClientRequest, IncomingMessage, ServerResponse } from 'node:http';
import type { Duplex } from 'node:stream';

import { atEndOfTurn } from '../../http/wire/end-of-turn.js';
import { MOST_INTERIM, TOO_MANY_INTERIM } from '../../http/wire/interim-responses.js';
import type { BufferedBody } from './buffer-body.js';
import { type ClientGone, clientGone } from './client-gone.js';
import { toTrailers } from './forwarded-headers.js';
import { HttpError } from '../../http/http-error.js';
import { IdleTimeout } from './idle-timeout.js';
import type { Upstream, UpstreamRequest } from './upstream.js';

export interface UpstreamMessage {
  readonly kind: 'response';
  readonly message: IncomingMessage;
}

/** The server has upgraded the connection. */
export interface Upgraded {
  readonly kind: 'upgrade';
  readonly message: IncomingMessage;
  readonly socket: Duplex;
  /** The bytes after the head. */
  readonly head: Buffer;
}

export type UpstreamResponse = UpstreamMessage | Upgraded;

/** The times of a request, by `performance.now()`. */
export interface SendTimes {
  start: number;
  /** When the connection was opened; absent if it was reused. */
  connected?: number;
  /** When the last byte of the request was written. */
  sent?: number;
}

/** A request to send to the server. */
export interface RequestToSend extends UpstreamRequest {
  readonly incoming: IncomingMessage;
  /** Receives `100 Continue` and early hints. */
  readonly response: ServerResponse;
  /** The part of the body that was read before. */
  readonly held: BufferedBody | undefined;
  /** The longest idle time before the response begins, in milliseconds. */
  readonly patience: number;
  readonly times: SendTimes;
  readonly gone: ClientGone;
}

/**
 * Sends a request to the server and streams its body. If a reused connection turns out to be closed, sends the request
 * once more, provided that repeating it is safe.
 *
 * @throws HttpError if there is no response.
 */
export async function sendToServer(upstream: Upstream, request: RequestToSend): Promise<UpstreamResponse> {
  const received = await sendOnce(upstream, request, false);
  if (received !== 'stale') return received;
  const repeated = isRepeatable(request) ? await sendOnce(upstream, request, true) : received;
  if (repeated === 'stale') throw new HttpError(502, NO_RESPONSE);
  return repeated;
}

const NO_RESPONSE = 'The server closed the connection without a response.';

/** Whether a request has a body. */
export function hasBody({ headers }: IncomingMessage): boolean {
  return headers['transfer-encoding'] !== undefined || (headers['content-length'] ?? '0') !== '0';
}

/** Whether a request can be sent again: it is idempotent (RFC 9110, section 9.2.2) and has no body. */
function isRepeatable({ method, incoming }: RequestToSend): boolean {
  return !hasBody(incoming) && ['GET', 'HEAD', 'OPTIONS', 'PUT', 'DELETE', 'TRACE', 'QUERY'].includes(method);
}

/** Returns `stale` if the server has closed an idle connection that was reused. */
function sendOnce(upstream: Upstream, sending: RequestToSend, isFresh: boolean): Promise<UpstreamResponse | 'stale'> {
  const { incoming, response, patience, gone } = sending;
  return new Promise((resolve, reject) => {
    const request = upstream.open(sending, isFresh);
    const watch = new IdleTimeout(patience, () => fail(() => idleError(request, incoming)));
    const touch = (): void => watch.touch();
    const abort = (): void => fail(clientGone);
    const unlisten = gone.listen(abort);
    let isSettled = false;
    const settle = (finish: () => void): void => {
      // Errors may also occur after the response; its reader handles them.
      if (isSettled) return;
      isSettled = true;
      watch.stop();
      if (hasBody(incoming)) incoming.off('data', touch);
      unlisten();
      finish();
    };
    const stop = (finish: () => void): void =>
      settle(() => {
        incoming.unpipe(request);
        request.destroy();
        finish();
      });
    // 'close' always fires; creates the error, whose stack is slow, only if nothing has settled before.
    const fail = (createError: () => HttpError): void => stop(() => reject(createError()));
    const received = (found: UpstreamResponse): void => settle(() => resolve(found));
    request.on('error', (error: NodeJS.ErrnoException) => {
      if (isStale(error, request)) stop(() => resolve('stale'));
      else fail(() => new HttpError(502, describeFailure(error)));
    });
    request.on('close', () => fail(() => new HttpError(502, NO_RESPONSE)));
    request.on('response', (message) => received({ kind: 'response', message }));
    request.on('upgrade', (message, socket, head) => received({ kind: 'upgrade', message, socket, head }));
    passInformation(request, response, () => fail(() => new HttpError(502, TOO_MANY_INTERIM)));
    if (gone.isGone) return abort();
    if (hasBody(incoming)) {
      noteTimes(request, sending.times, touch);
      incoming.on('data', touch);
      return writeBody(request, sending);
    }
    if (!request.reusedSocket) noteTimes(request, sending.times, touch);
    return atEndOfTurn(request, () => {
      if (isSettled) return;
      endRequest(request, incoming);
      if (request.reusedSocket) sending.times.sent = performance.now();
    });
  });
}

/** Passes interim responses on to the client, which may wait for them, up to {@link MOST_INTERIM}. */
function passInformation(request: ClientRequest, response: ServerResponse, stop: () => void): void {
  // HTTP/1.0 has no interim responses.
  const isUnderstood = response.req.httpVersion !== '1.0';
  let count = 0;
  request.on('information', ({ statusCode, headers }) => {
    count += 1;
    if (count > MOST_INTERIM) return stop();
    if (!isUnderstood) return;
    try {
      if (statusCode === 100) response.writeContinue();
      if (statusCode === 102) response.writeProcessing();
      if (statusCode === 103 && headers['link'] !== undefined) response.writeEarlyHints({ link: headers['link'] });
    } catch {
      // Drops a hint that Node refuses.
    }
  });
}

function noteTimes(request: ClientRequest, times: SendTimes, touch: () => void): void {
  request.on('finish', () => {
    times.sent = performance.now();
    touch();
  });
  request.on('socket', (socket) => {
    if (!socket.connecting) return;
    socket.once('connect', () => {
      times.connected = performance.now();
      touch();
    });
  });
}

function writeBody(request: ClientRequest, { incoming, held }: RequestToSend): void {
  for (const chunk of held?.chunks ?? []) request.write(chunk);
  if (held?.stop === 'end' || incoming.readableEnded) return endRequest(request, incoming);
  // The server may need the head before the client sends its body.
  request.flushHeaders();
  incoming.once('end', () => endRequest(request, incoming));
  incoming.pipe(request, { end: false });
  return undefined;
}

function endRequest(request: ClientRequest, { rawTrailers }: IncomingMessage): void {
  if (rawTrailers.length > 0) request.addTrailers(toTrailers(rawTrailers));
  request.end();
}

/** Makes the error for the side that was idle. */
function idleError(request: ClientRequest, incoming: IncomingMessage): HttpError {
  const isServer = incoming.complete || request.writableNeedDrain || request.socket?.connecting !== false;
  return isServer
    ? new HttpError(504, 'The server did not respond in time.')
    : new HttpError(408, 'The client did not finish its request in time.');
}

function isStale({ code }: NodeJS.ErrnoException, { reusedSocket }: ClientRequest): boolean {
  return reusedSocket && (code === 'ECONNRESET' || code === 'EPIPE');
}

/** Describes a system error without Node's message, which may quote data of the server. */
function describeFailure({ code = '' }: NodeJS.ErrnoException): string {
  const known = Object.hasOwn(FAILURES, code) ? FAILURES[code] : undefined;
  if (known !== undefined) return known;
  if (/CERT|SIGNATURE|ALTNAME/.test(code))
    return `The certificate of the server is not trusted (${code}); set NODE_EXTRA_CA_CERTS to a file with trusted certificates.`;
  if (code.startsWith('HPE_')) return `The response of the server is not HTTP (${code}).`;
  return `The server could not be reached${code === '' ? '' : ` (${code})`}.`;
}

const FAILURES: Readonly<Record<string, string>> = {
  ECONNREFUSED: 'The server refuses connections.',
  ECONNRESET: NO_RESPONSE,
  EPIPE: NO_RESPONSE,
  ENOTFOUND: 'The host name of the server cannot be resolved.',
  EAI_AGAIN: 'The host name of the server cannot be resolved.',
  ETIMEDOUT: 'The server could not be reached in time.',
  HPE_HEADER_OVERFLOW: 'The headers of the response are too large.',
};
