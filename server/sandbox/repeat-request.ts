import { HttpError } from '../../http/http-error.js';
import type { MockRequest } from '../../http/messages.js';

/** The most bytes of a streamed body that are kept for a second reading. */
const MAX_KEPT = 32 * 1_024 * 1_024;

/** Makes a request whose body can be read again from its start, even as a stream. */
export function repeatRequest(request: MockRequest): MockRequest {
  const { method, target, base, headers, remoteAddress, signal } = request;
  const tape = new BodyTape(() => request.stream());
  return {
    method,
    target,
    base,
    headers,
    remoteAddress,
    signal,
    bytes: (limit) => request.bytes(limit),
    stream: () => tape.read(),
  };
}

class BodyTape {
  readonly #open: () => AsyncIterable<Uint8Array>;
  readonly #kept: Uint8Array[] = [];
  #source: AsyncIterator<Uint8Array> | undefined;
  #size = 0;

  constructor(open: () => AsyncIterable<Uint8Array>) {
    this.#open = open;
  }

  async *read(): AsyncGenerator<Uint8Array> {
    if (this.#size > MAX_KEPT)
      throw new HttpError(
        503,
        'Another request has changed the same data, and the body of this one is too long to be read again.',
      );
    yield* [...this.#kept];
    this.#source ??= this.#open()[Symbol.asyncIterator]();
    for (let next = await this.#source.next(); next.done !== true; next = await this.#source.next()) {
      this.#keep(next.value);
      yield next.value;
    }
  }

  #keep(chunk: Uint8Array): void {
    this.#size += chunk.byteLength;
    if (this.#size <= MAX_KEPT) this.#kept.push(chunk);
    else this.#kept.length = 0;
  }
}
