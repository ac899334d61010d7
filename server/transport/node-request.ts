import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';

import type { HeaderMap, MockRequest } from '../../http/messages.js';
import { createStream } from '../../http/wire/request-body.js';
import type { SlowBodyGuard } from './slow-body-guard.js';
import { readIncoming, streamIncoming } from './read-body.js';

/** A request of Node with what the server knows of it. */
export interface NodeExchange {
  readonly request: IncomingMessage;
  readonly response: ServerResponse;
  readonly bodies: SlowBodyGuard;
}

/** Adapts a request of Node to the pipeline. Expensive parts are computed on first use. */
export class NodeRequest implements MockRequest {
  readonly method: string;
  readonly target: string;
  readonly headers: HeaderMap;
  readonly #exchange: NodeExchange;
  #bytes: Promise<Uint8Array> | undefined;
  #gone: AbortController | undefined;

  constructor(exchange: NodeExchange) {
    const { request } = exchange;
    this.method = request.method ?? 'GET';
    this.target = request.url ?? '/';
    this.headers = shareHeaders(request);
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

/** The headers of the last request of each connection, as they came and as a map. */
const lastHeaders = new WeakMap<Socket, { readonly raw: readonly string[]; readonly map: HeaderMap }>();

/**
 * The requests of a connection mostly have the same headers. They share one map, since the journal keeps those of a
 * thousand requests, and what is kept is what collecting garbage costs.
 */
function shareHeaders({ socket, rawHeaders, headers }: IncomingMessage): HeaderMap {
  const last = lastHeaders.get(socket);
  if (last !== undefined && isSameList(last.raw, rawHeaders)) return last.map;
  lastHeaders.set(socket, { raw: rawHeaders, map: headers });
  return headers;
}

function isSameList(one: readonly string[], other: readonly string[]): boolean {
  if (one.length !== other.length) return false;
  for (let index = 0; index < one.length; index += 1) if (one[index] !== other[index]) return false;
  return true;
}

/** Whom to tell when a connection ends: it carries many requests, and may have only so many listeners. */
const waiting = new WeakMap<Socket, Set<AbortController>>();

/** Aborts when the client goes away before it has its response. */
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
