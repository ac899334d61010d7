import tls from 'node:tls';

import type { IncomingHttpHeaders } from 'node:http';

import { Client, type Dispatcher } from 'undici';

import type { ResponseHeaders } from '../../types.js';
import { LateResponseError, MAX_RESPONSE, MAX_STREAM, MAX_STREAM_MS, isEndless } from './transport.js';

/** A request, ready to go out. */
export interface RawRequest {
  readonly method: string;
  /** Path and query. */
  readonly path: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string | null;
  /** Milliseconds. */
  readonly timeLimitMs: number;
}

/** A response as it came. */
export interface RawResponse {
  readonly status: number;
  readonly headers: ResponseHeaders;
  readonly body: Buffer;
  /** The body is a beginning: the rest was not waited for. */
  readonly isCut: boolean;
}

/** The caller enforces the time limit of a request; undici's are disabled. */
const NO_TIMEOUTS = { headersTimeout: 0, bodyTimeout: 0 } as const;
const MAX_HEAD = 65_536;

/** Which certificates of a server will do. */
export interface Trust {
  /** Certificates of authorities beside the known ones, as PEM. */
  readonly ca: string | undefined;
  readonly insecure: boolean;
}

/** One connection to a server, with one request after another on it. */
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

  /** Whether a response has come over the socket that is open: the server may close it as it is used again. */
  get isReused(): boolean {
    return this.#isReused;
  }

  /** Whether something of a response to the last request has come. */
  get hasResponded(): boolean {
    return this.#response?.hasBegun === true;
  }

  get isOpen(): boolean {
    return !this.#client.destroyed;
  }

  /** Sends a request and reads the response. Rejects where none comes, none in time, or none that is HTTP. */
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

/** Calls when the time is over. Time in which this process was busy is given once more: a response may have come meanwhile. */
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
  /** Lets the rest of a response go. */
  readonly cut: () => void;
}

/** Reads one response as it comes. */
class ResponseHandler implements Dispatcher.DispatchHandler {
  readonly #outcome: Outcome;
  readonly #chunks: Buffer[] = [];
  #size = 0;
  #status = 0;
  #headers: IncomingHttpHeaders = {};
  /** Ends the reading of a stream that may have no end. */
  #streamEnd: NodeJS.Timeout | undefined;

  constructor(outcome: Outcome) {
    this.#outcome = outcome;
  }

  get hasBegun(): boolean {
    return this.#status !== 0;
  }

  onRequestStart(): void {
    // undici asks for it.
  }

  onResponseStart(_controller: Dispatcher.DispatchController, status: number, headers: IncomingHttpHeaders): void {
    // Informational responses, such as 103 Early Hints.
    if (status < 200) return;
    this.#status = status;
    this.#headers = headers;
    if (this.#isStream) this.#streamEnd = setTimeout(() => this.#cut(), MAX_STREAM_MS);
  }

  onResponseData(_controller: Dispatcher.DispatchController, chunk: Buffer): void {
    this.#chunks.push(chunk);
    this.#size += chunk.length;
    if (this.#size > (this.#isStream ? MAX_STREAM : MAX_RESPONSE)) this.#cut();
  }

  onResponseEnd(): void {
    this.#settle(false);
  }

  onResponseError(_controller: Dispatcher.DispatchController, error: Error): void {
    clearTimeout(this.#streamEnd);
    this.#outcome.reject(error);
  }

  get #isStream(): boolean {
    return isEndless(this.#headers['content-type']);
  }

  #cut(): void {
    this.#settle(this.#isStream);
    this.#outcome.cut();
  }

  #settle(isCut: boolean): void {
    clearTimeout(this.#streamEnd);
    const body =
      this.#chunks.length === 1 && this.#chunks[0] !== undefined ? this.#chunks[0] : Buffer.concat(this.#chunks);
    this.#outcome.resolve({ status: this.#status, headers: headersFrom(this.#headers), body, isCut });
  }
}

/** Cheaper than `Headers` of the platform, which checks what is known to be right and can be changed. */
function headersFrom(received: IncomingHttpHeaders): ResponseHeaders {
  const valueOf = (name: string): string | null => {
    const key = name.toLowerCase();
    const value = Object.hasOwn(received, key) ? received[key] : undefined;
    // A space around a value is no part of it (RFC 9110, 5.5).
    return typeof value === 'object' ? value.map((one) => one.trim()).join(', ') : (value?.trim() ?? null);
  };
  return { get: valueOf, has: (name) => valueOf(name) !== null };
}

/** The headers of a response that never came. */
export const NO_HEADERS: ResponseHeaders = headersFrom({});
