/** Headers by lower-case name; a repeated header is a list. */
export type HeaderMap = Readonly<Record<string, string | readonly string[] | undefined>>;

/** Returns a header as one text; `undefined` if it is absent. */
export function readHeader({ headers }: { readonly headers: HeaderMap }, name: string): string | undefined {
  const value = headers[name.toLowerCase()];
  return typeof value === 'object' ? value.join(', ') : value;
}

/** Returns scheme and host as the sender of a request wrote them, such as `http://localhost:4010`. */
export function originOf(request: Pick<MockRequest, 'headers' | 'base'>): string {
  const host = readHeader(request, 'host') ?? '';
  return `${request.base?.scheme ?? 'http'}://${host === '' ? 'localhost' : host}`;
}

/** Returns the URL of the API for the sender of a request, without a trailing slash. */
export function baseUrlOf(request: Pick<MockRequest, 'headers' | 'base'>): string {
  return originOf(request) + (request.base?.prefix ?? '');
}

/** Whether a status is a success: 2xx (RFC 9110, section 15.3). */
export function isSuccess({ status }: { readonly status: number }): boolean {
  return status >= 200 && status < 300;
}

/** Returns headers with lower-case names. */
export function lowerCaseNames<Value>(headers: Readonly<Record<string, Value>>): Readonly<Record<string, Value>> {
  const entries = Object.entries(headers);
  if (entries.every(([name]) => name === name.toLowerCase())) return headers;
  return Object.fromEntries(entries.map(([name, value]) => [name.toLowerCase(), value]));
}

/** How clients reach an API, besides its host. */
export interface RequestBase {
  readonly scheme: 'http' | 'https';
  /** The path below which the API is mounted, without a trailing slash; empty for the root. */
  readonly prefix: string;
}

/** A request of any transport. */
export interface MockRequest {
  /** Upper case. */
  readonly method: string;
  /** Path and query, still encoded, without the prefix of `base`, such as `/api/v2/getcase?id=1`. */
  readonly target: string;
  /** Default: `http` without a prefix. URLs in responses begin with it. */
  readonly base?: RequestBase | undefined;
  readonly headers: HeaderMap;
  /** Reads the whole body, which may be empty. Rejects with an `HttpError` 413 beyond the limit in bytes. */
  readonly bytes: (limit?: number) => Promise<Uint8Array>;
  /** Streams the body as it arrives. Call either this or `bytes`, once. */
  readonly stream: () => AsyncIterable<Uint8Array>;
  readonly remoteAddress: string;
  /** Aborted when the client goes away. */
  readonly signal: AbortSignal;
}

/** An event of a `text/event-stream` response; the transport writes the framing. */
export interface ServerSentEvent {
  readonly data: unknown;
  readonly event?: string;
  readonly id?: string;
  /** Milliseconds until a client reconnects. */
  readonly retry?: number;
}

/** The body of a response: JSON, text, bytes, a stream of bytes, or a stream of events. Absent: no body. */
export type SentBody =
  | { readonly kind: 'json'; readonly value: unknown }
  | { readonly kind: 'text'; readonly text: string }
  | { readonly kind: 'bytes'; readonly bytes: Uint8Array }
  | { readonly kind: 'stream'; readonly chunks: AsyncIterable<Uint8Array> }
  | { readonly kind: 'events'; readonly events: AsyncIterable<ServerSentEvent> };

/** The items of a stream. They are written in the framing of its media type. */
export interface ItemsBody {
  readonly kind: 'items';
  readonly items: AsyncIterable<unknown> | Iterable<unknown>;
}

/** The body of a response before it is written. */
export type ResponseBody = SentBody | ItemsBody;

/** A response before its body is written. */
export interface ResponseMessage {
  readonly status: number;
  /** By lower-case name. */
  readonly headers: HeaderMap;
  readonly body: ResponseBody | undefined;
}

/** A response of the pipeline, before a transport writes it. */
export interface MockResponse {
  readonly status: number;
  readonly headers: HeaderMap;
  readonly body?: SentBody;
  /** Set if the transport must close the connection without a response. */
  readonly abort?: true;
}

/** A violation of the spec, as in responses and the journal. */
export interface Violation {
  readonly in: 'path' | 'query' | 'header' | 'cookie' | 'body' | 'response' | 'security';
  /** JSON pointer into the part that `in` names. */
  readonly pointer: string;
  readonly message: string;
}
