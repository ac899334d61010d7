import { type IncomingMessage, type Server, type ServerResponse, createServer } from 'node:http';
import type { Socket } from 'node:net';

import { respondToClientError } from '../http/wire/bad-request.js';
import { ConnectionWatch } from '../http/wire/graceful-close.js';
import { createWholeBody } from '../http/wire/request-body.js';
import { type Listening, type Place, listen } from '../http/wire/listen.js';
import { writeResponse } from '../http/wire/write-response.js';
import { isControlTarget } from '../http/wire/control-api.js';
import type { MockResponse, MockRequest } from '../http/messages.js';
import type { ProxyContext } from './exchange/context.js';
import { forwardExchange } from './exchange/forward-request.js';
import { type UpgradeRequest, forwardUpgrade } from './exchange/tunnel.js';

export interface ProxyServerOptions extends Place {
  readonly calls: ProxyContext;
  readonly control: (request: MockRequest) => Promise<MockResponse>;
}

const MAX_HEADER_BYTES = 64 * 1_024;
/** Until all headers are there, and how long an idle connection is kept. Milliseconds. */
const [HEADERS_TIMEOUT, KEEP_ALIVE] = [15_000, 30_000];
/** How long calls may go on when the server closes. Milliseconds. */
const CLOSE_PATIENCE = 2_000;

/**
 * Serves a proxy over HTTP. On Node's own server, not on Fastify: a proxy needs headers as they came, `100-continue`, and
 * requests for other protocols before anything else has looked at them.
 *
 * @returns a server whose `close` lets calls that are under way come to their end for a while.
 * @throws PortBusyError if the port is taken, InputError where the address cannot be listened on.
 */
export async function openProxyServer(options: ProxyServerOptions): Promise<Listening> {
  const server = createServer({
    maxHeaderSize: MAX_HEADER_BYTES,
    headersTimeout: HEADERS_TIMEOUT,
    keepAliveTimeout: KEEP_ALIVE,
    connectionsCheckingInterval: 5_000,
    // A body may take as long as it likes while something moves; each call watches that for itself.
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

/** Calls that are not over yet, though their client may have its response. */
class PendingCalls {
  #count = 0;
  #onQuiet: (() => void) | undefined;

  /** @param onFailure - the call cannot get a response any more; other calls must not fail with it. */
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

/** Errors of a connection show in its end; a stream without a listener for them would end the process. */
function ignore(): void {}

/** No route of the control interface of a proxy takes a body. */
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

/** WebSocket is passed through. Other upgrades are ignored (RFC 9110, section 7.8): such a request is handled like any other. */
function opensSocket({ headers, method, url = '/' }: IncomingMessage): boolean {
  return headers.upgrade?.toLowerCase() === 'websocket' && method === 'GET' && !isControlTarget(url);
}

interface UpgradeAttempt extends UpgradeRequest {
  readonly server: Server;
}

/** Gives the request back to the server without its wish. */
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
