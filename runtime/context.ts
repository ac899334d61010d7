import type { BodyWriter, CredentialWriter, PairWriter, TextWriter, Writers } from './serialize.js';

/** Options of a client. */
export interface ClientOptions<Credentials> {
  /** Address of the server, with or without a slash at the end. */
  readonly baseUrl: string;
  /** By name of the security scheme. Each call sends only those that its operation requires. */
  readonly credentials?: Credentials | undefined;
  /** Replaces the `fetch` of the platform. */
  readonly fetch?: ((request: Request) => Promise<Response>) | undefined;
  /** Sent with every call. When `fetch` follows a redirect to another server, it removes only `Authorization` and cookies. */
  readonly headers?: Readonly<Record<string, string | undefined>> | undefined;
  /** Milliseconds until the response must be complete. Default: no limit. */
  readonly timeout?: number | undefined;
  /** Called before each request is sent; may return another request to send instead. */
  readonly onRequest?: ((request: Request) => Request | void | Promise<Request | void>) | undefined;
  /** Called before each response is read. Read its body from `response.clone()` only. */
  readonly onResponse?: ((response: Response, request: Request) => void | Promise<void>) | undefined;
}

/** Per-call options that override the client's. */
export interface CallOptions {
  /** Aborts the call: it fails with the signal's reason. */
  readonly signal?: AbortSignal | undefined;
  /** Milliseconds until the response must be complete. */
  readonly timeout?: number | undefined;
  /** Added to the client's headers. */
  readonly headers?: Readonly<Record<string, string | undefined>> | undefined;
  /** Another server for this call, such as the one that accepts uploads. The credentials are sent to it. */
  readonly baseUrl?: string | undefined;
  /** Checks the response against the API description. */
  readonly validate?: boolean | undefined;
}

/** What the functions of a client share. */
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
  /** As the API description spells it, where that differs. */
  readonly id?: string;
  readonly method?: string;
  /** Path template. */
  readonly path: string;
  readonly pathWriters?: Writers<TextWriter>;
  readonly queryWriters?: Writers<PairWriter>;
  readonly headerWriters?: Writers<TextWriter>;
  readonly writeCookies?: (headers: Headers, values: unknown) => void;
  /** By media type; the first is the default. */
  readonly body?: Readonly<Record<string, BodyWriter>>;
  /** Alternatives: in each, the writers of the credentials that are sent together. */
  readonly security?: readonly Readonly<Record<string, CredentialWriter<never>>>[];
  readonly accept?: string;
  /** Documented statuses from 300 to 399: returned, not thrown. */
  readonly returned?: readonly number[];
  /** Documented failures: `404`, `'4XX'`, `'default'`. */
  readonly failures?: readonly (number | string)[];
  readonly redirect?: RequestRedirect;
  /** Media types of text that are documented as files. */
  readonly files?: readonly string[];
  /** Readers of streams of items, by media type. */
  readonly items?: Readonly<Record<string, ItemReader>>;
}

/** What the reader of a stream needs to know about its call. */
export interface ItemCall {
  /** Checks one item; throws if it does not match the API description. */
  readonly check?: ((item: unknown) => Promise<void>) | undefined;
  readonly signal?: AbortSignal | undefined;
}

/** Reads the items of a response. */
export type ItemReader = (response: Response, call: ItemCall) => AsyncIterable<unknown>;
