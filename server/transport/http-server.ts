import { type IncomingMessage, type Server, type ServerResponse, createServer } from 'node:http';
import { createServer as createSecureServer } from 'node:https';

import { InputError } from '../../model/diagnostics/input-error.js';
import { respondToClientError } from '../../http/wire/bad-request.js';
import { ConnectionWatch } from '../../http/wire/graceful-close.js';
import { type Listening, listen } from '../../http/wire/listen.js';
import { type CompressionLevel, compressResponse } from '../../http/wire/compress-response.js';
import { writeResponse } from '../../http/wire/write-response.js';
import type { OpenSocket } from '../pipeline/create-socket-pipeline.js';
import { createDispatch, type Dispatch, type TransportOptions } from './dispatch.js';
import { Mounts, refuseUnmounted } from './mounts.js';
import { NodeRequest } from './node-request.js';
import { SlowBodyGuard } from './slow-body-guard.js';
import { acceptWebSockets, type FoundSockets } from './websocket-server.js';

export interface HttpServerOptions extends TransportOptions {
  /** The address to listen on. Default: `127.0.0.1`. */
  readonly host?: string;
  /** The port; 0 for any free one. */
  readonly port: number;
  /** Without a trailing slash; empty for the root. Mocks with a prefix share the server of their port. */
  readonly mount?: string;
  /** HTTPS instead of HTTP. */
  readonly tls?: TlsFiles;
  readonly sockets?: OpenSocket;
  /** How strongly responses are compressed. Default: `none`. */
  readonly compression?: () => CompressionLevel;
  /** The time limits for clients, in milliseconds. */
  readonly timeouts?: Partial<HttpTimeouts>;
}

/** The texts of a certificate and its key, in PEM. */
export interface TlsFiles {
  readonly cert: string;
  readonly key: string;
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
const DEFAULT_HOST = '127.0.0.1';
const MAX_HEADER_BYTES = 64 * 1024;
/** Slower than any real connection, but faster than clients that only hold connections open. */
const LEAST_BYTES_A_SECOND = 100;

/** An API of a server. */
interface ServedApi {
  readonly dispatch: Dispatch;
  readonly compression: () => CompressionLevel;
  readonly options: HttpServerOptions;
}

/** The servers of this process whose APIs are mounted, by host and port. */
const shared = new Map<string, Promise<HttpServer>>();

/**
 * Serves a mock over HTTP. `close` lets running calls finish. Mocks with `mount` share the server of their port.
 *
 * @throws PortBusyError if the port is taken, InputError if the address cannot be listened on or the prefix is taken.
 * @example
 * const server = await openHttpServer({ handle, sandboxOf, port: 0 });
 * await fetch(`${server.url}/pets`);
 * await server.close();
 */
export async function openHttpServer(options: HttpServerOptions): Promise<Listening> {
  const { host = DEFAULT_HOST, port, mount } = options;
  if (mount === undefined) return (await HttpServer.open(options)).serve(options);
  const known = port === 0 ? undefined : shared.get(addressOf(host, port));
  if (known !== undefined) return (await known).serve(options);
  const opening = HttpServer.open(options);
  if (port !== 0) share(addressOf(host, port), opening);
  const server = await opening;
  if (port === 0) share(addressOf(host, Number(new URL(server.url).port)), opening);
  return server.serve(options);
}

function addressOf(host: string, port: number): string {
  return `${host} ${port}`;
}

function share(address: string, opening: Promise<HttpServer>): void {
  shared.set(address, opening);
  const forget = (): void => void shared.delete(address);
  opening.then((server) => server.onClose(forget), forget);
}

/** A server with the APIs that it serves. */
class HttpServer {
  readonly #listening: Listening;
  readonly #parts: ServerParts;
  readonly #mounts: Mounts<ServedApi>;
  #forget: () => void = () => undefined;
  #takesSockets = false;

  private constructor(listening: Listening, parts: ServerParts) {
    this.#listening = listening;
    this.#parts = parts;
    this.#mounts = parts.mounts;
  }

  static async open(options: HttpServerOptions): Promise<HttpServer> {
    const { host = DEFAULT_HOST, port, tls } = options;
    const timeouts = { ...DEFAULT_TIMEOUTS, ...options.timeouts };
    const server = createNodeServer(timeouts, tls);
    const watch = new ConnectionWatch(server);
    const bodies = new SlowBodyGuard({ idle: timeouts.body, grace: 2 * timeouts.body, least: LEAST_BYTES_A_SECOND });
    const mounts = new Mounts<ServedApi>();
    const respond = createRespond({ watch, bodies, mounts });
    server.on('request', respond);
    const listening = await listen(server, 'mock', { host, port });
    return new HttpServer(listening, { server, watch, bodies, mounts, respond, timeouts, tls });
  }

  get url(): string {
    return this.#listening.url;
  }

  onClose(forget: () => void): void {
    this.#forget = forget;
  }

  /** @throws InputError if another API has the prefix, or the server has another certificate. */
  serve(options: HttpServerOptions): Listening {
    const { mount: prefix = '', tls, compression = uncompressed } = options;
    if (tls?.cert !== this.#parts.tls?.cert)
      throw new InputError(`The mocks on ${this.url} share one server, so they have the same certificate or none.`);
    const api: ServedApi = { dispatch: createDispatch(options), compression, options };
    this.#mounts.add(api, { scheme: tls === undefined ? 'http' : 'https', prefix });
    if (options.sockets !== undefined) this.#acceptSockets();
    let closed: Promise<void> | undefined;
    return { url: this.url + prefix, close: () => (closed ??= this.#close(api)) };
  }

  /** Without a listener, Node handles requests to upgrade as if they had no `Upgrade`. */
  #acceptSockets(): void {
    if (this.#takesSockets) return;
    this.#takesSockets = true;
    const { server, bodies, respond, mounts } = this.#parts;
    const find = (target: string): FoundSockets | undefined => {
      const found = mounts.find(target);
      const { sockets, sandboxOf, hosts } = found?.mounted.options ?? {};
      if (found === undefined || sockets === undefined || sandboxOf === undefined) return undefined;
      return { ...found, sockets, sandboxOf, ...(hosts === undefined ? {} : { hosts }) };
    };
    acceptWebSockets(server, { find, bodies, respond });
  }

  /** Closes the server with its last API. */
  async #close(api: ServedApi): Promise<void> {
    if (this.#mounts.prefixes.length > 1) return this.#mounts.remove(api);
    this.#forget();
    const { watch, bodies, timeouts } = this.#parts;
    const close = async (): Promise<void> => {
      bodies.close();
      await this.#listening.close();
    };
    await watch.close(close, timeouts.close);
  }
}

type Respond = (request: IncomingMessage, response: ServerResponse) => void;

interface RespondParts {
  readonly watch: ConnectionWatch;
  readonly bodies: SlowBodyGuard;
  readonly mounts: Mounts<ServedApi>;
}

interface ServerParts extends RespondParts {
  readonly server: Server;
  readonly respond: Respond;
  readonly timeouts: HttpTimeouts;
  readonly tls: TlsFiles | undefined;
}

function createRespond({ watch, bodies, mounts }: RespondParts): Respond {
  return (request, response) => {
    watch.begin(response);
    const url = request.url ?? '/';
    const found = mounts.sole === undefined ? mounts.find(url) : { ...mounts.sole, target: url };
    if (found === undefined) {
      void writeResponse(refuseUnmounted(mounts.prefixes), request, response)?.catch(() => request.socket.destroy());
      return;
    }
    const { mounted, target, base } = found;
    mounted
      .dispatch(new NodeRequest({ request, response, bodies, target, base }))
      .then((mockResponse) => {
        const level = mounted.compression();
        if (level === 'none') return writeResponse(mockResponse, request, response);
        return compressResponse(mockResponse, request.headers, level).then((compressed) =>
          writeResponse(compressed, request, response),
        );
      })
      // Closes only this connection, so that other calls are not affected.
      .catch(() => void request.socket.destroy());
  };
}

function uncompressed(): CompressionLevel {
  return 'none';
}

function createNodeServer(timeouts: HttpTimeouts, tls: TlsFiles | undefined): Server {
  const options = {
    // Large bodies take long; SlowBodyGuard refuses those that stall.
    requestTimeout: 0,
    keepAliveTimeout: timeouts.keepAlive,
    maxHeaderSize: MAX_HEADER_BYTES,
    headersTimeout: timeouts.headers,
    connectionsCheckingInterval: Math.max(50, Math.min(5_000, timeouts.headers)),
  };
  const server: Server = tls === undefined ? createServer(options) : createSecureServer({ ...options, ...tls });
  return server.on('clientError', respondToClientError);
}
