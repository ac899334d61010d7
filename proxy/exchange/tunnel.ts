import { ServerResponse, type IncomingMessage } from 'node:http';
import type { Socket } from 'node:net';

import type { ProxyContext } from './proxy-context.js';
import type { ForwardedExchange } from './forwarded-exchange.js';
import { toClientHeaders } from '../wire/forwarded-headers.js';
import { gateSockets, joinSockets, type SocketEnd } from '../websocket/join-sockets.js';
import { readExtensions } from '../websocket/message-reader.js';
import { SocketSession } from '../websocket/socket-session.js';
import { forwardExchange, type UpgradedExchange } from './forward-request.js';
import type { Upgraded } from '../wire/send-request.js';

/** The delay after which new messages are written to the journal. Milliseconds. */
const UPDATE_DELAY = 50;

/** A request to upgrade the connection. */
export interface UpgradeRequest {
  readonly incoming: IncomingMessage;
  readonly socket: Socket;
  /** The bytes after the head. */
  readonly head: Buffer;
}

/**
 * Passes an upgrade request on. If the server accepts it, joins both sides until they end; otherwise sends the server's
 * response to the client. Never throws.
 */
export async function forwardUpgrade(host: ProxyContext, request: UpgradeRequest): Promise<void> {
  const { incoming, socket, head } = request;
  socket.on('error', () => undefined);
  const response = new ServerResponse(incoming);
  response.shouldKeepAlive = false;
  response.assignSocket(socket);
  response.on('error', () => undefined);
  response.once('finish', () => socket.destroySoon());
  const gone = (): void => void response.destroy();
  socket.once('close', gone);
  const upgraded = await forwardExchange({ host, incoming, response, upgrade: incoming.headers.upgrade });
  if (upgraded === undefined) return;
  socket.off('close', gone);
  response.detachSocket(socket);
  if (socket.destroyed) upgraded.upstream.socket.destroy();
  await passMessages(upgraded, { socket, head });
}

/** Joins both sides until they end, and notifies the observer. */
async function passMessages({ exchange, upstream }: UpgradedExchange, client: SocketEnd): Promise<void> {
  const { host, record, incoming, requestTap, check } = exchange;
  const { errors, maxBodyBytes, keepsBodies } = host.settings;
  const describe = (): ForwardedExchange => record.describe(incoming, requestTap);
  const opened = await host.observer.observeOpened(describe());
  const extensions = readExtensions(upstream.message.headers);
  const rules = check.messageRules;
  const isStrict = errors && rules !== undefined;
  const timer = new Debounce(() => void opened.update(describe()), UPDATE_DELAY);
  const session = new SocketSession({
    record,
    extensions,
    rules,
    limit: maxBodyBytes,
    keepsBodies,
    isStrict,
    onChange: () => timer.touch(),
  });
  const ends = { client, server: upstream };
  client.socket.write(describeHead(upstream, host), 'latin1');
  await (isStrict ? gateSockets(ends, session) : joinSockets(ends, session));
  timer.stop();
  session.finish();
  await opened.finish(describe());
}

/** Writes the head of the response. Node has parsed its parts, so none contains a line break. */
function describeHead({ message }: Upgraded, host: ProxyContext): string {
  const { statusMessage = '', rawHeaders, headers, httpVersion } = message;
  const pairs = toClientHeaders({
    status: 101,
    httpVersion,
    rawHeaders,
    headers,
    pseudonym: host.pseudonym,
    takesTrailers: false,
    violations: undefined,
  });
  pairs.push('Connection', 'Upgrade', 'Upgrade', headers['upgrade'] ?? '');
  const lines = pairs.flatMap((name, index) => (index % 2 === 0 ? [`${name}: ${pairs[index + 1] ?? ''}`] : []));
  return [`HTTP/1.1 101 ${statusMessage}`, ...lines, '', ''].join('\r\n');
}

/** Calls `onChange` once for several changes, some time after the first one. */
class Debounce {
  readonly #onChange: () => void;
  readonly #delay: number;
  #timer: NodeJS.Timeout | undefined;

  /** @param delay - milliseconds. */
  constructor(onChange: () => void, delay: number) {
    this.#onChange = onChange;
    this.#delay = delay;
  }

  touch(): void {
    this.#timer ??= setTimeout(() => {
      this.#timer = undefined;
      this.#onChange();
    }, this.#delay);
  }

  stop(): void {
    clearTimeout(this.#timer);
  }
}
