import { type IncomingMessage, type Server, type ServerResponse, createServer } from 'node:http';
import type { Socket } from 'node:net';

import { respondToClientError } from '../http/wire/bad-request.js';
import { ConnectionWatch } from '../http/wire/graceful-close.js';
import { createWholeBody } from '../http/wire/request-body.js';
import { type Listening, type ListenAddress, listen } from '../http/wire/listen.js';
import { writeResponse } from '../http/wire/write-response.js';
import { isControlTarget } from '../http/routing/router.js';
import type { MockResponse, MockRequest } from '../http/messages.js';
import type { ProxyContext } from './exchange/proxy-context.js';
import { forwardExchange } from './exchange/forward-request.js';
import { type UpgradeRequest, forwardUpgrade } from './exchange/tunnel.js';

export interface ProxyServerOptions extends ListenAddress {
  readonly calls: ProxyContext;
  readonly control: (request: MockRequest) => Promise<MockResponse>;
}

const MAX_HEADER_BYTES = 64 * 1_024;
/** The time to receive all headers, and how long an idle connection is kept. Milliseconds. */
const [HEADERS_TIMEOUT, KEEP_ALIVE] = [15_000, 30_000];
/** How long calls may continue when the server closes. Milliseconds. */
const CLOSE_PATIENCE = 2_000;

/**
 * Serves a proxy over HTTP with Node's own server, because a proxy needs raw headers, `100-continue` and upgrade
 * requests before a framework handles them.
 *
 * @returns a server whose `close` gives running calls some time to finish.
 * @throws PortBusyError if the port is taken, InputError if the address cannot be listened on.
 */
export async function openProxyServer(options: ProxyServerOptions): Promise<Listening> {
  const server = createServer({
    maxHeaderSize: MAX_HEADER_BYTES,
    headersTimeout: HEADERS_TIMEOUT,
    keepAliveTimeout: KEEP_ALIVE,
    connectionsCheckingInterval: 5_000,
    // A body may take any time while data flows; each call has its own idle timeout.
    requestTimeout: 0,
  });
  const watch = new ConnectionWatch(server);
  const pending = new PendingCalls();
  const handle = createHandler(options, watch, pending);
  server.on('request', handle);
  server.on('checkContinue', handle);
  server.on('upgrade', (incoming: IncomingMessage, socket: Socket, head: Buffer) => {
    if (opensSocket(incoming))
      pending.add(forwardUpgrade(options.calls, { incoming, socket, head }), () => void socket.destroy());
    else readAgain({ server, incoming, socket, head });
  });
  server.on('clientError', respondToClientError);
  const listening = await listen(server, 'proxy', options);
  const close = async (): Promise<void> => {
    await watch.close(listening.close, CLOSE_PATIENCE);
    await pending.settle();
  };
  return { url: listening.url, close };
}

/** Calls that are not finished, even if their client already has the response. */
class PendingCalls {
  #count = 0;
  #onQuiet: (() => void) | undefined;

  /** @param onFailure - called if the call fails, to end it without affecting other calls. */
  add(call: Promise<unknown>, onFailure: () => void): void {
    this.#count += 1;
    const finish = (): void => {
      this.#count -= 1;
      if (this.#count === 0) this.#onQuiet?.();
    };
    call.then(finish, () => {
      onFailure();
      finish();
    });
  }

  async settle(): Promise<void> {
    if (this.#count > 0) await new Promise<void>((resolve) => (this.#onQuiet = resolve));
  }
}

type HandleCall = (incoming: IncomingMessage, response: ServerResponse) => void;

function createHandler(
  { calls, control }: ProxyServerOptions,
  watch: ConnectionWatch,
  pending: PendingCalls,
): HandleCall {
  return (incoming, response) => {
    watch.begin(response);
    incoming.on('error', ignore);
    response.on('error', ignore);
    const received = isControlTarget(incoming.url ?? '/')
      ? handleControl(control, incoming, response)
      : forwardExchange({ host: calls, incoming, response, upgrade: undefined });
    pending.add(received, () => void response.destroy());
  };
}

/** Ignores an error, because the end of the connection is handled. Without a listener, it would end the process. */
function ignore(): void {}

/** Handles a request of the control API, whose routes take no body. */
async function handleControl(
  control: ProxyServerOptions['control'],
  incoming: IncomingMessage,
  response: ServerResponse,
): Promise<void> {
  const { method = 'GET', url = '/', headers, socket } = incoming;
  const request: MockRequest = {
    method,
    target: url,
    headers,
    ...createWholeBody(new Uint8Array()),
    remoteAddress: socket.remoteAddress ?? '',
    signal: NEVER,
  };
  await writeResponse(await control(request), incoming, response);
}

const NEVER = new AbortController().signal;

/** Whether a request opens a WebSocket to the server. Other upgrades are ignored (RFC 9110, section 7.8). */
function opensSocket({ headers, method, url = '/' }: IncomingMessage): boolean {
  return headers.upgrade?.toLowerCase() === 'websocket' && method === 'GET' && !isControlTarget(url);
}

interface UpgradeAttempt extends UpgradeRequest {
  readonly server: Server;
}

/** Gives the request back to Node's server without its `Upgrade`. */
function readAgain({ server, incoming, socket, head }: UpgradeAttempt): void {
  const { rawHeaders } = incoming;
  const lines = rawHeaders.flatMap((name, index) =>
    index % 2 === 0 && !/^(?:connection|upgrade|http2-settings)$/i.test(name)
      ? [`${name}: ${rawHeaders[index + 1] ?? ''}`]
      : [],
  );
  const text = [
    `${incoming.method} ${incoming.url} HTTP/${incoming.httpVersion}`,
    ...lines,
    'Connection: close',
    '',
    '',
  ].join('\r\n');
  socket.unshift(Buffer.concat([Buffer.from(text, 'latin1'), head]));
  server.emit('connection', socket);
}
