import type {
  BodyWriter,
  CredentialWriter,
  HeaderTarget,
  PairWriter,
  RequestTarget,
  TextWriter,
  Writers,
} from './serialize.js';

/** Options of a client. */
export interface ClientOptions<Credentials> {
  /** Address of the server, with or without a slash at the end. */
  readonly baseUrl: string;
  /** By name of the security scheme. Each call sends only those that its operation requires. */
  readonly credentials?: Credentials | undefined;
  /** Replaces the `fetch` of the platform. The second argument is the option `init`. */
  readonly fetch?: ((request: Request, init?: RequestInit) => Promise<Response>) | undefined;
  /** Sent with every call. When `fetch` follows a redirect to another server, it removes only `Authorization` and cookies. */
  readonly headers?: HeaderOptions | undefined;
  /** Added to the query of every call. */
  readonly query?: QueryOptions | undefined;
  /** Passed to `fetch` with every call: `credentials: 'include'`, `cache`, or options of a framework such as `next`. */
  readonly init?: FetchInit | undefined;
  /** Maximum time until the response is complete, in milliseconds, including retries and waits. Default: no limit. */
  readonly timeout?: number | undefined;
  /** Functions around each call, the first outermost. */
  readonly middleware?: readonly Middleware[] | undefined;
  /** Called before each request is sent, including retries; may return another request to send instead. */
  readonly onRequest?: ((request: Request) => Request | void | Promise<Request | void>) | undefined;
  /** Called before each response is read. Read its body from `response.clone()` only. */
  readonly onResponse?: ((response: Response, request: Request) => void | Promise<void>) | undefined;
}

export type HeaderOptions = Readonly<Record<string, string | undefined>>;

export type QueryOptions = Readonly<Record<string, unknown>>;

/** The members of `RequestInit` that do not come from the operation. */
export interface FetchInit extends Omit<RequestInit, 'body' | 'headers' | 'method' | 'signal'> {
  readonly [member: string]: unknown;
  readonly body?: never;
  readonly headers?: never;
  readonly method?: never;
  readonly signal?: never;
}

/**
 * A function around a call: passes the request to `next` and returns the response. It may change both.
 *
 * @example
 * ```ts
 * const log: Middleware = async (request, next) => {
 *   const response = await next(request);
 *   console.log(request.method, request.url, response.status);
 *   return response;
 * };
 * ```
 */
export type Middleware = (request: Request, next: Next, call: Call) => Promise<Response>;

/** Sends a request through the remaining middleware. */
export type Next = (request: Request) => Promise<Response>;

/** One call: the context of the client, the operation, the values and the options of this call. */
export interface Call {
  readonly context: ClientContext;
  readonly operation: OperationData;
  readonly request: RequestValues;
  readonly options: CallOptions;
  /** The `fetch` options of the client and of this call. */
  readonly init: FetchInit;
  /** Aborts with the caller's signal or at the time limit. */
  readonly signal: AbortSignal | undefined;
  /** The request that the client built, and its body. */
  sent?: readonly [request: Request, body: BodyInit | undefined];
}

/** Per-call options that override the client's. */
export interface CallOptions {
  /** Aborts the call: it fails with the signal's reason. */
  readonly signal?: AbortSignal | undefined;
  /** Maximum time until the response is complete, in milliseconds, including retries and waits. */
  readonly timeout?: number | undefined;
  /** Maximum time until the response of each attempt begins, in milliseconds. */
  readonly attemptTimeout?: number | undefined;
  /** How to retry this call; `false` for no retries. */
  readonly retry?: boolean | RetryPolicy | undefined;
  /** Added to the client's headers. */
  readonly headers?: HeaderOptions | undefined;
  /** Added to the query. */
  readonly query?: QueryOptions | undefined;
  /** Passed to `fetch`, merged with the client's `init`. */
  readonly init?: FetchInit | undefined;
  /** The server for this call, such as one that accepts uploads. The credentials are sent to it. */
  readonly baseUrl?: string | undefined;
  /** Checks the response against the API description. */
  readonly validate?: boolean | undefined;
  /** Called while the request body is sent. Browsers that cannot send streams report only its end. */
  readonly onUploadProgress?: ((progress: Progress) => void) | undefined;
  /** Called while the response body is received. */
  readonly onDownloadProgress?: ((progress: Progress) => void) | undefined;
  /** The form in which a file of the response is returned. Default: `'blob'`. */
  readonly as?: keyof Download | undefined;
}

/** How much of a body has been transferred. */
export interface Progress {
  readonly bytes: number;
  /** `undefined` if it is not known. */
  readonly total: number | undefined;
}

/** The forms in which a file of a response can be returned. */
export interface Download {
  readonly blob: Blob;
  readonly bytes: Uint8Array;
  /** Nothing is kept in memory. */
  readonly stream: ReadableStream<Uint8Array>;
}

/** The result of a call, with its file in the form that the caller chose. */
export type Downloaded<Result, Kind extends keyof Download> = Result extends { readonly data: Blob }
  ? Omit<Result, 'data'> & { readonly data: Download[Kind] }
  : Result;

/** How failed calls are retried. */
export interface RetryPolicy {
  /** Maximum number of attempts, including the first. Default: 3. */
  readonly attempts?: number | undefined;
  /** Statuses after which a call is retried. Default: 408, 429, 500, 502, 503 and 504. */
  readonly statuses?: readonly number[] | undefined;
  /**
   * Methods that are retried, in addition to calls with an idempotency key. Default: the idempotent methods of HTTP.
   */
  readonly methods?: readonly string[] | undefined;
  /**
   * Milliseconds before the first retry; doubled before each further one, minus a random part of up to half. Default:
   * 500.
   */
  readonly delay?: number | undefined;
  /** The longest wait in milliseconds. A failure whose `Retry-After` asks for more is final. Default: 10 s. */
  readonly maxDelay?: number | undefined;
  /** Called before each retry. */
  readonly onRetry?: ((retry: Retry) => void | Promise<void>) | undefined;
}

/** A retry that is about to happen. */
export interface Retry {
  /** Name of the function that was called. */
  readonly operation: string;
  /** The attempt that failed: 1 is the first. */
  readonly attempt: number;
  /** Milliseconds until the next attempt. */
  readonly delay: number;
  /** The failure; `undefined` if there was no response. */
  readonly response: Response | undefined;
  /** The error if there was no response. */
  readonly error: unknown;
}

/** Options that all functions of a client share. */
export interface ClientContext<Credentials = unknown> extends ClientOptions<Credentials> {
  readonly validate?: boolean | undefined;
  /** Checks a response; throws if it does not match the API description. */
  readonly check?: CheckResponse | undefined;
}

export type CheckResponse = (
  operation: string,
  status: number,
  mediaType: string | undefined,
  data: unknown,
) => Promise<void>;

/** The values of a call, by group. */
export interface RequestValues {
  readonly path?: object | undefined;
  readonly query?: object | undefined;
  readonly headers?: object | undefined;
  readonly cookies?: object | undefined;
  readonly body?: unknown;
  readonly contentType?: string | undefined;
}

/** An operation as data. Defaults are left out: method `GET`, a JSON response, every value in its default style. */
export interface OperationData {
  /** Name of the function. */
  readonly name: string;
  /** The name in the API description, if it differs. */
  readonly id?: string;
  readonly method?: string;
  /** Path template. */
  readonly path: string;
  readonly pathWriters?: Writers<TextWriter>;
  readonly queryWriters?: Writers<PairWriter>;
  readonly headerWriters?: Writers<TextWriter>;
  readonly writeCookies?: (headers: HeaderTarget, values: unknown) => void;
  /** Whether each call sends an idempotency key. */
  readonly isRepeatable?: boolean;
  /** Writers by media type; the first is the default. */
  readonly body?: Readonly<Record<string, BodyWriter>>;
  /** Alternatives: in each, the writers of the credentials that are sent together. */
  readonly security?: readonly Readonly<Record<string, CredentialWriter<never>>>[];
  /** Writes the credentials, if there are alternatives: other operations do without the code for them. */
  readonly authorize?: (call: Call, target: RequestTarget) => Promise<void>;
  readonly accept?: string;
  /** Documented failures: `404`, `'4XX'`, `'default'`. */
  readonly failures?: readonly (number | string)[];
  readonly redirect?: RequestRedirect;
  /** Text media types that are documented as files. */
  readonly files?: readonly string[];
  /** Readers of streams of items, by media type. */
  readonly items?: Readonly<Record<string, ItemReader>>;
  /** Readers of structured text such as XML, by media type. */
  readonly texts?: Readonly<Record<string, TextReader>>;
}

/** The parts of a call that the reader of its stream needs. */
export interface ItemCall {
  /** Checks one item; throws if it does not match the API description. */
  readonly check?: ((item: unknown) => Promise<void>) | undefined;
  readonly signal?: AbortSignal | undefined;
}

/** Reads the items of a response. */
export type ItemReader = (response: Response, call: ItemCall) => AsyncIterable<unknown>;

/** Reads structured text such as XML. The body of a failure stays text if it cannot be read. */
export type TextReader = (text: string, failed: boolean, status: number) => unknown;
