import { setMaxListeners } from 'node:events';

import { stringifyExactJson } from '../../runtime/json-integers.js';
import type { HeaderMap, MockResponse, MockRequest } from '../../http/messages.js';
import { createBodySource, createWholeBody } from '../../http/wire/request-body.js';
import { createDispatch, type Dispatch, type TransportOptions } from './dispatch.js';
import { readTarget } from './parse-url.js';
import { frameEvent } from '../../http/wire/encode-sse.js';

const MAX_REDIRECTS = 20;
const NEVER = new AbortController().signal;
// All calls without a signal share this one, and some add listeners.
setMaxListeners(0, NEVER);

interface FetchCall {
  readonly url: string;
  readonly method: string;
  readonly headers: Headers;
  readonly body: BodyInit | null;
  readonly signal: AbortSignal | undefined;
  readonly redirect: RequestRedirect;
}

/**
 * Creates a `fetch` that the mock handles in process. The origin of the URL is ignored.
 *
 * @example
 * const fetch = createFetch({ handle, sandboxOf });
 * const client = createSigningClient({ baseUrl: 'http://mock', credentials, fetch });
 */
export function createFetch(options: TransportOptions): typeof fetch {
  return fetchBy(createDispatch(options));
}

/** Creates a `fetch` from a function, whose errors it throws. */
export function fetchBy(dispatch: Dispatch): typeof fetch {
  return async (input, init) => {
    let call = readCall(input, init);
    for (let count = 0; ; count += 1) {
      const mockResponse = await callMock(dispatch, call);
      const next = call.redirect === 'follow' ? nextCall(call, mockResponse) : undefined;
      if (next === undefined) return toResponse(call, mockResponse, count > 0);
      if (count === MAX_REDIRECTS) throw new TypeError('fetch failed', { cause: new Error('redirect count exceeded') });
      call = next;
    }
  };
}

/** Returns the `Request` in the input. No `instanceof`, because servers such as Hono's replace the global class. */
export function requestOf(input: Parameters<typeof fetch>[0]): Request | undefined {
  return typeof input === 'string' || input instanceof URL ? undefined : input;
}

function readCall(input: Parameters<typeof fetch>[0], init: RequestInit = {}): FetchCall {
  const request = requestOf(input);
  const method = init.method ?? request?.method ?? 'GET';
  const body = init.body ?? request?.body ?? null;
  return {
    url: typeof input === 'string' ? input : input instanceof URL ? input.href : input.url,
    method: /^(get|head|post|put|delete|options|patch)$/i.test(method) ? method.toUpperCase() : method,
    headers: new Headers(init.headers ?? request?.headers),
    body: body,
    signal: init.signal ?? request?.signal ?? undefined,
    redirect: init.redirect ?? request?.redirect ?? 'follow',
  };
}

async function callMock(dispatch: Dispatch, call: FetchCall): Promise<MockResponse> {
  const { signal } = call;
  signal?.throwIfAborted();
  const responded = dispatch(toMockRequest(call));
  const mockResponse = signal === undefined ? await responded : await untilAborted(responded, signal);
  if (mockResponse.abort === true) throw new TypeError('fetch failed', { cause: new Error('other side closed') });
  return mockResponse;
}

async function untilAborted<T>(promise: Promise<T>, signal: AbortSignal): Promise<T> {
  return await new Promise<T>((resolve, reject) => {
    const abort = (): void => reject(signal.reason);
    signal.addEventListener('abort', abort, { once: true });
    void promise.then(resolve, reject).finally(() => signal.removeEventListener('abort', abort));
  });
}

function toMockRequest({ url, method, headers, body, signal = NEVER }: FetchCall): MockRequest {
  const { host, target } = readTarget(url);
  const map: Record<string, string> = { host };
  headers.forEach((value, name) => {
    map[name] = value;
  });
  return {
    method,
    target,
    headers: map,
    ...readBody(body, map),
    remoteAddress: '127.0.0.1',
    signal,
  };
}

function readBody(body: BodyInit | null, headers: Record<string, string>): Pick<MockRequest, 'bytes' | 'stream'> {
  if (body === null) return createBodySource(() => undefined);
  if (typeof body === 'string') {
    headers['content-type'] ??= 'text/plain;charset=UTF-8';
    return wholeBody(Buffer.from(body), headers);
  }
  if (body instanceof Uint8Array) return wholeBody(body, headers);
  // The platform encodes each kind of body and knows its media type.
  const carrier = new Response(body);
  const type = carrier.headers.get('content-type');
  if (type !== null) headers['content-type'] ??= type;
  headers['transfer-encoding'] ??= 'chunked';
  return createBodySource(() => carrier.body ?? undefined);
}

function wholeBody(bytes: Uint8Array, headers: Record<string, string>): Pick<MockRequest, 'bytes' | 'stream'> {
  headers['content-length'] = String(bytes.length);
  return createWholeBody(bytes);
}

const REDIRECTS: ReadonlySet<number> = new Set([301, 302, 303, 307, 308]);

function nextCall(call: FetchCall, { status, headers }: MockResponse): FetchCall | undefined {
  const { location } = headers;
  if (!REDIRECTS.has(status) || typeof location !== 'string') return undefined;
  const url = new URL(location, call.url).href;
  const turnsToGet =
    (status === 303 && call.method !== 'HEAD') || ((status === 301 || status === 302) && call.method === 'POST');
  return turnsToGet ? { ...call, url, method: 'GET', body: null } : { ...call, url };
}

function toResponse(
  { url, method, redirect, signal }: FetchCall,
  mockResponse: MockResponse,
  redirected: boolean,
): Response {
  const { status, headers } = mockResponse;
  if (redirect === 'error' && REDIRECTS.has(status))
    throw new TypeError('fetch failed', { cause: new Error('unexpected redirect') });
  const hasBody = method !== 'HEAD' && status !== 204 && status !== 205 && status !== 304;
  const response = new Response(hasBody ? toBodyInit(mockResponse, signal) : null, {
    status,
    headers: toHeaders(headers),
  });
  Object.defineProperty(response, 'url', { value: url });
  if (redirected) Object.defineProperty(response, 'redirected', { value: true });
  return response;
}

function toHeaders(map: HeaderMap): [string, string][] {
  return Object.entries(map).flatMap(([name, value]) =>
    value === undefined ? [] : [value].flat().map((one): [string, string] => [name, one]),
  );
}

function toBodyInit({ body }: MockResponse, signal: AbortSignal | undefined): BodyInit | null {
  if (body === undefined) return null;
  if (body.kind === 'json') return stringifyExactJson(body.value);
  if (body.kind === 'text') return body.text;
  if (body.kind === 'bytes') return new Uint8Array(body.bytes);
  return toStream(body.kind === 'stream' ? body.chunks : frame(body.events), signal);
}

async function* frame(events: AsyncIterable<Parameters<typeof frameEvent>[0]>): AsyncIterable<Uint8Array> {
  for await (const event of events) yield Buffer.from(frameEvent(event));
}

/** Makes a lazily read stream. Cancelling it, or aborting the request, ends its source. */
function toStream(chunks: AsyncIterable<Uint8Array>, signal: AbortSignal | undefined): ReadableStream<Uint8Array> {
  const iterator = chunks[Symbol.asyncIterator]();
  return new ReadableStream<Uint8Array>({
    start: (controller) => {
      signal?.addEventListener('abort', () => {
        controller.error(signal.reason);
        void iterator.return?.();
      });
    },
    pull: async (controller) => {
      const result = await iterator.next();
      if (signal?.aborted === true) return;
      if (result.done === true) controller.close();
      else controller.enqueue(result.value);
    },
    cancel: async () => {
      await iterator.return?.();
    },
  });
}
