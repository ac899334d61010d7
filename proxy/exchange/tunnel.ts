import { ServerResponse, type IncomingMessage } from 'node:http';
import type { Socket } from 'node:net';
import type { Duplex } from 'node:stream';

import type { ProxyContext } from './context.js';
import { toClientHeaders } from '../wire/forwarded-headers.js';
import { forwardExchange } from './forward-request.js';
import type { Upgraded } from '../wire/send-request.js';

/** A client that asks for another protocol, and its connection. */
export interface UpgradeRequest {
  readonly incoming: IncomingMessage;
  readonly socket: Socket;
  /** What came after the head. */
  readonly head: Buffer;
}

/**
 * Passes the request for another protocol on. Where the server agrees, both sides are joined, byte for byte; else its
 * response goes to the client. Never throws.
 */
export async function forwardUpgrade(host: ProxyContext, request: UpgradeRequest): Promise<void> {
  const { incoming, socket, head } = request;
  socket.on('error', () => undefined);
  const response = new ServerResponse(incoming);
  response.shouldKeepAlive = false;
  response.assignSocket(socket);
  response.once('finish', () => socket.destroySoon());
  const gone = (): void => void response.destroy();
  socket.once('close', gone);
  const upgraded = await forwardExchange({ host, incoming, response, upgrade: incoming.headers.upgrade });
  if (upgraded === undefined) return;
  socket.off('close', gone);
  response.detachSocket(socket);
  if (socket.destroyed) {
    upgraded.socket.destroy();
    return;
  }
  socket.write(describeHead(upgraded, host), 'latin1');
  join({ socket, head }, upgraded);
}

/** Parsed before, so nothing in it can end a line. */
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

function join(client: { readonly socket: Socket; readonly head: Buffer }, server: Upgraded): void {
  if (server.head.length > 0) client.socket.write(server.head);
  if (client.head.length > 0) server.socket.write(client.head);
  joinOneWay(client.socket, server.socket);
  joinOneWay(server.socket, client.socket);
}

/** The end of one side is the end of the other, and so is a break. */
function joinOneWay(from: Duplex, to: Duplex): void {
  from.on('error', () => undefined);
  from.once('close', () => to.destroy());
  from.pipe(to);
}
