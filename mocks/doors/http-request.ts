import type { IncomingMessage } from 'node:http';

import type { HeaderMap, MockRequest } from '../seams/http.js';
import { createStream } from './body-source.js';
import { readIncoming } from './read-incoming.js';

/** A request of Node as the pipeline takes it. What costs something is made when it is asked for. */
export class NodeRequest implements MockRequest {
  readonly method: string;
  readonly target: string;
  readonly headers: HeaderMap;
  readonly #raw: IncomingMessage;
  #bytes: Promise<Uint8Array> | undefined;
  #gone: AbortController | undefined;

  /** @param target - path and query as they came: Fastify may have changed those of the request. */
  constructor(raw: IncomingMessage, target: string) {
    this.method = raw.method ?? 'GET';
    this.target = target;
    this.headers = raw.headers;
    this.#raw = raw;
  }

  bytes(limit?: number): Promise<Uint8Array> {
    this.#bytes ??= readIncoming(this.#raw, limit);
    return this.#bytes;
  }

  stream(): AsyncIterable<Uint8Array> {
    return this.#bytes === undefined ? this.#raw : createStream(this.#bytes);
  }

  get remoteAddress(): string {
    return this.#raw.socket.remoteAddress ?? '';
  }

  get signal(): AbortSignal {
    if (this.#gone === undefined) {
      const gone = new AbortController();
      this.#gone = gone;
      const { socket } = this.#raw;
      if (socket.destroyed) gone.abort();
      else socket.once('close', () => gone.abort());
    }
    return this.#gone.signal;
  }
}
