import type { CallBody, SentBody, ServerCall, ServerResult } from './server.js';
import { tooLarge } from './server-error.js';
import { toText } from './serialize.js';
import { byteStream, joinBytes } from './server-streams.js';

/** `IncomingMessage` of Node, without its types. */
export interface NodeRequest {
  [Symbol.asyncIterator](): object;
  readonly method?: string | undefined;
  readonly url?: string | undefined;
  readonly headers: Readonly<Record<string, string | readonly string[] | undefined>>;
  readonly readableEnded: boolean;
  readonly destroyed: boolean;
  on(event: string, listener: (value: Uint8Array) => void): unknown;
  off(event: string, listener: (value: Uint8Array) => void): unknown;
  pause(): unknown;
  resume(): unknown;
}

/** `ServerResponse` of Node, without its types. */
export interface NodeResponse {
  statusCode: number;
  readonly writableFinished: boolean;
  setHeader(name: string, value: string): unknown;
  write(piece: Uint8Array): boolean;
  end(body?: string | Uint8Array): unknown;
  destroy(error?: Error): unknown;
  once(event: string, listener: () => void): unknown;
}

/** A request of Node as a call. */
export function nodeCall(
  request: NodeRequest,
  response: Pick<NodeResponse, 'once' | 'writableFinished'>,
  options: NodeCallOptions = {},
): ServerCall {
  return new NodeCall(request, response, options);
}

class NodeCall implements ServerCall {
  readonly method: string;
  readonly path: string;
  readonly query: string;
  readonly mount: string | undefined;
  readonly #parsed: unknown;
  readonly #request: NodeRequest;
  readonly #response: Pick<NodeResponse, 'once' | 'writableFinished'>;
  #controller: AbortController | undefined;

  constructor(
    request: NodeRequest,
    response: Pick<NodeResponse, 'once' | 'writableFinished'>,
    { target = request.url ?? '/', mount, parsed }: NodeCallOptions,
  ) {
    const mark = target.indexOf('?');
    this.method = request.method ?? 'GET';
    this.path = mark === -1 ? target : target.slice(0, mark);
    this.query = mark === -1 ? '' : target.slice(mark + 1);
    this.mount = mount;
    this.#parsed = parsed;
    this.#request = request;
    this.#response = response;
  }

  readonly header = (name: string): string | undefined => {
    const value = this.#request.headers[name.toLowerCase()];
    return typeof value === 'object' ? value.join(', ') : value;
  };

  get body(): CallBody {
    return readBody(this.#request, this.#parsed);
  }

  // Made on demand, because few handlers need it.
  get signal(): AbortSignal {
    if (this.#controller !== undefined) return this.#controller.signal;
    const made = (this.#controller = new AbortController());
    this.#response.once('close', () => {
      if (!this.#response.writableFinished) made.abort();
    });
    return made.signal;
  }
}

export interface NodeCallOptions {
  /** Path and query. Default: those of the request. */
  readonly target?: string;
  readonly mount?: string;
  /** The body if another parser has read it. */
  readonly parsed?: unknown;
}

/** The body if another middleware, such as `express.json()`, has read it. */
export function readByOther(request: { readonly body?: unknown; readonly readableEnded: boolean }): unknown {
  const isRead = request.readableEnded || (request as { readonly _body?: unknown })._body === true;
  return isRead ? request.body : undefined;
}

function readBody(request: NodeRequest, parsed: unknown): CallBody {
  if (parsed === undefined)
    return {
      bytes: (limit) => readBytes(request, limit),
      stream: () => byteStream(request as AsyncIterable<Uint8Array>),
    };
  const bytes = toBytes(parsed, String(request.headers['content-type'] ?? ''));
  const stream = async function* (): AsyncGenerator<Uint8Array, void, undefined> {
    yield bytes;
  };
  return {
    bytes: () => Promise.resolve(bytes),
    stream: () => byteStream(stream()),
    ...(parsed instanceof Uint8Array || typeof parsed === 'string' ? {} : { parsed }),
  };
}

/** The bytes of a body that another parser has read. */
function toBytes(parsed: unknown, type: string): Uint8Array {
  if (parsed instanceof Uint8Array) return parsed;
  const isForm = type.startsWith('application/x-www-form-urlencoded');
  const text =
    isForm && typeof parsed === 'object'
      ? writeForm(parsed as object)
      : typeof parsed === 'string'
        ? parsed
        : JSON.stringify(parsed);
  return new TextEncoder().encode(text);
}

function writeForm(form: object): string {
  const fields = Object.entries(form).flatMap(([name, value]: [string, unknown]) =>
    (Array.isArray(value) ? value : [value]).map((one: unknown) => [name, toText(one)]),
  );
  return new URLSearchParams(fields).toString();
}

function readBytes(request: NodeRequest, limit: number): Promise<Uint8Array> {
  if (Number(request.headers['content-length'] ?? 0) > limit) return Promise.reject(tooLarge(limit));
  if (request.readableEnded) return Promise.reject(new Error(READ_BEFORE));
  if (request.destroyed) return Promise.reject(new Error(DISCONNECTED));
  return new Promise((resolve, reject) => {
    const pieces: Uint8Array[] = [];
    let size = 0;
    const onData = (piece: Uint8Array): void => {
      size += piece.length;
      pieces.push(piece);
      if (size > limit) {
        request.off('data', onData);
        request.pause();
        reject(tooLarge(limit));
      }
    };
    request.on('data', onData);
    request.on('end', () => resolve(joinBytes(pieces, size)));
    request.on('error', (error: unknown) => reject(error));
    // Every request is closed in the end, and an error costs more than reading a body.
    request.on('close', () => {
      if (!request.readableEnded) reject(new Error(DISCONNECTED));
    });
  });
}

const DISCONNECTED = 'The client disconnected.';
const READ_BEFORE = 'Another parser has read the body of the request, but request.body is not set.';

/** The headers of a result. After an unread body the connection must close. */
export function nodeHeaders({ status, headers }: ServerResult): Record<string, string> {
  return status === 413 ? { ...headers, connection: 'close' } : headers;
}

/** Sends a result. */
export async function sendResult(result: ServerResult, response: NodeResponse): Promise<void> {
  response.statusCode = result.status;
  for (const [name, value] of Object.entries(nodeHeaders(result))) response.setHeader(name, value);
  const { body } = result;
  if (typeof body === 'string' || body === undefined || body instanceof Uint8Array) {
    if (body !== undefined) response.setHeader('content-length', String(lengthOf(body)));
    response.end(body);
    return;
  }
  await pump(streamOf(body), response);
}

function lengthOf(body: string | Uint8Array): number {
  return typeof body === 'string' ? new TextEncoder().encode(body).length : body.length;
}

/** A body as text, bytes or a stream. */
export function streamOf(body: Exclude<SentBody, string | Uint8Array>): ReadableStream<Uint8Array> {
  return body instanceof Blob ? body.stream() : body;
}

async function pump(stream: ReadableStream<Uint8Array>, response: NodeResponse): Promise<void> {
  const reader = stream.getReader();
  response.once('close', () => {
    reader.cancel().catch(() => undefined);
  });
  try {
    for (;;) {
      const { done, value } = await reader.read();
      if (done) break;
      if (!response.write(value))
        await new Promise<void>((resolve) => {
          response.once('drain', resolve);
          response.once('close', resolve);
        });
    }
    response.end();
  } catch {
    // The error was reported already. The client sees that the response is not complete.
    response.destroy();
  }
}
