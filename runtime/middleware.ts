import { buildRequest } from './client.js';
import type { Call, ClientContext, Middleware, Next, Progress, RetryPolicy } from './context.js';
import { chooseSchemes, isSource } from './credentials.js';
import { NetworkError, TimeoutError } from './errors.js';
import type { CredentialSource } from './serialize.js';

const STATUSES: readonly number[] = [408, 429, 500, 502, 503, 504];
const METHODS: readonly string[] = ['GET', 'HEAD', 'OPTIONS', 'TRACE', 'PUT', 'DELETE', 'QUERY'];

/**
 * Retries calls that failed for a temporary reason. Waits as long as `Retry-After` says, otherwise longer before each
 * retry. The signal and the time limit of the call end a wait. Calls whose body is a stream are not retried.
 *
 * @param policy - For all calls; `false` to retry only calls that have the option `retry`.
 */
export function retries(policy: boolean | RetryPolicy = true): Middleware {
  const common = typeof policy === 'object' ? policy : {};
  return (request, next, call) => {
    const chosen = call.options.retry ?? policy;
    if (chosen === false || isOneShot(call.request.body)) return next(request);
    const given = typeof chosen === 'object' && chosen !== policy ? { ...common, ...chosen } : common;
    const { methods = METHODS } = given;
    const method = isOwn(request, call) ? (call.operation.method ?? 'GET') : request.method;
    const mayRepeat = methods.includes(method) || call.operation.isRepeatable === true;
    return mayRepeat ? sendAttempt(1, request, next, { call, policy: given }) : next(request);
  };
}

interface RetryScope {
  readonly call: Call;
  readonly policy: RetryPolicy;
}

/**
 * Sends an attempt, and after a temporary failure the next one. Only a failure calls a function that waits: in one that is
 * `async`, a success would take a fiftieth more of a call.
 */
function sendAttempt(attempt: number, request: Request, next: Next, scope: RetryScope): Promise<Response> {
  const { call, policy } = scope;
  const { attempts = 3, statuses = STATUSES } = policy;
  if (attempt >= attempts) return next(request.bodyUsed ? requestOf(attempt, request, call) : request);
  const again = async (response: Response | undefined, error?: unknown): Promise<Response> => {
    const delay = chooseDelay(response, attempt, policy);
    if (delay === undefined) return response as Response;
    await policy.onRetry?.({ operation: call.operation.name, attempt, delay, response, error });
    // The connection is free for the next attempt only when the body is read or cancelled.
    if (response?.bodyUsed === false) response.body?.cancel().catch(() => undefined);
    await sleep(delay, request.signal);
    return sendAttempt(attempt + 1, request, next, scope);
  };
  return next(requestOf(attempt, request, call)).then(
    (response) => (statuses.includes(response.status) ? again(response) : response),
    (error: unknown) => {
      if (!(error instanceof NetworkError || error instanceof TimeoutError) || request.signal.aborted) throw error;
      return again(undefined, error);
    },
  );
}

/** The request of an attempt after which `request` can be sent again. A copy of a body takes a fifth of a call. */
function requestOf(attempt: number, request: Request, call: Call): Request {
  const body = isOwn(request, call) ? (call.sent?.[1] ?? null) : request.body;
  if (body === null || (typeof body === 'string' && attempt === 1)) return request;
  return typeof body === 'string' ? new Request(request, { method: request.method, body }) : request.clone();
}

/**
 * Whether the call built a request itself. Then its method and body are known, and the platform is not asked for
 * them: each question takes a hundredth of a call.
 */
function isOwn(request: Request, { sent }: Call): boolean {
  return sent?.[0] === request;
}

/** Milliseconds until the next attempt; `undefined` if the server asks for more than the caller allows. */
function chooseDelay(
  response: Response | undefined,
  attempt: number,
  { delay = 500, maxDelay = 10_000 }: RetryPolicy,
): number | undefined {
  const asked = response === undefined ? undefined : retryAfter(response.headers);
  if (asked !== undefined) return asked > maxDelay ? undefined : asked;
  return Math.min(delay * 2 ** (attempt - 1), maxDelay) * (1 - Math.random() / 2);
}

/** The wait that a server asks for (RFC 9110, section 10.2.3), in milliseconds. A date is relative to the server's clock. */
function retryAfter(headers: Headers): number | undefined {
  const value = headers.get('Retry-After')?.trim() ?? '';
  if (/^\d+(\.\d+)?$/.test(value)) return Number(value) * 1000;
  const until = Date.parse(value);
  const now = Date.parse(headers.get('date') ?? '') || Date.now();
  return Number.isNaN(until) ? undefined : Math.max(0, until - now);
}

function sleep(milliseconds: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve, reject) => {
    const abort = (): void => {
      clearTimeout(timer);
      reject(signal.reason as Error);
    };
    const timer = setTimeout(() => {
      signal.removeEventListener('abort', abort);
      resolve();
    }, milliseconds);
    if (signal.aborted) abort();
    else signal.addEventListener('abort', abort, { once: true });
  });
}

/** Whether a body can be sent only once. */
function isOneShot(body: unknown): boolean {
  return typeof body === 'object' && body !== null && ('getReader' in body || Symbol.asyncIterator in body);
}

/**
 * Limits the time until the response of each attempt begins. Inside {@link retries}, an attempt that takes longer is
 * retried.
 *
 * @param milliseconds - For calls without the option `attemptTimeout`. Default: no limit.
 */
export function attemptTimeouts(milliseconds?: number): Middleware {
  return (request, next, { operation, options }) => {
    const limit = options.attemptTimeout ?? milliseconds;
    // Timers are limited to 31 bits; a longer one would fire at once.
    if (limit === undefined || limit > 0x7fffffff) return next(request);
    return sendWithin(limit, { request, next, name: operation.name });
  };
}

interface Attempt {
  readonly request: Request;
  readonly next: Next;
  readonly name: string;
}

async function sendWithin(limit: number, { request, next, name }: Attempt): Promise<Response> {
  const controller = new AbortController();
  const timer = setTimeout(() => controller.abort(), limit);
  // The response may be a stream that outlives its attempt, so the caller's signal stays connected.
  const abort = (): void => controller.abort(request.signal.reason);
  request.signal.addEventListener('abort', abort, { once: true });
  try {
    return await next(new Request(request, { signal: controller.signal }));
  } catch (cause) {
    request.signal.removeEventListener('abort', abort);
    if (!controller.signal.aborted || request.signal.aborted) throw cause;
    throw new TimeoutError(`${name} got no response in ${limit} ms.`, { cause });
  } finally {
    clearTimeout(timer);
  }
}

/** The running renewal of a credential, and the number of renewals that have ended. */
interface Renewal {
  running?: Promise<unknown>;
  ended: number;
}

/**
 * If the server responds with 401, asks the functions that return credentials again and retries the call once.
 * Concurrent calls share one renewal. Calls whose body is a stream are not retried.
 */
export function renewals(): Middleware {
  const known = new Map<CredentialSource<unknown>, Renewal>();
  return (request, next, call) => {
    const { context, operation } = call;
    if (!operation.security || isOneShot(call.request.body)) return next(request);
    const credentials = (context.credentials ?? {}) as Readonly<Record<string, unknown>>;
    const names = Object.keys(chooseSchemes(operation, context) ?? {});
    const sources = names.flatMap((name) => {
      const source = credentials[name];
      return isSource(source) ? [[name, source] as const] : [];
    });
    if (sources.length === 0) return next(request);
    return sendRenewed(request, next, { call, credentials, sources, known });
  };
}

interface RenewalScope {
  readonly call: Call;
  readonly credentials: Readonly<Record<string, unknown>>;
  readonly sources: readonly (readonly [name: string, source: CredentialSource<unknown>])[];
  readonly known: Map<CredentialSource<unknown>, Renewal>;
}

async function sendRenewed(request: Request, next: Next, scope: RenewalScope): Promise<Response> {
  const { call, credentials, sources, known } = scope;
  const before = sources.map(([, source]) => known.get(source)?.ended ?? 0);
  const response = await next(request);
  if (response.status !== 401) return response;
  const renewed = await Promise.all(
    sources.map(async ([name, source], index) => [name, await renew(source, known, before[index] ?? 0)] as const),
  );
  response.body?.cancel().catch(() => undefined);
  const fresh: ClientContext = { ...call.context, credentials: { ...credentials, ...Object.fromEntries(renewed) } };
  return next(await buildRequest({ ...call, context: fresh }));
}

/** Renews a credential, unless another call has done so since this one was sent. */
function renew(
  source: CredentialSource<unknown>,
  known: Map<CredentialSource<unknown>, Renewal>,
  before: number,
): unknown {
  const renewal = known.get(source) ?? { ended: 0 };
  known.set(source, renewal);
  if (renewal.ended > before) return source({ reason: 'call' });
  renewal.running ??= (async () => source({ reason: 'unauthorized' }))().finally(() => {
    renewal.ended += 1;
    delete renewal.running;
  });
  return renewal.running;
}

/** Returns files of responses in the form that the option `as` selects. */
export function downloads(): Middleware {
  return (request, next, { options }) => {
    const { as } = options;
    return as === undefined || as === 'blob' ? next(request) : download(request, next, as);
  };
}

async function download(request: Request, next: Next, as: 'bytes' | 'stream'): Promise<Response> {
  const response = await next(request);
  if (!response.ok) return response;
  // The client reads files with `blob()`.
  const read =
    as === 'stream'
      ? async () => response.body ?? new Blob().stream()
      : async () => new Uint8Array(await response.arrayBuffer());
  return Object.defineProperty(response, 'blob', { value: read, configurable: true });
}

/** Returns a context whose calls support the option `as`, even without the middleware of a client. */
export function withDownloads(context: ClientContext): ClientContext {
  return { ...context, middleware: [downloads(), ...(context.middleware ?? [])] };
}

/** Reports the progress of bodies to the options `onUploadProgress` and `onDownloadProgress`. */
export function progress(): Middleware {
  return (request, next, call) => {
    const { onUploadProgress, onDownloadProgress } = call.options;
    return onUploadProgress || onDownloadProgress ? reportProgress(request, next, call) : next(request);
  };
}

async function reportProgress(request: Request, next: Next, { options, request: values }: Call): Promise<Response> {
  const { onUploadProgress, onDownloadProgress } = options;
  const total = sizeOf(values.body);
  const counted = onUploadProgress !== undefined && request.body !== null && canSendStreams();
  const sent = counted ? countRequest(request, (bytes) => onUploadProgress({ bytes, total })) : request;
  const response = await next(sent);
  if (!counted && total !== undefined) onUploadProgress?.({ bytes: total, total });
  return onDownloadProgress === undefined ? response : countResponse(response, onDownloadProgress);
}

function sizeOf(body: unknown): number | undefined {
  if (body instanceof Blob) return body.size;
  if (body instanceof ArrayBuffer || ArrayBuffer.isView(body)) return body.byteLength;
  return typeof body === 'string' ? new Blob([body]).size : undefined;
}

/** Whether the platform can send streams. Others convert the stream to text, which has a content type. */
function canSendStreams(): boolean {
  const init = { method: 'POST', body: new Blob().stream(), duplex: 'half' };
  return !new Request('http://localhost', init).headers.has('content-type');
}

function countRequest(request: Request, report: (bytes: number) => void): Request {
  const init = { body: count(request.body as ReadableStream<Uint8Array>, report), duplex: 'half' };
  return new Request(request, init);
}

function countResponse(response: Response, report: (progress: Progress) => void): Response {
  if (response.body === null) return response;
  const { status, statusText, headers, url } = response;
  const length = headers.get('content-encoding') === null ? headers.get('content-length') : null;
  const total = length === null ? undefined : Number(length);
  const body = count(response.body, (bytes) => report({ bytes, total }));
  return Object.defineProperty(new Response(body, { status, statusText, headers }), 'url', { value: url });
}

function count(stream: ReadableStream<Uint8Array>, report: (bytes: number) => void): ReadableStream<Uint8Array> {
  let bytes = 0;
  const counter = new TransformStream<Uint8Array, Uint8Array>({
    transform(chunk, controller) {
      bytes += chunk.byteLength;
      report(bytes);
      controller.enqueue(chunk);
    },
  });
  return stream.pipeThrough(counter);
}

/** Options of a client that middleware implements. */
export interface MiddlewareOptions {
  /** How failed calls are retried; `false` for no retries. Default: the defaults of {@link RetryPolicy}. */
  readonly retry?: boolean | RetryPolicy | undefined;
  /** Maximum time until the response of each attempt begins, in milliseconds. Default: no limit. */
  readonly attemptTimeout?: number | undefined;
  readonly middleware?: readonly Middleware[] | undefined;
}

/** The middleware of a client: the caller's own wraps all attempts of a call. */
export function clientMiddleware({ retry, attemptTimeout, middleware = [] }: MiddlewareOptions): Middleware[] {
  const repeated = retries(retry);
  const all = [downloads(), repeated, attemptTimeouts(attemptTimeout), progress()];
  // Most calls have no option of the others, which take a hundredth of a call to find that out.
  const attempts: Middleware = (request, next, call) => {
    const { as, attemptTimeout: limit = attemptTimeout, onUploadProgress, onDownloadProgress } = call.options;
    const isPlain = (as ?? limit ?? onUploadProgress ?? onDownloadProgress) === undefined;
    if (isPlain) return repeated(request, next, call);
    return all.reduceRight<Next>((inner, outer) => (sent) => outer(sent, inner, call), next)(request);
  };
  return [renewals(), ...middleware, attempts];
}
