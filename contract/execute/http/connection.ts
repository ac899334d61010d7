import tls from 'node:tls';

import type { IncomingHttpHeaders } from 'node:http';

import { Client, type Dispatcher } from 'undici';

import { ByteCollector } from '../../../http/wire/byte-collector.js';
import { MOST_INTERIM, TOO_MANY_INTERIM } from '../../../http/wire/interim-responses.js';
import { parseExactText } from '../../../model/exact-json.js';
import type { ResponseHeaders } from '../../types.js';
import { LateResponseError, MAX_RESPONSE, MAX_STREAM, MAX_STREAM_MS, isEndless } from './transport.js';

/** A request, ready to be sent. */
export interface RawRequest {
  readonly method: string;
  /** Path and query. */
  readonly path: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string | null;
  /** Milliseconds. */
  readonly timeLimitMs: number;
}

export interface RawResponse {
  readonly status: number;
  readonly headers: ResponseHeaders;
  readonly body: Buffer;
  /** Whether the body is incomplete because the rest was not awaited. */
  readonly isCut: boolean;
}

/** The caller enforces the time limit of a request; undici's are disabled. */
const NO_TIMEOUTS = { headersTimeout: 0, bodyTimeout: 0 } as const;
const MAX_HEAD = 65_536;

/** Which server certificates are accepted. */
export interface Trust {
  /** Additional certificate authorities, as PEM. */
  readonly ca: string | undefined;
  readonly insecure: boolean;
}

/** One connection to a server. Sends one request at a time. */
export class Connection {
  readonly #client: Client;
  #isReused = false;
  #response: ResponseHandler | undefined;

  constructor(origin: string, { ca, insecure }: Trust) {
    this.#client = new Client(origin, {
      ...NO_TIMEOUTS,
      maxHeaderSize: MAX_HEAD,
      maxResponseSize: -1,
      connect: {
        ...(insecure ? { rejectUnauthorized: false } : {}),
        ...(ca === undefined ? {} : { ca: [...tls.rootCertificates, ca] }),
      },
    });
    this.#client.on('disconnect', () => (this.#isReused = false));
  }

  /** Whether the open socket has carried a response already: the server may close it just as it is reused. */
  get isReused(): boolean {
    return this.#isReused;
  }

  /** Whether any part of a response to the last request has arrived. */
  get hasResponded(): boolean {
    return this.#response?.hasBegun === true;
  }

  get isOpen(): boolean {
    return !this.#client.destroyed;
  }

  /** Sends a request and reads the response. Rejects if no response arrives in time, or if it is not HTTP. */
  async send({ timeLimitMs, ...request }: RawRequest): Promise<RawResponse> {
    const limit = startLimit(timeLimitMs, () => this.close(new LateResponseError()));
    try {
      const response = await new Promise<RawResponse>((resolve, reject) => {
        this.#response = new ResponseHandler({ resolve, reject, cut: () => this.close() });
        this.#client.dispatch(request, this.#response);
      });
      this.#isReused = true;
      return response;
    } finally {
      limit.end();
    }
  }

  close(reason?: Error): void {
    this.#client.destroy(reason ?? null).catch(() => undefined);
  }
}

/**
 * Calls `onOver` after a time limit. Extends it once if this process was busy: a response may have arrived meanwhile.
 */
function startLimit(milliseconds: number, onOver: () => void): { readonly end: () => void } {
  const due = performance.now() + milliseconds;
  let timer = setTimeout(() => {
    timer = setTimeout(onOver, performance.now() - due);
  }, milliseconds);
  return { end: () => clearTimeout(timer) };
}

interface Outcome {
  readonly resolve: (response: RawResponse) => void;
  readonly reject: (error: Error) => void;
  /** Discards the rest of the response. */
  readonly cut: () => void;
}

/** Reads one response as it arrives. */
class ResponseHandler implements Dispatcher.DispatchHandler {
  readonly #outcome: Outcome;
  readonly #body = new ByteCollector();
  #status = 0;
  #interim = 0;
  #headers: IncomingHttpHeaders = {};
  /** Stops the reading of a stream that may be endless. */
  #streamEnd: NodeJS.Timeout | undefined;

  constructor(outcome: Outcome) {
    this.#outcome = outcome;
  }

  get hasBegun(): boolean {
    return this.#status !== 0;
  }

  onRequestStart(): void {
    // Required by undici.
  }

  onResponseStart(_controller: Dispatcher.DispatchController, status: number, headers: IncomingHttpHeaders): void {
    if (status < 200) return this.#countInterim();
    this.#status = status;
    this.#headers = headers;
    if (this.#isStream) this.#streamEnd = setTimeout(() => this.#cut(true), MAX_STREAM_MS);
  }

  onResponseData(_controller: Dispatcher.DispatchController, chunk: Buffer): void {
    this.#body.add(chunk);
    if (this.#body.size > (this.#isStream ? MAX_STREAM : MAX_RESPONSE)) return this.#cut(this.#isStream);
    if (this.#isStream) return;
    clearTimeout(this.#streamEnd);
    // A stream of JSON lines stays open after a line, whatever its media type says.
    if (chunk.at(-1) === NEWLINE && this.#body.size <= MAX_STREAM)
      this.#streamEnd = setTimeout(() => areJsonLines(this.#whole) && this.#cut(true), MAX_STREAM_MS);
  }

  onResponseEnd(): void {
    this.#settle(false);
  }

  onResponseError(_controller: Dispatcher.DispatchController, error: Error): void {
    clearTimeout(this.#streamEnd);
    this.#outcome.reject(error);
  }

  get #whole(): Buffer {
    const { buffer, byteOffset, byteLength } = this.#body.joined();
    return Buffer.from(buffer, byteOffset, byteLength);
  }

  get #isStream(): boolean {
    return isEndless(this.#headers['content-type']);
  }

  /** Counts interim responses, such as 103 Early Hints. */
  #countInterim(): void {
    this.#interim += 1;
    if (this.#interim <= MOST_INTERIM) return;
    this.#outcome.reject(new Error(TOO_MANY_INTERIM));
    this.#outcome.cut();
  }

  #cut(isCut: boolean): void {
    this.#settle(isCut);
    this.#outcome.cut();
  }

  #settle(isCut: boolean): void {
    clearTimeout(this.#streamEnd);
    const headers = headersFrom(this.#headers);
    this.#outcome.resolve({ status: this.#status, headers, body: this.#whole, isCut });
  }
}

const NEWLINE = 10;

/** Whether what has arrived of a body is complete JSON, one text on each line. */
function areJsonLines(body: Buffer): boolean {
  const lines = body.toString('utf8').split('\n');
  return lines.every((line) => line.trim() === '' || parseExactText(line) !== undefined);
}

/** Cheaper than the platform's `Headers`, which validates and can be changed. */
function headersFrom(received: IncomingHttpHeaders): ResponseHeaders {
  const valueOf = (name: string): string | null => {
    const key = name.toLowerCase();
    const value = Object.hasOwn(received, key) ? received[key] : undefined;
    // White space around a value is not part of it (RFC 9110, 5.5).
    return typeof value === 'object' ? value.map((one) => one.trim()).join(', ') : (value?.trim() ?? null);
  };
  return { get: valueOf, has: (name) => valueOf(name) !== null, keys: () => Object.keys(received).values() };
}

/** The headers of a response that never arrived. */
export const NO_HEADERS: ResponseHeaders = headersFrom({});
