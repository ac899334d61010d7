import type { CallOptions, ClientContext, ItemCall, OperationData, RequestValues } from './context.js';
import { ApiError, type HeaderValues, MalformedBodyError, NetworkError, TimeoutError } from './errors.js';
import { members, ownWriter, type RequestTarget, setHeader, writePairs, writeSimple } from './serialize.js';

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
 * @throws MalformedBodyError if the body is not what its content type, or the API description, says.
 * @throws TypeError if a value cannot be sent.
 */
export async function send<Result>(
  context: ClientContext,
  operation: OperationData,
  { request = {}, options = {} }: CallArguments,
): Promise<Result> {
  const call = { context, operation, request, options };
  const deadline = startDeadline(options.timeout ?? context.timeout, options.signal);
  try {
    const built = await buildRequest(call, deadline.signal);
    const sent = ((await context.onRequest?.(built)) as Request | undefined) ?? built;
    const response = await attempt(call, deadline, () => (context.fetch ?? fetch)(sent));
    await context.onResponse?.(response, sent);
    const failed = !response.ok && !operation.returned?.includes(response.status);
    const readItems = failed ? undefined : ownWriter(operation.items, mediaTypeOf(response) ?? '');
    const isChecked = options.validate ?? context.validate ?? false;
    const data =
      readItems === undefined
        ? await attempt(call, deadline, () => readBody(response, operation, failed))
        : readItems(response, itemCall(call, response, isChecked));
    const { status } = response;
    const headers = headerValues(response.headers);
    if (failed)
      throw new ApiError(operation, { status, body: data, headers, documented: isDocumented(status, operation) });
    if (isChecked && readItems === undefined) await checkResponse(call, response, data);
    return { status, data, headers, response } as Result;
  } finally {
    deadline.clear();
  }
}

/** Runs network work and converts its errors. The message is ours: that of the platform could contain a secret address. */
async function attempt<Value>(
  { operation, options }: Call,
  deadline: Deadline,
  work: () => Promise<Value>,
): Promise<Value> {
  try {
    return await work();
  } catch (cause) {
    if (options.signal?.aborted) throw options.signal.reason;
    if (cause instanceof MalformedBodyError) throw cause;
    if (deadline.expired()) throw new TimeoutError(`${operation.name} got no complete response in time.`, { cause });
    throw new NetworkError(`${operation.name} got no complete response.`, { cause });
  }
}

function isDocumented(status: number, { failures = [] }: OperationData): boolean {
  return [status, `${Math.floor(status / 100)}XX`, 'default'].some((key) => failures.includes(key));
}

async function checkResponse({ context, operation }: Call, response: Response, data: unknown): Promise<void> {
  if (context.check === undefined)
    throw new TypeError(
      'Responses can be validated only by a client made with the generated create…Client function, from output that has validators.',
    );
  await context.check(operation.name, response.status, mediaTypeOf(response), data);
}

/** Items are checked one by one. */
function itemCall(call: Call, response: Response, isChecked: boolean): ItemCall {
  const check = isChecked ? (item: unknown): Promise<void> => checkResponse(call, response, item) : undefined;
  return { check, signal: call.options.signal };
}

/** One call: the context of the client, the operation, the values and the options of this call. */
export interface Call {
  readonly context: ClientContext;
  readonly operation: OperationData;
  readonly request: RequestValues;
  readonly options: CallOptions;
}

/**
 * Builds the request of one call.
 *
 * @throws TypeError if the address or a value cannot be sent. The message contains no credential.
 */
export async function buildRequest(
  { context, operation, request, options }: Call,
  signal?: AbortSignal,
): Promise<Request> {
  const base = checkBaseUrl(options.baseUrl ?? context.baseUrl);
  const path = base + fillPath(operation, request.path);
  const headers = new Headers({ accept: operation.accept ?? 'application/json' });
  const target: RequestTarget = { headers, query: writePairs(request.query, operation.queryWriters) };
  const [body, contentType] = writeBody(operation, request);
  setHeaders(headers, context.headers);
  setHeaders(headers, { 'content-type': contentType });
  for (const [name, value] of members(request.headers)) {
    setHeader(headers, name, (ownWriter(operation.headerWriters, name) ?? writeSimple)(name, value, String));
  }
  operation.writeCookies?.(headers, request.cookies);
  await writeCredentials(context, operation, target);
  setHeaders(headers, options.headers);
  const query = target.query.join('&');
  const redirect = operation.redirect ?? target.redirect ?? 'follow';
  // fetch requires `duplex` if the body is a stream; otherwise it has no effect.
  const init = {
    method: operation.method ?? 'GET',
    headers,
    redirect,
    body: body ?? null,
    signal: signal ?? null,
    duplex: 'half',
  };
  return new Request(query === '' ? path : `${path}${path.includes('?') ? '&' : '?'}${query}`, init);
}

/**
 * Returns the address without trailing slashes.
 *
 * @throws TypeError if it is not an address, or contains credentials, a query or a fragment. The message does not repeat
 * it, because it may contain a secret.
 */
export function checkBaseUrl(baseUrl: string): string {
  const page = (globalThis as { readonly location?: { readonly href: string } }).location?.href;
  if (!URL.canParse(baseUrl, page)) throw new TypeError('The baseUrl is not an address.');
  const { username, password, search, hash, href } = new URL(baseUrl, page);
  if (username + password + search + hash !== '')
    throw new TypeError('The baseUrl contains credentials, a query or a fragment.');
  let end = href.length;
  while (href[end - 1] === '/') end -= 1;
  return href.slice(0, end);
}

function fillPath(operation: OperationData, values: object = {}): string {
  const given = new Map(members(values));
  const path = operation.path.replace(/\{([^{}]+)\}/g, (_match, name: string) => {
    const text = given.has(name) ? (ownWriter(operation.pathWriters, name) ?? writeSimple)(name, given.get(name)) : '';
    if (text === '') throw new TypeError(`${operation.name} needs a value for ${name} in its path.`);
    return text;
  });
  // A segment of dots would leave the folder, even percent-encoded.
  if (/\/(\.|%2e){1,2}(?=\/|$)/i.test(path))
    throw new TypeError(`${operation.name} cannot have '.' or '..' as a part of its path.`);
  return path;
}

function writeBody(operation: OperationData, { body, contentType }: RequestValues): readonly [BodyInit?, string?] {
  const mediaType = contentType ?? Object.keys(operation.body ?? {})[0];
  if (body === undefined || mediaType === undefined) return [];
  const writer = ownWriter(operation.body, mediaType);
  if (writer === undefined) throw new TypeError(`${operation.name} takes no body of type ${mediaType}.`);
  return writer(body, mediaType);
}

/** Sends the first alternative for which all credentials are given. */
async function writeCredentials(
  { credentials }: ClientContext,
  operation: OperationData,
  target: RequestTarget,
): Promise<void> {
  const given = new Map(members(credentials));
  const alternative = operation.security?.find((schemes) => Object.keys(schemes).every((name) => given.has(name)));
  for (const [name, write] of Object.entries(alternative ?? {})) await write(given.get(name) as never, target);
}

function setHeaders(headers: Headers, values: Readonly<Record<string, string | undefined>> = {}): void {
  for (const [name, value] of Object.entries(values)) if (value !== undefined) setHeader(headers, name, value);
}

/** The media type of a response in lower case, without parameters. */
export function mediaTypeOf(response: Response): string | undefined {
  return response.headers.get('content-type')?.split(';', 1)[0]?.trim().toLowerCase();
}

/**
 * Reads a body by its content type: JSON as its value, text as a string (unless it is documented as a file), an event
 * stream as a stream, everything else as a Blob; `undefined` if there is none. The body of a failure is never an error:
 * JSON that cannot be parsed stays text.
 *
 * @throws MalformedBodyError if a success that is documented or declared as JSON is not JSON.
 */
export async function readBody(response: Response, operation: OperationData, failed: boolean): Promise<unknown> {
  if (response.body === null) return undefined;
  const accept = operation.accept ?? 'application/json';
  const declared = mediaTypeOf(response);
  const mediaType = declared ?? accept.split(/[,;]/, 1)[0] ?? '';
  if (mediaType === 'text/event-stream' && !failed) return response.body;
  if (isJson(mediaType) || (response.ok && accept.split(',').every(isJson)))
    return readJson(response, operation, failed);
  // An empty text or file is a value if one is documented.
  const keepEmpty = declared !== undefined && accept.includes(declared);
  if (/^text\/|[/+](x-)?(xml|yaml|graphql)$/.test(mediaType) && !operation.files?.includes(mediaType)) {
    const text = await response.text();
    return text === '' && !keepEmpty ? undefined : text;
  }
  const blob = await response.blob();
  return blob.size === 0 && !keepEmpty ? undefined : blob;
}

function isJson(mediaType: string): boolean {
  return /[/+]json *(;|$)/.test(mediaType);
}

async function readJson(response: Response, operation: OperationData, failed: boolean): Promise<unknown> {
  const text = await response.text();
  try {
    return text === '' ? undefined : (JSON.parse(text) as unknown);
  } catch (cause) {
    if (failed) return text;
    const what = isJson(mediaTypeOf(response) ?? 'application/json')
      ? 'malformed JSON'
      : `${mediaTypeOf(response)}, not JSON`;
    throw new MalformedBodyError(`${operation.name} responded ${response.status} with ${what}.`, { cause });
  }
}

/** Response headers as plain data. Works without the `dom.iterable` library. */
export function headerValues(headers: Headers): HeaderValues {
  const entries: [string, string][] = [];
  headers.forEach((value, name) => entries.push([name, value]));
  return Object.fromEntries(entries);
}

/** The signal of one call: aborts with the caller's signal, or when the time is over. */
export interface Deadline {
  readonly signal: AbortSignal | undefined;
  /** Whether the time limit aborted the call. */
  readonly expired: () => boolean;
  /** Stops the timer. */
  readonly clear: () => void;
}

/** Starts the timer of one call. `AbortSignal.timeout` cannot be stopped once the response is there. */
export function startDeadline(milliseconds: number | undefined, signal: AbortSignal | undefined): Deadline {
  // Timers are limited to 31 bits; a longer one would fire at once.
  if (milliseconds === undefined || milliseconds > 0x7fffffff)
    return { signal, expired: () => false, clear: () => undefined };
  const controller = new AbortController();
  const timer = setTimeout(() => controller.abort(), milliseconds);
  return {
    signal: signal === undefined ? controller.signal : anySignal([signal, controller.signal]),
    expired: () => controller.signal.aborted,
    clear: () => clearTimeout(timer),
  };
}

/** `AbortSignal.any`, which the libraries of TypeScript before 5.5 do not declare. */
function anySignal(signals: readonly AbortSignal[]): AbortSignal {
  return (AbortSignal as unknown as { any(signals: readonly AbortSignal[]): AbortSignal }).any(signals);
}

/** Functions as methods: without their first parameter, the context. */
export type BoundOperations<Operations> = { readonly [Name in keyof Operations]: BoundOperation<Operations[Name]> };

type BoundOperation<Operation> = Operation extends (context: never, ...rest: infer Rest) => infer Result
  ? (...rest: Rest) => Result
  : never;

/**
 * Binds functions to a context.
 *
 * @throws TypeError if the `baseUrl` is not an address, or contains credentials, a query or a fragment.
 */
export function bindOperations<Operations extends object>(
  context: ClientContext,
  operations: Operations,
): BoundOperations<Operations> {
  checkBaseUrl(context.baseUrl);
  const bind =
    (operation: (context: ClientContext, ...rest: unknown[]) => unknown) =>
    (...rest: unknown[]) =>
      operation(context, ...rest);
  const methods = Object.entries(operations).map(([name, operation]) => [name, bind(operation)]);
  return Object.fromEntries(methods) as BoundOperations<Operations>;
}
