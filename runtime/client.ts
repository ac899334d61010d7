import type {
  Call,
  CallOptions,
  ClientContext,
  Download,
  Downloaded,
  ItemCall,
  ItemReader,
  Middleware,
  Next,
  OperationData,
  RequestValues,
  TextReader,
} from './context.js';
import {
  ApiError,
  type HeaderValues,
  MalformedBodyError,
  NetworkError,
  type OperationTypes,
  safely,
  type SafeResult,
  TimeoutError,
} from './errors.js';
import {
  type HeaderTarget,
  members,
  ownWriter,
  type RequestTarget,
  setHeader,
  type TextWriter,
  toText,
  writePairs,
  writeSimple,
  type Writers,
} from './serialize.js';

/** The values of one call and its options. */
export interface CallArguments {
  readonly request: RequestValues | undefined;
  readonly options: CallOptions | undefined;
}

/**
 * Makes one call and reads its response.
 *
 * @throws ApiError if the server responds with a failure.
 * @throws NetworkError if there is no response, TimeoutError if it is late, and the reason of the signal if the signal
 * aborted the call.
 * @throws MalformedBodyError if the body cannot be parsed as its content type or the API description says.
 * @throws TypeError if a value cannot be sent.
 */
export async function send<Result>(
  context: ClientContext,
  operation: OperationData,
  { request = {}, options = {} }: CallArguments,
): Promise<Result> {
  const validate = options.validate ?? context.validate;
  if (validate && !context.check) throw new TypeError('Only a created client validates responses.');
  const deadline = startDeadline(options.timeout ?? context.timeout, options.signal);
  const init = { ...context.init, ...options.init };
  const call: Call = { context, operation, request, options, init, signal: deadline.signal };
  try {
    const built = await buildRequest(call);
    let response: Response | undefined;
    let failed: boolean;
    let readItems: ItemReader | undefined;
    let check: ItemCall['check'];
    let data: unknown;
    try {
      response = await withMiddleware(call, deadline)(built);
      failed = !response.ok && !isAskedFor(response.status, built, call);
      if (validate) check = checkOf(call, response);
      if (operation.items && !failed) readItems = ownWriter(operation.items, mediaTypeOf(response) ?? '');
      data = readItems
        ? readItems(response, { check, signal: options.signal })
        : await readBody(response, operation, failed);
    } catch (cause) {
      return fail(call, deadline, cause, response);
    }
    if (failed) throw failureOf(response, data, operation);
    if (check && !readItems) await check(data);
    return resultOf(response, data) as Result;
  } finally {
    deadline.clear();
  }
}

function failureOf(response: Response, body: unknown, operation: OperationData): ApiError {
  const { status } = response;
  const documented = isDocumented(status, operation);
  return new ApiError(operation, { status, body, headers: headerValues(response.headers), documented, response });
}

/**
 * The result of a call. Its headers are read when they are asked for: they take a tenth of the time of a call. All results
 * share one getter, since a getter in a literal gives each object a shape of its own, which costs as much again.
 */
function resultOf(response: Response, data: unknown): object {
  return Object.defineProperty({ status: response.status, data, response }, 'headers', LAZY_HEADERS);
}

const LAZY_HEADERS = {
  enumerable: true,
  configurable: true,
  get(this: { readonly response: Response }): HeaderValues {
    const value = headerValues(this.response.headers);
    Object.defineProperty(this, 'headers', { enumerable: true, value });
    return value;
  },
};

/** Whether a status of 300 to 399 is what the caller or the operation asked for: a redirect, or the news that nothing changed. */
function isAskedFor(status: number, { headers }: Request, { init, operation }: Call): boolean {
  const isConditional = status === 304 && (headers.has('if-none-match') || headers.has('if-modified-since'));
  return isConditional || (status < 400 && (init.redirect ?? operation.redirect) === 'manual');
}

/** Sends requests through the middleware of a call. */
function withMiddleware(call: Call, deadline: Deadline): Next {
  const { context } = call;
  const fetchOnce: Next = async (request) => {
    const sent = ((context.onRequest && (await context.onRequest(request))) as Request | undefined) ?? request;
    let response: Response;
    try {
      response = await (context.fetch ?? fetch)(sent, call.init);
    } catch (cause) {
      return fail(call, deadline, cause, true);
    }
    if (context.onResponse) await context.onResponse(response, sent);
    return response;
  };
  const wrap = (next: Next, middleware: Middleware) => (request: Request) => middleware(request, next, call);
  return (context.middleware ?? []).reduceRight(wrap, fetchOnce);
}

/**
 * Throws an error of the platform as NetworkError or TimeoutError. Their messages are replaced, because they could
 * contain a secret address.
 */
function fail({ operation, options }: Call, deadline: Deadline, cause: unknown, isNetwork?: unknown): never {
  if (options.signal?.aborted) throw options.signal.reason;
  if (cause instanceof MalformedBodyError) throw cause;
  const late = deadline.expired();
  const message = `${operation.name} got no complete response${late ? ' in time' : ''}.`;
  throw late || isNetwork ? new (late ? TimeoutError : NetworkError)(message, { cause }) : cause;
}

function isDocumented(status: number, { failures = [] }: OperationData): boolean {
  return [status, `${`${status}`[0]}XX`, 'default'].some((key) => failures.includes(key));
}

/** Checks the data of a response, or its items one by one. */
function checkOf({ context, operation }: Call, response: Response): ItemCall['check'] {
  return async (data) => context.check?.(operation.name, response.status, mediaTypeOf(response), data);
}

/**
 * Builds the request of one call.
 *
 * @throws TypeError if the address or a value cannot be sent. The message contains no credential.
 */
export async function buildRequest(call: Call): Promise<Request> {
  const { context, operation, request, options, signal } = call;
  const path = checkBaseUrl(options.baseUrl ?? context.baseUrl) + fillPath(operation, request.path);
  const headers: HeaderTarget = { accept: operation.accept ?? 'application/json' };
  const target: RequestTarget = { headers, query: writePairs(request.query, operation.queryWriters) };
  target.query.push(...writePairs({ ...context.query, ...options.query }));
  const [body, contentType] = writeBody(operation, request);
  setHeaders(headers, context.headers);
  if (contentType) setHeader(headers, 'content-type', contentType);
  setHeaders(headers, request.headers, operation.headerWriters);
  operation.writeCookies?.(headers, request.cookies);
  await operation.authorize?.(call, target);
  setHeaders(headers, options.headers);
  const query = target.query.join('&');
  // The platform skips members that are undefined, and takes time for others.
  const init = {
    redirect: operation.redirect ?? target.redirect,
    // fetch requires `duplex` if the body is a stream, and takes it with any.
    duplex: 'half',
    ...call.init,
    method: operation.method,
    headers,
    body,
    signal,
  } as RequestInit;
  const built = new Request(path + (query && (path.includes('?') ? '&' : '?') + query), init);
  call.sent = [built, body];
  return built;
}

/**
 * Returns the address without trailing slashes.
 *
 * @throws TypeError if it is not an address, or contains credentials, a query or a fragment. The message does not repeat
 * it, because it may contain a secret.
 */
export function checkBaseUrl(baseUrl: string): string {
  const page = (globalThis as { readonly location?: { readonly href: string } }).location?.href;
  if (page || baseUrl !== checked) {
    let url: string;
    try {
      url = new URL(baseUrl, page).href;
    } catch {
      throw new TypeError('The baseUrl is not an address.');
    }
    if (/[?#]|^[^/]*\/\/[^/]*@/.test(url))
      throw new TypeError('The baseUrl contains credentials, a query or a fragment.');
    while (url.endsWith('/')) url = url.slice(0, -1);
    checked = baseUrl;
    address = url;
  }
  return address;
}

/** The last `baseUrl` that was not relative to a page, and its address: to read one takes a twentieth of a call. */
let checked: string | undefined;
let address = '';

function fillPath(operation: OperationData, values: object = {}): string {
  let [path, ...pieces] = operation.path.split('{') as [string, ...string[]];
  for (const piece of pieces) {
    const [name, rest] = piece.split('}') as [string, string];
    const value = ownWriter(values as Writers<unknown>, name);
    const text = value == null ? '' : (ownWriter(operation.pathWriters, name) ?? writeSimple)(name, value);
    if (text === '') throw new TypeError(`${operation.name} needs a value for ${name} in its path.`);
    path += text + rest;
  }
  // '.' and '..' would select another path, even percent-encoded.
  if (/\/(\.|%2e){1,2}(\/|$)/i.test(path))
    throw new TypeError(`${operation.name} cannot have '.' or '..' in its path.`);
  return path;
}

function writeBody(operation: OperationData, { body, contentType }: RequestValues): readonly [BodyInit?, string?] {
  const mediaType = contentType ?? Object.keys(operation.body ?? {})[0];
  if (body === undefined || mediaType === undefined) return [];
  const writer = ownWriter(operation.body, mediaType);
  if (writer === undefined) throw new TypeError(`${operation.name} takes no body of type ${mediaType}.`);
  return writer(body, mediaType);
}

function setHeaders(headers: HeaderTarget, values: object | undefined, writers?: Writers<TextWriter>): void {
  for (const [name, value] of members(values)) {
    setHeader(headers, name, (ownWriter(writers, name) ?? writeSimple)(name, value, String));
  }
}

/** The media type of a response in lower case, without parameters. */
export function mediaTypeOf(response: Response): string | undefined {
  return response.headers.get('content-type')?.split(';', 1)[0]?.trim().toLowerCase();
}

/**
 * Reads a body by its content type: JSON as its value, text as a string (unless it is documented as a file), an event
 * stream as a stream, everything else as a Blob; `undefined` without a body. Malformed JSON of a failure is returned as
 * text.
 *
 * @throws MalformedBodyError if a success is documented or declared as JSON, but is not JSON.
 */
export async function readBody(response: Response, operation: OperationData, failed: boolean): Promise<unknown> {
  if (response.body === null) return undefined;
  const accept = operation.accept ?? 'application/json';
  const declared = mediaTypeOf(response);
  const mediaType = declared ?? accept.split(/[,;]/, 1)[0] ?? '';
  if (mediaType === 'text/event-stream' && !failed) return response.body;
  const isValue = isJson(mediaType) || (response.ok && accept.split(',').every(isJson));
  const parse = isValue ? jsonReader(operation, declared) : ownWriter(operation.texts, mediaType);
  if (parse) return parse(await response.text(), failed, response.status);
  // An empty text or file is a value if one is documented.
  const keepEmpty = declared !== undefined && accept.includes(declared);
  const isText = /^text\/|[/+](x-)?(xml|yaml|graphql)$/.test(mediaType) && !operation.files?.includes(mediaType);
  const value = await (isText ? response.text() : response.blob());
  return ((value as Partial<Blob>).size ?? value) || keepEmpty ? value : undefined;
}

function isJson(mediaType: string): boolean {
  return /[/+]json *(;|$)/.test(mediaType);
}

function jsonReader({ name }: OperationData, declared = 'application/json'): TextReader {
  return (text, failed, status) => {
    try {
      return text === '' ? undefined : (JSON.parse(text) as unknown);
    } catch (cause) {
      if (failed) return text;
      const what = isJson(declared) ? 'malformed JSON' : `${declared}, not JSON`;
      throw new MalformedBodyError(`${name} responded ${status} with ${what}.`, { cause });
    }
  };
}

/** Response headers as plain data. The cast serves projects without the library `dom.iterable`. */
export function headerValues(headers: Headers): HeaderValues {
  return Object.fromEntries(headers as unknown as Iterable<[string, string]>);
}

/** The signal of one call: aborts with the caller's signal or at the time limit. */
export interface Deadline {
  readonly signal: AbortSignal | undefined;
  /** Whether the time limit aborted the call. */
  readonly expired: () => boolean | undefined;
  /** Stops the timer. */
  readonly clear: () => void;
}

/** Starts the timer of one call. Unlike `AbortSignal.timeout`, it can be stopped when the response has arrived. */
export function startDeadline(milliseconds: number | undefined, signal: AbortSignal | undefined): Deadline {
  // Timers are limited to 31 bits; a longer one would fire at once.
  const controller = (milliseconds ?? Infinity) <= 0x7fffffff ? new AbortController() : undefined;
  const timer = controller && setTimeout(() => controller.abort(), milliseconds);
  return {
    signal: controller && signal ? anySignal([signal, controller.signal]) : (controller?.signal ?? signal),
    expired: () => controller?.signal.aborted,
    clear: () => clearTimeout(timer),
  };
}

/** `AbortSignal.any`, which the libraries of TypeScript before 5.5 do not declare. */
export function anySignal(signals: readonly AbortSignal[]): AbortSignal {
  return (AbortSignal as unknown as { any(signals: readonly AbortSignal[]): AbortSignal }).any(signals);
}

/**
 * The functions as methods, without their first parameter (the context). Operations also have a variant that does not
 * throw.
 */
export type BoundOperations<Operations, Types = object> = {
  readonly [Name in keyof Operations]: BoundOperation<Operations[Name]> &
    (Name extends keyof Types
      ? SafeVariant<Operations[Name], Types[Name]> & DownloadVariant<Operations[Name], Types[Name]>
      : unknown);
};

type BoundOperation<Operation> = Operation extends (context: never, ...rest: infer Rest) => infer Result
  ? (...rest: Rest) => Result
  : never;

/** The variant of an operation whose response is a file. */
type DownloadVariant<Operation, Types> = Types extends { readonly response: infer Result }
  ? Extract<Result, { readonly data: Blob }> extends never
    ? unknown
    : Operation extends (context: never, ...rest: infer Rest) => unknown
      ? {
          /** Returns the file of the response as a stream, bytes or a blob. */
          readonly as: <Kind extends keyof Download>(kind: Kind, ...rest: Rest) => Promise<Downloaded<Result, Kind>>;
        }
      : unknown
  : unknown;

interface SafeVariant<Operation, Types> {
  /** Returns `{ status, data, error, headers, response }` instead of throwing the failure. */
  readonly safe: Operation extends (context: never, ...rest: infer Rest) => unknown
    ? (...rest: Rest) => Promise<SafeResult<Extract<Types, OperationTypes>>>
    : never;
}

/**
 * Binds functions to a context. The caller names the type of the result: to compare a thousand methods with those of the
 * client takes a compiler ten times as long as the rest of an output.
 *
 * @throws TypeError if the `baseUrl` is not an address, or contains credentials, a query or a fragment.
 */
export function bindOperations(context: ClientContext, operations: object): unknown {
  checkBaseUrl(context.baseUrl);
  const bind = (operation: (context: ClientContext, ...rest: unknown[]) => unknown): object => {
    const call = (...rest: unknown[]): unknown => operation(context, ...rest);
    return Object.assign(call, {
      safe: (...rest: unknown[]): unknown => safely<never>(Promise.resolve(call(...rest)) as Promise<never>),
      as: (as: keyof Download, request: unknown, options?: CallOptions) => call(request, { ...options, as }),
    });
  };
  return Object.fromEntries(Object.entries(operations).map(([name, operation]) => [name, bind(operation)]));
}

/** Fills in the variables of a server address. */
export function fillServer(url: string, defaults: Readonly<Record<string, string>>, values: object): string {
  const given = new Map([...members(defaults), ...members(values)]);
  return url.replace(/\{([^{}]*)\}/g, (whole, name: string) => (given.has(name) ? toText(given.get(name)) : whole));
}
