/** Headers by lower-case name; a name that came several times is a list. */
export type HeaderMap = Readonly<Record<string, string | readonly string[] | undefined>>;

/** A header of a message as one text; `undefined` where it is not sent. */
export function readHeader({ headers }: { readonly headers: HeaderMap }, name: string): string | undefined {
  const value = headers[name.toLowerCase()];
  return typeof value === 'object' ? value.join(', ') : value;
}

/** Whether a response says that its request was done or accepted: 2xx (RFC 9110, 15.3). */
export function isSuccess({ status }: { readonly status: number }): boolean {
  return status >= 200 && status < 300;
}

/** Headers with their names in lower case. */
export function lowerCaseNames<Value>(headers: Readonly<Record<string, Value>>): Readonly<Record<string, Value>> {
  const entries = Object.entries(headers);
  if (entries.every(([name]) => name === name.toLowerCase())) return headers;
  return Object.fromEntries(entries.map(([name, value]) => [name.toLowerCase(), value]));
}

/** A request as a transport passes it to the pipeline. */
export interface MockRequest {
  /** Upper case. */
  readonly method: string;
  /** Path and query as they came, such as `/api/v2/getcase?id=1`. */
  readonly target: string;
  readonly headers: HeaderMap;
  /** The whole body, or empty. Past the limit (in bytes) it fails with a `HttpError` 413. */
  readonly bytes: (limit?: number) => Promise<Uint8Array>;
  /** The body as it arrives, for operations that take a stream. Either this or `bytes`, once. */
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
  /** Milliseconds until a client connects again. */
  readonly retry?: number;
}

/** The body of a response: JSON, text, bytes, a stream of bytes, or a stream of events. Absent: no body. */
export type SentBody =
  | { readonly kind: 'json'; readonly value: unknown }
  | { readonly kind: 'text'; readonly text: string }
  | { readonly kind: 'bytes'; readonly bytes: Uint8Array }
  | { readonly kind: 'stream'; readonly chunks: AsyncIterable<Uint8Array> }
  | { readonly kind: 'events'; readonly events: AsyncIterable<ServerSentEvent> };

/** The items of a stream, which are written in the framing of its media type. */
export interface ItemsBody {
  readonly kind: 'items';
  readonly items: AsyncIterable<unknown> | Iterable<unknown>;
}

/** The body of a response that is not written yet. */
export type ResponseBody = SentBody | ItemsBody;

/** A response in the making: its body is not written yet. */
export interface ResponseMessage {
  readonly status: number;
  /** Names in lower case. */
  readonly headers: HeaderMap;
  readonly body: ResponseBody | undefined;
}

/** A response of the pipeline, before a transport writes it. */
export interface MockResponse {
  readonly status: number;
  readonly headers: HeaderMap;
  readonly body?: SentBody;
  /** The transport closes the connection without a response. */
  readonly abort?: true;
}

/** A violation of the spec, as responses and the journal carry it. */
export interface Violation {
  readonly in: 'path' | 'query' | 'header' | 'cookie' | 'body' | 'response' | 'security';
  /** JSON pointer into the part that `in` names. */
  readonly pointer: string;
  readonly message: string;
}
