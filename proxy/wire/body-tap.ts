import { ByteCollector } from '../../http/wire/byte-collector.js';
import { decompressBody } from '../../http/request/decompress.js';
import { HttpError } from '../../http/http-error.js';
import type { HeaderMap } from '../../http/messages.js';
import type { DecodedBody, ForwardedBody } from '../exchange/forwarded-exchange.js';
import { stringifyExactJson } from '../../runtime/json-integers.js';

/** The bytes of each body that are kept for the journal. */
export const START_BYTES: number = 64 * 1_024;

/** Keeps the start of a passing body up to a limit, so that memory does not grow with the body. */
export class BodyTap implements ForwardedBody {
  readonly #limit: number;
  readonly #encodings: string;
  #chunks = new ByteCollector();
  #start: Uint8Array | undefined;
  #size = 0;
  #isWhole = false;
  #decoded: Promise<DecodedBody> | undefined;

  /** @param limit - the most bytes that are kept, both as sent and decompressed. */
  constructor(headers: HeaderMap, limit: number) {
    this.#limit = limit;
    const encodings = headers['content-encoding'] ?? '';
    this.#encodings = typeof encodings === 'string' ? encodings : encodings.join(', ');
  }

  add(chunk: Uint8Array): void {
    this.#size += chunk.length;
    if (this.#start !== undefined) return;
    this.#chunks.add(chunk);
    if (this.#size <= this.#limit) return;
    // Copied, so that the chunks are not kept in memory.
    this.#start = Buffer.from(this.#chunks.joined().subarray(0, START_BYTES));
    this.#chunks = new ByteCollector();
  }

  end(): void {
    this.#isWhole = true;
  }

  get size(): number {
    return this.#size;
  }

  get isWhole(): boolean {
    return this.#isWhole;
  }

  get bytes(): Uint8Array | undefined {
    return this.#start === undefined ? this.#chunks.joined() : undefined;
  }

  get start(): Uint8Array {
    return this.#start ?? this.#chunks.joined().subarray(0, START_BYTES);
  }

  decode(): DecodedBody | Promise<DecodedBody> {
    const { bytes } = this;
    if (bytes === undefined) return tooLarge(this.#limit);
    if (!this.#isWhole) return { ok: false, reason: 'cut-off', message: 'is incomplete' };
    if (this.#encodings === '' || bytes.length === 0) return { ok: true, bytes };
    this.#decoded ??= this.#decode(bytes);
    return this.#decoded;
  }

  async #decode(bytes: Uint8Array): Promise<DecodedBody> {
    try {
      return { ok: true, bytes: await decompressBody(bytes, this.#encodings, this.#limit) };
    } catch (error) {
      if (!HttpError.is(error)) throw error;
      if (error.status === 413) return tooLarge(this.#limit);
      if (error.status === 415)
        return {
          ok: false,
          reason: 'unknown-encoding',
          message: `has the content encoding ${stringifyExactJson(this.#encodings)}, which is not supported`,
        };
      return { ok: false, reason: 'broken', message: 'must describe the body, which cannot be decompressed' };
    }
  }
}

function tooLarge(limit: number): DecodedBody {
  return { ok: false, reason: 'too-large', message: `is larger than ${describeSize(limit)}` };
}

function describeSize(bytes: number): string {
  const megabytes = bytes / (1_024 * 1_024);
  return Number.isInteger(megabytes) ? `${megabytes} MB` : `${bytes} bytes`;
}
