import type { IncomingMessage } from 'node:http';

import type { HeaderMap, MockRequest } from '../seams/http.js';
import { createBodySource } from './body-source.js';

/** A request of Node as the pipeline takes it. What costs something is made when it is asked for. */
export class NodeRequest implements MockRequest {
  readonly method: string;
  readonly target: string;
  readonly headers: HeaderMap;
  readonly #raw: IncomingMessage;
  #body: Pick<MockRequest, 'bytes' | 'stream'> | undefined;
  #gone: AbortController | undefined;

  /** @param target - path and query as they came: Fastify may have changed those of the request. */
  constructor(raw: IncomingMessage, target: string) {
    this.method = raw.method ?? 'GET';
    this.target = target;
    this.headers = raw.headers;
    this.#raw = raw;
  }

  get bytes(): MockRequest['bytes'] {
    return this.#source.bytes;
  }

  get stream(): MockRequest['stream'] {
    return this.#source.stream;
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

  get #source(): Pick<MockRequest, 'bytes' | 'stream'> {
    this.#body ??= createBodySource(() => this.#raw);
    return this.#body;
  }
}
