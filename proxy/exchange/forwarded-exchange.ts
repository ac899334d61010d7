import type { Operation } from '../../model/api.js';
import type { HeaderMap, Violation } from '../../http/messages.js';

/** Alternating names and values of headers, with their original letter case, order and repetitions. */
export type RawHeaders = readonly string[];

/** Why a body cannot be decoded. */
export type UndecodedReason = 'broken' | 'unknown-encoding' | 'too-large' | 'cut-off';

/** A decompressed body, or the reason why it cannot be decoded. */
export type DecodedBody =
  | { readonly ok: true; readonly bytes: Uint8Array }
  | {
      readonly ok: false;
      /** `broken`: it does not match its encoding. The other reasons are not the sender's fault. */
      readonly reason: UndecodedReason;
      /** A predicate of the body, such as `is larger than 10 MB`. */
      readonly message: string;
    };

/** A body that has passed the proxy. */
export interface ForwardedBody {
  /** The number of bytes, as sent. */
  readonly size: number;
  /** Whether the whole body was received. */
  readonly isWhole: boolean;
  /** The body as sent; `undefined` if it is larger than the limit. */
  readonly bytes: Uint8Array | undefined;
  /** The first bytes; always present. */
  readonly start: Uint8Array;
  /** Decompresses the body. Returns a promise only if it is compressed. */
  readonly decode: () => DecodedBody | Promise<DecodedBody>;
}

export interface ForwardedMessage {
  /** Such as `1.1`. */
  readonly httpVersion: string;
  readonly rawHeaders: RawHeaders;
  /** By lower-case name. */
  readonly headers: HeaderMap;
  readonly body: ForwardedBody;
}

export interface ForwardedResponse extends ForwardedMessage {
  readonly status: number;
  readonly statusText: string;
}

/** The duration of each step in milliseconds; -1 if it did not happen. */
export interface ExchangeTimings {
  readonly connect: number;
  readonly send: number;
  readonly wait: number;
  readonly receive: number;
}

/** A WebSocket message that has passed the proxy. */
export interface RecordedMessage {
  /** Epoch milliseconds. */
  readonly at: number;
  /** The sender. */
  readonly side: 'client' | 'server';
  readonly isText: boolean;
  /** The decompressed content. */
  readonly bytes: Uint8Array;
}

/** A call that has passed the proxy, for its journal, report and recording. */
export interface ForwardedExchange {
  /** Epoch milliseconds. */
  readonly startedAt: number;
  readonly method: string;
  /** Path and query, as the client sent them. */
  readonly target: string;
  /** The URL to which it was sent; `undefined` if it was refused before. */
  readonly url: string | undefined;
  /** The status sent to the client; 0 if the connection was closed without a response. */
  readonly status: number;
  readonly operation: Operation | undefined;
  readonly request: ForwardedMessage;
  /** The server's response; `undefined` if there was none. */
  readonly response: ForwardedResponse | undefined;
  /** The proxy's own response, if any. */
  readonly refusal: { readonly headers: HeaderMap; readonly body: unknown } | undefined;
  readonly violations: readonly Violation[];
  /** Notes about unchecked or incomplete parts. */
  readonly notes: readonly string[];
  readonly timings: ExchangeTimings;
  /** The first messages of a WebSocket; absent if none was opened. */
  readonly messages?: readonly RecordedMessage[];
}

/** Observes the calls of a proxy. Must not throw. */
export interface ExchangeObserver {
  /** Called for each finished call. */
  readonly observe: (call: ForwardedExchange) => void | Promise<void>;
  /** Called when a WebSocket is open. */
  readonly observeOpened: (call: ForwardedExchange) => Promise<OpenSocketEntry>;
}

/** The journal entry of an open WebSocket. */
export interface OpenSocketEntry {
  /** Updates the entry with new messages. */
  readonly update: (call: ForwardedExchange) => Promise<void>;
  /** Completes the entry when the WebSocket has ended. */
  readonly finish: (call: ForwardedExchange) => Promise<void>;
}
