import { type IncomingMessage, type Server, type ServerResponse, createServer } from 'node:http';

import { respondToClientError } from '../../http/wire/bad-request.js';
import { ConnectionWatch } from '../../http/wire/graceful-close.js';
import { type Listening, listen } from '../../http/wire/listen.js';
import { type CompressionLevel, compressResponse } from '../../http/wire/compress-response.js';
import { writeResponse } from '../../http/wire/write-response.js';
import type { OpenSocket } from '../pipeline/create-socket-pipeline.js';
import { createDispatch, type TransportOptions } from './dispatch.js';
import { NodeRequest } from './node-request.js';
import { SlowBodyGuard } from './slow-body-guard.js';
import { acceptWebSockets } from './websocket-server.js';

export interface HttpServerOptions extends TransportOptions {
  /** The address to listen on. Default: `127.0.0.1`. */
  readonly host?: string;
  /** The port; 0 for any free one. */
  readonly port: number;
  readonly sockets?: OpenSocket;
  /** How strongly responses are compressed. Default: `none`. */
  readonly compression?: () => CompressionLevel;
  /** The time limits for clients, in milliseconds. */
  readonly timeouts?: Partial<HttpTimeouts>;
}

export interface HttpTimeouts {
  /** The time to receive all headers. Default: 15 seconds. */
  readonly headers: number;
  /** The time without a byte of the body; after twice that, at least 100 bytes per second are needed. Default: 30 s. */
  readonly body: number;
  /** How long an idle connection is kept. Default: 30 seconds. */
  readonly keepAlive: number;
  /** How long responses may continue when the server closes. Default: 2 seconds. */
  readonly close: number;
}

const DEFAULT_TIMEOUTS: HttpTimeouts = { headers: 15_000, body: 30_000, keepAlive: 30_000, close: 2_000 };
const MAX_HEADER_BYTES = 64 * 1024;
/** Slower than any real connection, but faster than clients that only hold connections open. */
const LEAST_BYTES_A_SECOND = 100;

/**
 * Serves a mock over HTTP. `close` lets running calls finish.
 *
 * @throws PortBusyError if the port is taken, InputError if the address cannot be listened on.
 * @example
 * const server = await openHttpServer({ handle, sandboxOf, port: 0 });
 * await fetch(`${server.url}/pets`);
 * await server.close();
 */
export async function openHttpServer(options: HttpServerOptions): Promise<Listening> {
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
      // Closes only this connection, so that other calls are not affected.
      .catch(() => void request.socket.destroy());
  };
  server.on('request', respond);
  if (sockets !== undefined) acceptWebSockets(server, { ...options, sockets, bodies, respond });
  const listening = await listen(server, 'mock', { host, port });
  const close = async (): Promise<void> => {
    bodies.close();
    await listening.close();
  };
  return { url: listening.url, close: () => watch.close(close, timeouts.close) };
}

function uncompressed(): CompressionLevel {
  return 'none';
}

function createNodeServer(timeouts: HttpTimeouts): Server {
  const server = createServer({
    // Large bodies take long; SlowBodyGuard refuses those that stall.
    requestTimeout: 0,
    keepAliveTimeout: timeouts.keepAlive,
    maxHeaderSize: MAX_HEADER_BYTES,
    headersTimeout: timeouts.headers,
    connectionsCheckingInterval: Math.max(50, Math.min(5_000, timeouts.headers)),
  });
  return server.on('clientError', respondToClientError);
}
