import { checkAccept, findResponse, isJson, lowerNames, writeReply, type AnyReply } from './server-response.js';
import { type ReadRequest, createRequestReader } from './server-request.js';
import { type ServerMatch, createServerRouter } from './server-router.js';
import { ServerError } from './server-error.js';
import type {
  FailureReply,
  ServerCall,
  ServerContext,
  ServerFailure,
  ServerOperation,
  ServerOptions,
  ServerPlan,
  ServerResult,
} from './server-types.js';

export { ServerError } from './server-error.js';
export type * from './server-types.js';

/** Makes the functions that make replies. */
export function makeReplies(names: readonly string[]): never {
  const make = (status: number, body: unknown, headers?: AnyReply['headers']): AnyReply => ({ status, body, headers });
  return Object.fromEntries(names.map((name) => [name, make])) as never;
}

/** Handlers of any operations. */
type AnyHandlers = Readonly<Record<string, ((request: never, context: never) => unknown) | undefined>>;

/** Options of any server. */
export type AnyOptions = ServerOptions & { readonly authenticate?: object | undefined };

/**
 * Serves a call.
 *
 * @param env - what the adapter adds to the context of handlers.
 * @returns `undefined` if no operation has this path.
 */
export type Serve = (call: ServerCall, env: object) => Promise<ServerResult | undefined>;

/** Makes the function that serves the operations of an API, whatever the framework. */
export function createServer(plan: ServerPlan, given: object, options: AnyOptions = {}): Serve {
  const handlers = given as AnyHandlers;
  const implemented = plan.operations.filter(({ name }) => hasHandler(handlers, name));
  const identify = plan.guard?.(implemented, options.authenticate ?? {});
  const find = createServerRouter(plan);
  const readers = new Map<ServerOperation, ReadRequest>();
  const scope: ServeScope = { options, identify, handlers, readers };
  return (call, env) => {
    const match = find(call.method, call.path, call.mount);
    if (match === undefined) return Promise.resolve(undefined);
    if (!('operation' in match)) return Promise.resolve(refuseRoute(match, call, options));
    const served = serveOperation(match.operation, match.values, { call, env, scope });
    return call.method === 'HEAD' ? served.then(withoutBody) : served;
  };
}

/** The response to a path that cannot be read or has other methods only. */
function refuseRoute(
  match: Exclude<ServerMatch, { readonly operation: unknown }>,
  { method, path }: ServerCall,
  options: AnyOptions,
): ServerResult {
  if ('isMalformed' in match) {
    const violations = [{ in: 'path', pointer: '', message: 'must be percent-encoded UTF-8' }] as const;
    const error = new ServerError(400, 'The path is not percent-encoded UTF-8.', { violations });
    return writeFailure(error, undefined, options);
  }
  const headers = { allow: match.allow };
  if (method === 'OPTIONS') return { status: 204, headers };
  const message = `${path} does not allow ${method}, only ${match.allow}.`;
  return writeFailure(new ServerError(405, message, { headers }), undefined, options);
}

/** Handlers may be methods of a class, but not those of every object. */
function hasHandler(handlers: AnyHandlers, name: string): boolean {
  return Object.hasOwn(handlers, name) || (typeof handlers[name] === 'function' && !(name in Object.prototype));
}

/** The response to a path that no operation has. */
export function notFound(path: string, options: AnyOptions = {}): ServerResult {
  return writeFailure(new ServerError(404, `There is no operation at ${path}.`), undefined, options);
}

interface ServeScope {
  readonly options: AnyOptions;
  readonly identify: ReturnType<NonNullable<ServerPlan['guard']>> | undefined;
  readonly handlers: AnyHandlers;
  readonly readers: Map<ServerOperation, ReadRequest>;
}

/** The context of a handler. A getter of each object, in place of one of the class, would cost a quarter of a request. */
class CallContext implements ServerContext {
  readonly operation: string;
  readonly identity: unknown;
  readonly #call: ServerCall;

  constructor(operation: string, identity: unknown, call: ServerCall) {
    this.operation = operation;
    this.identity = identity;
    this.#call = call;
  }

  get signal(): AbortSignal {
    return this.#call.signal;
  }
}

async function serveOperation(
  operation: ServerOperation,
  values: ReadonlyMap<string, string>,
  { call, env, scope }: { readonly call: ServerCall; readonly env: object; readonly scope: ServeScope },
): Promise<ServerResult> {
  const { options, handlers } = scope;
  const { name, security } = operation;
  try {
    if (!hasHandler(handlers, name)) throw new ServerError(501, `${name} is not implemented.`);
    const identity = security === undefined ? undefined : await scope.identify?.(operation, call);
    checkAccept(operation, call.header('accept'));
    let read = scope.readers.get(operation);
    if (read === undefined) scope.readers.set(operation, (read = createRequestReader(operation, options.bodyLimit)));
    const reading = read(call, values);
    const request = reading instanceof Promise ? await reading : reading;
    const context = Object.assign(new CallContext(name, identity, call), env);
    // As a method, so that handlers can be the methods of an object of a class.
    const reply = (await handlers[name]?.(request as never, context as never)) as AnyReply;
    const onError = (error: unknown): void => report(error, name, options);
    return writeReply(reply, operation, call, { isChecked: options.responses !== 'off', onError });
  } catch (error) {
    if (error instanceof ServerError) return writeFailure(error, operation, options);
    report(error, name, options);
    return writeFailure(new ServerError(500, 'The server failed to handle the request.'), operation, options);
  }
}

function report(error: unknown, operation: string, { onError }: ServerOptions): void {
  if (onError === undefined) console.error(error);
  else onError(error, operation);
}

function withoutBody({ status, headers, body }: ServerResult): ServerResult {
  if (body instanceof ReadableStream) body.cancel().catch(() => undefined);
  return { status, headers };
}

/** Writes a failure: as the options say, as the spec documents it, or as problem details (RFC 9457). */
function writeFailure(error: ServerError, operation: ServerOperation | undefined, options: AnyOptions): ServerResult {
  const { status, message, violations, headers } = error;
  const failure: ServerFailure = { status, message, violations, operation: operation?.name };
  const own = (violations.length > 0 ? options.onInvalid : options.onFailure)?.(failure);
  if (own !== undefined) return writeOwn(own, status, headers);
  const { fail, content = [] } = (operation && findResponse(operation, status)) ?? {};
  const type = fail && content.map(([mediaType]) => mediaType).find(isJson);
  return {
    status,
    headers: { ...headers, 'content-type': type ?? 'application/problem+json' },
    body: JSON.stringify(fail?.(failure) ?? problem(failure)),
  };
}

/** Writes what the function of an option returned. */
function writeOwn(own: FailureReply, status: number, headers: ServerResult['headers']): ServerResult {
  const sent = { 'content-type': 'application/json', ...lowerNames(own.headers) };
  const body = typeof own.body === 'string' && !isJson(sent['content-type']) ? own.body : JSON.stringify(own.body);
  return { status: own.status ?? status, headers: { ...headers, ...sent }, body };
}

function problem({ status, message, violations }: ServerFailure): object {
  const value = { type: 'about:blank', title: TITLES[status] ?? 'Error', status, detail: message };
  return violations.length === 0 ? value : { ...value, violations };
}

/** The reason phrases of the failures of a server. */
const TITLES: Readonly<Record<number, string>> = {
  400: 'Bad Request',
  401: 'Unauthorized',
  403: 'Forbidden',
  404: 'Not Found',
  405: 'Method Not Allowed',
  406: 'Not Acceptable',
  409: 'Conflict',
  413: 'Content Too Large',
  415: 'Unsupported Media Type',
  422: 'Unprocessable Content',
  500: 'Internal Server Error',
  501: 'Not Implemented',
};
