import { once } from 'node:events';
import type { ServerResponse } from 'node:http';

import { writeResponse } from '../../http/wire/write-response.js';
import { type RenderedError, renderProblem } from '../../http/errors/render-error.js';
import { refusalOf } from '../../http/request/refuse-request.js';
import { refuseUnrouted } from '../../http/routing/refuse-unrouted.js';
import { HttpError } from '../../http/http-error.js';
import { clientGone } from '../wire/client-gone.js';
import { findHostProblem } from '../../http/wire/host-guard.js';
import { splitTarget } from '../../http/routing/router.js';
import type { MockResponse } from '../../http/messages.js';
import type { CheckedBody, ExchangeCheck } from '../check-exchange.js';
import { toServerHeaders } from '../wire/forwarded-headers.js';
import { BodyTap, START_BYTES } from '../wire/body-tap.js';
import { type BufferedBody, bufferBody } from '../wire/buffer-body.js';
import { forwardResponse } from './forward-response.js';
import { type IncomingExchange, type OpenExchange, openExchange } from './open-exchange.js';
import { type UpstreamResponse, type Upgraded, hasBody, sendToServer } from '../wire/send-request.js';

/** A call whose connection was upgraded to another protocol. The call is not finished. */
export interface UpgradedExchange {
  readonly exchange: OpenExchange;
  /** The server's side of the connection. */
  readonly upstream: Upgraded;
}

/**
 * Passes a call on to the server and its response back, checks both, and notifies the observer. Never throws.
 *
 * @returns the call if its connection was upgraded; the caller must then notify the observer.
 */
export async function forwardExchange(call: IncomingExchange): Promise<UpgradedExchange | undefined> {
  const { incoming, host } = call;
  const passing = openExchange(call);
  const { record, requestTap } = passing;
  try {
    const received = await sendToUpstream(passing);
    if (received.kind === 'upgrade') {
      openUpgraded(passing, received);
      await passing.checkBody();
      return { exchange: passing, upstream: received };
    }
    await forwardResponse(passing, received);
  } catch (error) {
    await respondWithError(passing, error);
  }
  // The unread rest of the request would block the next one on the connection.
  if (!incoming.readableEnded && hasBody(incoming)) incoming.unpipe().resume();
  const checked = passing.checkBody();
  if (checked instanceof Promise) await checked;
  const observed = host.observer.observe(record.describe(incoming, requestTap));
  if (observed instanceof Promise) await observed;
  return undefined;
}

/** Records a response that upgrades the connection, which has no body. */
function openUpgraded({ record }: OpenExchange, { message }: Upgraded): void {
  const body = new BodyTap(message.headers, START_BYTES);
  body.end();
  record.status = 101;
  record.setResponse(message, body);
}

async function sendToUpstream(passing: OpenExchange): Promise<UpstreamResponse> {
  const { host, incoming, response, upgrade, record, gone } = passing;
  refuseStrange(passing);
  const held = host.settings.errors ? await admitRequest(passing) : undefined;
  if (held?.stop !== 'end') tapRequest(passing);
  const [method, target] = [incoming.method ?? 'GET', incoming.url ?? '/'];
  record.url = host.upstream.urlOf(target);
  const received = await sendToServer(host.upstream, {
    method,
    target,
    headers: toServerHeaders({
      method,
      httpVersion: incoming.httpVersion,
      rawHeaders: incoming.rawHeaders,
      headers: incoming.headers,
      remoteAddress: incoming.socket.remoteAddress ?? 'unknown',
      host: host.upstream.host,
      pseudonym: host.pseudonym,
      upgrade,
      isAwaited: held === undefined,
    }),
    incoming,
    response,
    held,
    patience: host.settings.patience,
    times: record.times,
    gone,
  });
  const isSwitch = received.kind === 'upgrade' || received.message.statusCode === 101;
  if (received.kind === 'response' ? !isSwitch : upgrade !== undefined) return received;
  received.message.socket.destroy();
  throw new HttpError(502, 'The server changed to another protocol without being asked.');
}

/** Refuses requests that are not meant for this proxy or that it cannot forward. @throws HttpError */
function refuseStrange({ incoming: { headers }, host }: OpenExchange): void {
  // A page whose host name is rebound to this address could otherwise reach the server from its visitor's network.
  // HTTP/1.0 has no Host, but browsers do not use it.
  const foreign = headers.host === undefined ? undefined : findHostProblem(headers, host.hostRule);
  if (foreign !== undefined) throw foreign;
  const coding = headers['transfer-encoding'];
  if (coding !== undefined && coding.trim().toLowerCase() !== 'chunked')
    throw new HttpError(501, 'The transfer coding is not supported; the proxy supports only chunked.');
  if (headers['via']?.includes(host.pseudonym) === true)
    throw new HttpError(508, 'The request is in a loop: the upstream leads back to this proxy.');
}

/** Reads and checks a request before it is passed on. @throws HttpError if it violates the spec */
async function admitRequest(passing: OpenExchange): Promise<BufferedBody | undefined> {
  const { check, incoming, host, requestTap } = passing;
  if (check.operation === undefined) {
    if (check.match.kind === 'options') return undefined;
    const { path } = splitTarget(incoming.url ?? '/');
    throw refuseUnrouted(check.match, { method: incoming.method ?? '', path });
  }
  const { maxBodyBytes, patience } = host.settings;
  const { 'content-length': length = '0', 'transfer-encoding': coding } = incoming.headers;
  const isEmpty = length === '0' && coding === undefined;
  if (!check.validatesBody && !isEmpty) {
    // Only the media type of such a body is checked, so it need not be read.
    admit(check, await passing.checkBody());
    return undefined;
  }
  if (Number(length) > maxBodyBytes) admit(check, { problems: [], unchecked: 'too-large' });
  // The client may wait for `100 Continue`, which the server cannot send before it has the request.
  if (incoming.headers['expect'] !== undefined) passing.response.writeContinue();
  const held = await bufferBody(incoming, requestTap, { limit: maxBodyBytes, patience });
  if (held.stop === 'cut-off') throw clientGone();
  if (held.stop === 'idle') throw new HttpError(408, 'The client did not finish its request in time.');
  admit(check, await passing.checkBody());
  return held;
}

/** @throws HttpError if a request violates the spec or cannot be checked */
function admit({ operation, head }: ExchangeCheck, { problems, unchecked }: CheckedBody): void {
  const known = [...head, ...problems];
  if (operation !== undefined && known.length > 0) throw refusalOf(known, operation);
  if (unchecked === undefined) return;
  const why = unchecked === 'unknown-encoding' ? 'its content encoding is not supported' : 'it is too large';
  throw new HttpError(unchecked === 'unknown-encoding' ? 415 : 413, `The body cannot be checked: ${why}.`, {
    headers: { connection: 'close' },
  });
}

/** Copies the bytes that are passed on to the tap. */
function tapRequest({ incoming, requestTap, checkBody, upgrade }: OpenExchange): void {
  if (upgrade !== undefined || !hasBody(incoming)) {
    requestTap.end();
    return;
  }
  incoming.on('data', (chunk: Uint8Array) => requestTap.add(chunk));
  incoming.once('end', () => {
    requestTap.end();
    void checkBody();
  });
}

/** Sends the error if the client is still connected. */
async function respondWithError(passing: OpenExchange, error: unknown): Promise<void> {
  const { record, incoming, response, gone } = passing;
  const failure = toFailure(error);
  if (GATEWAY_STATUSES.has(failure.status)) record.addNote(failure.message);
  if (gone.isGone || response.destroyed || response.headersSent || failure.status === 0) {
    response.destroy();
    return;
  }
  const received = toResponse(failure, passing);
  record.status = received.status;
  record.refusal = {
    headers: received.headers,
    body: received.body?.kind === 'json' ? received.body.value : undefined,
  };
  const closed = untilClosed(response);
  await writeResponse(received, incoming, response);
  await closed;
}

/**
 * Statuses of the proxy itself, which are noted and rendered as problem details. Others refuse a request that breaks the
 * spec. 408: the client was too slow; 501: the proxy cannot forward the request; 502: the server failed; 504: the server
 * was too slow; 508: a loop; 0: the client is gone.
 */
const GATEWAY_STATUSES: ReadonlySet<number> = new Set([0, 408, 501, 502, 504, 508]);

function toFailure(error: unknown): HttpError {
  if (HttpError.is(error)) return error;
  const why = error instanceof Error ? error.message : String(error);
  return new HttpError(502, `The request could not be forwarded: ${why}`);
}

function toResponse(failure: HttpError, { host, check }: OpenExchange): MockResponse {
  const { status, message, violations } = failure;
  if (GATEWAY_STATUSES.has(status)) return { status, ...renderProblem({ status, message, violations }) };
  const { operation } = check;
  const rendered: RenderedError = host.renderError({
    status,
    message,
    violations,
    ...(operation === undefined ? {} : { operation }),
  });
  return { status, body: rendered.body, headers: { ...rendered.headers, ...failure.headers } };
}

async function untilClosed(response: ServerResponse): Promise<void> {
  if (!response.destroyed) await once(response, 'close').catch(() => undefined);
}
