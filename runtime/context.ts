import type { PairWriter, TextWriter, Writers } from './serialize.js';

/** What a client is made with. */
export interface ClientOptions<Credentials> {
  /** Address of the server, with or without a slash at the end. */
  readonly baseUrl: string;
  /** By name of the security scheme. Each call sends those that its operation asks for, and no other. */
  readonly credentials?: Credentials | undefined;
  /** In place of the platform's `fetch`. */
  readonly fetch?: ((request: Request) => Promise<Response>) | undefined;
  /** Sent with every call. `fetch` follows redirects to other servers and takes away `Authorization` and cookies only. */
  readonly headers?: Readonly<Record<string, string | undefined>> | undefined;
  /** Milliseconds until a whole answer is there. Default: no limit. */
  readonly timeout?: number | undefined;
  /** Sees each request before it is sent, and may give another in its place. */
  readonly onRequest?: ((request: Request) => Request | void | Promise<Request | void>) | undefined;
  /** Sees each answer before it is read. Read its body from `response.clone()` only. */
  readonly onResponse?: ((response: Response, request: Request) => void | Promise<void>) | undefined;
}

/** What one call can do otherwise. */
export interface CallOptions {
  /** Ends the call: it then fails with the signal's reason. */
  readonly signal?: AbortSignal | undefined;
  /** Milliseconds until a whole answer is there, in place of the client's. */
  readonly timeout?: number | undefined;
  /** Added to the client's headers. */
  readonly headers?: Readonly<Record<string, string | undefined>> | undefined;
  /** Another server for this call, such as the one that takes uploads. It gets the credentials of the call. */
  readonly baseUrl?: string | undefined;
  /** Checks the answer against the API description, in place of the client's `validate`. */
  readonly validate?: boolean | undefined;
}

/** What the functions beneath a client share. */
export interface ClientContext<Credentials = unknown> extends ClientOptions<Credentials> {
  readonly validate?: boolean | undefined;
  /** Checks an answer; throws where it is not as described. */
  readonly check?: CheckAnswer | undefined;
}

export type CheckAnswer = (
  operation: string,
  status: number,
  mediaType: string | undefined,
  data: unknown,
) => Promise<void>;

/** The groups of values that a call is made of. */
export interface RequestValues {
  readonly path?: object | undefined;
  readonly query?: object | undefined;
  readonly headers?: object | undefined;
  readonly cookies?: object | undefined;
  readonly body?: unknown;
  readonly contentType?: string | undefined;
}

/** What a call adds to the request beside its values. */
export interface RequestTarget {
  readonly headers: Headers;
  /** `name=value`, encoded. */
  readonly query: string[];
  redirect?: RequestRedirect;
}

export type CredentialWriter<Credential> = (credential: Credential, target: RequestTarget) => void | Promise<void>;

/** The body as it travels, and its content type where the platform does not know it better. */
export type BodyWriter = (body: unknown, mediaType: string) => readonly [BodyInit, string?];

/** An operation as data. What is absent is the default: a `GET` that answers JSON, every value in its default style. */
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
  /** Documented statuses from 300 to 399: they are answers, not failures. */
  readonly answers?: readonly number[];
  /** Documented failures: `404`, `'4XX'`, `'default'`. */
  readonly failures?: readonly (number | string)[];
  readonly redirect?: RequestRedirect;
  /** Media types of text that are documented as files. */
  readonly files?: readonly string[];
}
