import type { CallBody, ServerCall, ServerResult } from './server.js';
import { tooLarge } from './server-error.js';
import { readWhole } from './server-streams.js';

/** A request of the platform as a call. */
export function fetchCall(request: Request, mount?: string): ServerCall {
  const { url } = request;
  const start = url.indexOf('/', url.indexOf('//') + 2);
  const hash = url.indexOf('#', start);
  const target = start === -1 ? '/' : url.slice(start, hash === -1 ? undefined : hash);
  return new FetchCall(request, target, mount);
}

class FetchCall implements ServerCall {
  readonly method: string;
  readonly path: string;
  readonly query: string;
  readonly mount: string | undefined;
  readonly body: CallBody;
  readonly #request: Request;

  constructor(request: Request, target: string, mount: string | undefined) {
    const mark = target.indexOf('?');
    this.method = request.method;
    this.path = mark === -1 ? target : target.slice(0, mark);
    this.query = mark === -1 ? '' : target.slice(mark + 1);
    this.mount = mount;
    this.body = {
      stream: () => (request.body ?? new Response('').body) as ReadableStream<Uint8Array>,
      bytes: (limit) => readBytes(request, limit),
    };
    this.#request = request;
  }

  readonly header = (name: string): string | undefined => this.#request.headers.get(name) ?? undefined;

  get signal(): AbortSignal {
    return this.#request.signal;
  }
}

async function readBytes(request: Request, limit: number): Promise<Uint8Array> {
  if (request.body === null) return new Uint8Array();
  const length = request.headers.get('content-length');
  if (Number(length ?? 0) > limit) throw tooLarge(limit);
  const bytes = length === null ? await readWhole(request.body, limit) : new Uint8Array(await request.arrayBuffer());
  if (bytes === undefined) throw tooLarge(limit);
  // Platforms may end the body of a client that left as if it were whole.
  if (request.signal.aborted) throw new Error('The client disconnected.');
  return bytes;
}

/** A result as a response of the platform. */
export function toResponse({ status, headers, body }: ServerResult): Response {
  return new Response(body as BodyInit | undefined, { status, headers });
}
