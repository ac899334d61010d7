import type { Serve, ServerCall, ServerResult } from './server.js';
import { tooLarge } from './server-error.js';
import { readWhole } from './server-streams.js';

/** A request of the platform as a call. */
export function fetchCall(request: Request, mount?: string): ServerCall {
  const { method, url, headers } = request;
  const start = url.indexOf('/', url.indexOf('//') + 2);
  const hash = url.indexOf('#', start);
  const target = start === -1 ? '/' : url.slice(start, hash === -1 ? undefined : hash);
  const mark = target.indexOf('?');
  return {
    method,
    path: mark === -1 ? target : target.slice(0, mark),
    query: mark === -1 ? '' : target.slice(mark + 1),
    header: (name) => headers.get(name) ?? undefined,
    ...(mount === undefined ? {} : { mount }),
    body: {
      stream: () => (request.body ?? new Response('').body) as ReadableStream<Uint8Array>,
      bytes: (limit) => readBytes(request, limit),
    },
    get signal() {
      return request.signal;
    },
  };
}

async function readBytes(request: Request, limit: number): Promise<Uint8Array> {
  if (request.body === null) return new Uint8Array();
  const length = request.headers.get('content-length');
  if (Number(length ?? 0) > limit) throw tooLarge(limit);
  if (length !== null) return new Uint8Array(await request.arrayBuffer());
  const bytes = await readWhole(request.body, limit);
  if (bytes === undefined) throw tooLarge(limit);
  return bytes;
}

/** A result as a response of the platform. */
export function toResponse({ status, headers, body }: ServerResult): Response {
  return new Response(body as BodyInit | undefined, { status, headers });
}

/** Serves a request; `undefined` if no operation has its path. */
export async function serveFetch(serve: Serve, request: Request, env: object): Promise<Response | undefined> {
  const result = await serve(fetchCall(request), env);
  return result === undefined ? undefined : toResponse(result);
}
