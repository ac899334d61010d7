import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';

import type { HeaderMap, MockRequest } from '../seams/http.js';
import { createStream } from './body-source.js';
import type { BodyWatch } from './body-watch.js';
import { readIncoming, streamIncoming } from './read-incoming.js';

/** A request of Node with what the door knows of it. */
export interface NodeExchange {
  readonly request: IncomingMessage;
  readonly response: ServerResponse;
  /** Path and query as they came: Fastify may have changed those of the request. */
  readonly target: string;
  readonly bodies: BodyWatch;
}

/** A request of Node as the pipeline takes it. What costs something is made when it is asked for. */
export class NodeRequest implements MockRequest {
  readonly method: string;
  readonly target: string;
  readonly headers: HeaderMap;
  readonly #exchange: NodeExchange;
  #bytes: Promise<Uint8Array> | undefined;
  #gone: AbortController | undefined;

  constructor(exchange: NodeExchange) {
    const { request, target } = exchange;
    this.method = request.method ?? 'GET';
    this.target = target;
    this.headers = request.headers;
    this.#exchange = exchange;
  }

  bytes(limit?: number): Promise<Uint8Array> {
    const { request, bodies } = this.#exchange;
    this.#bytes ??= readIncoming(request, bodies, limit);
    return this.#bytes;
  }

  stream(): AsyncIterable<Uint8Array> {
    const { request, bodies } = this.#exchange;
    return this.#bytes === undefined ? streamIncoming(request, bodies) : createStream(this.#bytes);
  }

  get remoteAddress(): string {
    return this.#exchange.request.socket.remoteAddress ?? '';
  }

  get signal(): AbortSignal {
    this.#gone ??= watchClient(this.#exchange);
    return this.#gone.signal;
  }
}

/** Whom to tell when a connection ends: it carries many requests, and may have only so many listeners. */
const waiting = new WeakMap<Socket, Set<AbortController>>();

/** Aborts when the client goes away before it has its answer. */
function watchClient({ request: { socket }, response }: NodeExchange): AbortController {
  const gone = new AbortController();
  if (socket.destroyed) gone.abort();
  const others = waiting.get(socket) ?? followSocket(socket);
  others.add(gone);
  response.once('close', () => {
    others.delete(gone);
    if (!response.writableFinished) gone.abort();
  });
  return gone;
}

function followSocket(socket: Socket): Set<AbortController> {
  const controllers = new Set<AbortController>();
  waiting.set(socket, controllers);
  socket.once('close', () => {
    for (const controller of controllers) controller.abort();
  });
  return controllers;
}
