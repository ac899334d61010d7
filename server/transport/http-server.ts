import type { IncomingMessage, ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

import Fastify, { type FastifyInstance } from 'fastify';

import { InputError, systemCode } from '../../model/diagnostics/input-error.js';
import type { OpenSocket } from '../pipeline/create-socket-pipeline.js';
import { BodyWatch } from './slow-body-guard.js';
import { answerClientError } from '../../http/wire/bad-request.js';
import { ConnectionWatch } from '../../http/wire/graceful-close.js';
import { createDispatch, type DoorOptions } from './dispatch.js';
import { NodeRequest } from './node-request.js';
import { PortBusyError } from '../../http/wire/port-busy-error.js';
import { addSockets } from './websocket-server.js';
import { writeAnswer } from '../../http/wire/write-response.js';

export interface HttpDoorOptions extends DoorOptions {
  /** Default: `127.0.0.1`. */
  readonly host?: string;
  /** 0: any free one. */
  readonly port: number;
  /** Opens the WebSockets of the API. */
  readonly sockets?: OpenSocket;
  /** How long a client may take, in milliseconds. */
  readonly timeouts?: Partial<DoorTimeouts>;
}

export interface DoorTimeouts {
  /** Until all headers are there. Default: 15 seconds. */
  readonly headers: number;
  /** Without a byte of the body. Twice as long it may come as slowly as it likes, then at 100 bytes a second at least. Default: 30 seconds. */
  readonly body: number;
  /** How long an idle connection is kept. Default: 30 seconds. */
  readonly keepAlive: number;
  /** How long answers may go on when the door closes. Default: 2 seconds. */
  readonly close: number;
}

export interface HttpDoor {
  /** Such as `http://127.0.0.1:4010`, without a slash at the end. */
  readonly url: string;
  /** Takes no more calls, lets those that are under way come to their end, and closes all connections. */
  readonly close: () => Promise<void>;
}

const DEFAULT_TIMEOUTS: DoorTimeouts = { headers: 15_000, body: 30_000, keepAlive: 30_000, close: 2_000 };
const MAX_HEADER_BYTES = 64 * 1024;
/** Slower than any line, and quicker than those who only want to hold a connection. */
const LEAST_BYTES_A_SECOND = 100;

/**
 * Serves a mock over HTTP, with Fastify.
 *
 * @throws PortBusyError where the port is taken, InputError where the address cannot be listened on.
 * @example
 * const door = await openHttpDoor({ handle, sandboxOf, port: 0 });
 * await fetch(`${door.url}/pets`);
 * await door.close();
 */
export async function openHttpDoor(options: HttpDoorOptions): Promise<HttpDoor> {
  const { host = '127.0.0.1', port } = options;
  const timeouts = { ...DEFAULT_TIMEOUTS, ...options.timeouts };
  const server = createServer(timeouts);
  const watch = new ConnectionWatch(server.server);
  const bodies = new BodyWatch({ idle: timeouts.body, grace: 2 * timeouts.body, least: LEAST_BYTES_A_SECOND });
  server.addHook('onClose', async () => bodies.close());
  await addRoutes(server, { ...options, watch, bodies });
  await listen(server, { host, port });
  const address = server.server.address() as AddressInfo;
  const name = address.family === 'IPv6' ? `[${address.address}]` : address.address;
  return { url: `http://${name}:${address.port}`, close: () => watch.close(() => server.close(), timeouts.close) };
}

function createServer(timeouts: DoorTimeouts): FastifyInstance {
  const server = Fastify({
    logger: false,
    exposeHeadRoutes: false,
    forceCloseConnections: 'idle',
    // A large body takes its time: what counts is that it comes, see BodyWatch.
    requestTimeout: 0,
    keepAliveTimeout: timeouts.keepAlive,
    // Every call leads to the one route: the router of the pipeline knows the paths, and sees them as they came.
    rewriteUrl: () => '/',
    http: {
      maxHeaderSize: MAX_HEADER_BYTES,
      headersTimeout: timeouts.headers,
      connectionsCheckingInterval: Math.max(50, Math.min(5_000, timeouts.headers)),
    },
    clientErrorHandler: answerClientError,
  });
  // Bodies are left for the pipeline to read.
  server.removeAllContentTypeParsers();
  server.addContentTypeParser('*', (_request, _payload, done) => done(null));
  return server;
}

async function addRoutes(
  server: FastifyInstance,
  options: HttpDoorOptions & { readonly watch: ConnectionWatch; readonly bodies: BodyWatch },
): Promise<void> {
  const { watch, bodies, sockets } = options;
  const dispatch = createDispatch(options);
  const answer = (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    watch.begin(response);
    return (
      dispatch(new NodeRequest({ request, response, target: targetOf(request), bodies }))
        .then((answered) => writeAnswer(answered, request, response))
        // Nothing of this call can be said any more, and nothing else is to suffer from it.
        .catch(() => void request.socket.destroy())
    );
  };
  if (sockets !== undefined) await addSockets(server, { ...options, sockets, answer });
  // Fastify looks no further than at this hook: content types and methods that it does not know are for the pipeline.
  server.addHook('onRequest', (request, reply, done) => {
    if (request.ws) {
      done();
      return;
    }
    reply.hijack();
    void answer(request.raw, reply.raw);
  });
  if (sockets === undefined) server.route({ method: 'GET', url: '/', handler: () => undefined });
}

/** Fastify keeps the target beside the one that it rewrites. */
function targetOf(request: IncomingMessage & { readonly originalUrl?: string }): string {
  return request.originalUrl ?? request.url ?? '/';
}

const LISTEN_REASONS: Readonly<Record<string, string>> = {
  EADDRNOTAVAIL: 'this machine has no such address',
  ENOTFOUND: 'no host has this name',
  EAI_AGAIN: 'no host has this name',
  EACCES: 'permission is denied',
};

async function listen(
  server: FastifyInstance,
  { host, port }: { readonly host: string; readonly port: number },
): Promise<void> {
  try {
    await server.listen({ host, port });
  } catch (error) {
    await server.close();
    const code = systemCode(error);
    if (code === 'EADDRINUSE') throw new PortBusyError(host, port);
    if (code === undefined) throw error;
    const reason = LISTEN_REASONS[code] ?? code;
    throw new InputError(`The mock cannot listen on port ${port} of ${host}: ${reason}.`, {}, { cause: error });
  }
}
