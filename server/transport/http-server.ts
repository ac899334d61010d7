import { lookup } from 'node:dns/promises';
import { type IncomingMessage, type Server, type ServerResponse, createServer } from 'node:http';
import net, { type AddressInfo } from 'node:net';
import { once } from 'node:events';

import { InputError, systemCode } from '../../model/diagnostics/input-error.js';
import { respondToClientError } from '../../http/wire/bad-request.js';
import { ConnectionWatch } from '../../http/wire/graceful-close.js';
import { PortBusyError } from '../../http/wire/port-busy-error.js';
import { type CompressionLevel, compressResponse } from '../../http/wire/compress-response.js';
import { writeResponse } from '../../http/wire/write-response.js';
import type { OpenSocket } from '../pipeline/create-socket-pipeline.js';
import { createDispatch, type TransportOptions } from './dispatch.js';
import { NodeRequest } from './node-request.js';
import { SlowBodyGuard } from './slow-body-guard.js';
import { acceptWebSockets } from './websocket-server.js';

export interface HttpServerOptions extends TransportOptions {
  /** Default: `127.0.0.1`. */
  readonly host?: string;
  /** 0: any free one. */
  readonly port: number;
  readonly sockets?: OpenSocket;
  /** How hard responses are compressed. Default: not at all. */
  readonly compression?: () => CompressionLevel;
  /** How long a client may take, in milliseconds. */
  readonly timeouts?: Partial<HttpTimeouts>;
}

export interface HttpTimeouts {
  /** Until all headers are there. Default: 15 seconds. */
  readonly headers: number;
  /** Without a byte of the body. Twice as long it may come as slowly as it likes, then at 100 bytes a second at least. Default: 30 seconds. */
  readonly body: number;
  /** How long an idle connection is kept. Default: 30 seconds. */
  readonly keepAlive: number;
  /** How long responses may go on when the server closes. Default: 2 seconds. */
  readonly close: number;
}

export interface HttpServer {
  /** Such as `http://127.0.0.1:4010`, without a slash at the end. */
  readonly url: string;
  /** Takes no more calls, lets those that are under way come to their end, and closes all connections. */
  readonly close: () => Promise<void>;
}

const DEFAULT_TIMEOUTS: HttpTimeouts = { headers: 15_000, body: 30_000, keepAlive: 30_000, close: 2_000 };
const MAX_HEADER_BYTES = 64 * 1024;
/** Slower than any line, and faster than a client that only wants to hold a connection. */
const LEAST_BYTES_A_SECOND = 100;

/**
 * Serves a mock over HTTP.
 *
 * @throws PortBusyError if the port is taken, InputError where the address cannot be listened on.
 * @example
 * const server = await openHttpServer({ handle, sandboxOf, port: 0 });
 * await fetch(`${server.url}/pets`);
 * await server.close();
 */
export async function openHttpServer(options: HttpServerOptions): Promise<HttpServer> {
  const { host = '127.0.0.1', port, sockets, compression = uncompressed } = options;
  const timeouts = { ...DEFAULT_TIMEOUTS, ...options.timeouts };
  const server = createNodeServer(timeouts);
  const watch = new ConnectionWatch(server);
  const bodies = new SlowBodyGuard({ idle: timeouts.body, grace: 2 * timeouts.body, least: LEAST_BYTES_A_SECOND });
  const dispatch = createDispatch(options);
  const respond = (request: IncomingMessage, response: ServerResponse): void => {
    watch.begin(response);
    dispatch(new NodeRequest({ request, response, bodies }))
      .then((mockResponse) => {
        const level = compression();
        if (level === 'none') return writeResponse(mockResponse, request, response);
        return compressResponse(mockResponse, request.headers, level).then((compressed) =>
          writeResponse(compressed, request, response),
        );
      })
      // The connection is broken: other calls must not suffer from it.
      .catch(() => void request.socket.destroy());
  };
  server.on('request', respond);
  if (sockets !== undefined) acceptWebSockets(server, { ...options, sockets, bodies, respond });
  const others = await listen(server, { host, port });
  const close = async (): Promise<void> => {
    bodies.close();
    await Promise.all([server, ...others].map(closeServer));
  };
  return { url: urlOf(server), close: () => watch.close(close, timeouts.close) };
}

function uncompressed(): CompressionLevel {
  return 'none';
}

function createNodeServer(timeouts: HttpTimeouts): Server {
  const server = createServer({
    // A large body takes its time; SlowBodyGuard refuses those that stop coming.
    requestTimeout: 0,
    keepAliveTimeout: timeouts.keepAlive,
    maxHeaderSize: MAX_HEADER_BYTES,
    headersTimeout: timeouts.headers,
    connectionsCheckingInterval: Math.max(50, Math.min(5_000, timeouts.headers)),
  });
  return server.on('clientError', respondToClientError);
}

function urlOf(server: Server): string {
  const { address, family, port } = server.address() as AddressInfo;
  return `http://${family === 'IPv6' ? `[${address}]` : address}:${port}`;
}

async function closeServer(server: net.Server): Promise<void> {
  await new Promise((resolve) => server.close(resolve));
}

const LISTEN_REASONS: Readonly<Record<string, string>> = {
  EADDRNOTAVAIL: 'this machine has no such address',
  ENOTFOUND: 'no host has this name',
  EAI_AGAIN: 'no host has this name',
  EACCES: 'permission is denied',
};

interface Place {
  readonly host: string;
  readonly port: number;
}

/** Listens, and gives the servers of the other addresses of the host. */
async function listen(server: Server, { host, port }: Place): Promise<readonly net.Server[]> {
  try {
    await listenAt(server, { host, port });
  } catch (error) {
    const code = systemCode(error);
    if (code === 'EADDRINUSE') throw new PortBusyError(host, port);
    if (code === undefined) throw error;
    const reason = LISTEN_REASONS[code] ?? code;
    throw new InputError(`The mock cannot listen on port ${port} of ${host}: ${reason}.`, {}, { cause: error });
  }
  return host === 'localhost' ? listenOnOtherLoopback(server) : [];
}

async function listenAt(server: net.Server, place: Place): Promise<void> {
  const listening = once(server, 'listening');
  server.listen(place);
  await listening;
}

/** `localhost` is 127.0.0.1 as well as ::1, and clients differ in which one they take. */
async function listenOnOtherLoopback(server: Server): Promise<readonly net.Server[]> {
  const { address: first, port } = server.address() as AddressInfo;
  const addresses = await lookup('localhost', { all: true }).catch(() => []);
  const opened = addresses.flatMap(({ address }) => (address === first ? [] : [openForwarder(server, address, port)]));
  return (await Promise.all(opened)).flat();
}

async function openForwarder(server: Server, host: string, port: number): Promise<readonly net.Server[]> {
  const other = net.createServer((socket) => void server.emit('connection', socket));
  try {
    await listenAt(other, { host, port });
    return [other];
  } catch {
    // A machine without IPv6, or the port is taken there: the first address still serves.
    return [];
  }
}
