import type { Operation } from '../../model/api.js';
import type { HeaderMap, Violation } from '../../http/messages.js';

/** Names and values in turn, as they came over the wire: letter case, order and repetitions are kept. */
export type RawHeaders = readonly string[];

/** Why a body has no content that can be checked. */
export type UndecodedReason = 'broken' | 'unknown-encoding' | 'too-large' | 'cut-off';

/** A body without its content encodings, or the reason why it cannot be decoded. */
export type DecodedBody =
  | { readonly ok: true; readonly bytes: Uint8Array }
  | {
      readonly ok: false;
      /** `broken`: it is not what its encoding says. The others are no fault of the sender. */
      readonly reason: UndecodedReason;
      /** In words, of a body: `is larger than 10 MB`. */
      readonly message: string;
    };

/** A body that went by. */
export interface ForwardedBody {
  /** How many bytes there were, as they were sent. */
  readonly size: number;
  /** Whether it came to its end. */
  readonly isWhole: boolean;
  /** As it was sent; absent where there was more than is kept. */
  readonly bytes: Uint8Array | undefined;
  /** Its first bytes, always. */
  readonly start: Uint8Array;
  /** A promise only where there is something to expand. */
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

/** How long each step took, in milliseconds; -1 where it was not taken. */
export interface ExchangeTimings {
  readonly connect: number;
  readonly send: number;
  readonly wait: number;
  readonly receive: number;
}

/** A message of a WebSocket that went by. */
export interface RecordedMessage {
  /** Epoch milliseconds. */
  readonly at: number;
  /** Who sent it. */
  readonly side: 'client' | 'server';
  readonly isText: boolean;
  /** Without compression. */
  readonly bytes: Uint8Array;
}

/** A call that has gone through a proxy, for its journal, its report and its recording. */
export interface ForwardedExchange {
  /** Epoch milliseconds. */
  readonly startedAt: number;
  readonly method: string;
  /** Path and query, as the client sent them. */
  readonly target: string;
  /** Where it was sent; absent where it was refused before. */
  readonly url: string | undefined;
  /** The status that the client got; 0 if the connection was closed without a response. */
  readonly status: number;
  readonly operation: Operation | undefined;
  readonly request: ForwardedMessage;
  /** The response of the server; absent if there was none. */
  readonly response: ForwardedResponse | undefined;
  /** The response of the proxy itself. */
  readonly refusal: { readonly headers: HeaderMap; readonly body: unknown } | undefined;
  readonly violations: readonly Violation[];
  /** Notes about unchecked or incomplete parts. */
  readonly notes: readonly string[];
  readonly timings: ExchangeTimings;
  /** The first messages of a WebSocket; absent where none was opened. */
  readonly messages?: readonly RecordedMessage[];
}

/** Sees what goes through a proxy. Must not throw. */
export interface ExchangeObserver {
  /** A call is over. */
  readonly observe: (call: ForwardedExchange) => void | Promise<void>;
  /** A WebSocket is open. */
  readonly observeOpened: (call: ForwardedExchange) => Promise<OpenedSocket>;
}

/** A WebSocket in the journal. */
export interface OpenedSocket {
  /** There is more of it. */
  readonly update: (call: ForwardedExchange) => Promise<void>;
  /** It has ended: it is a call that is over. */
  readonly finish: (call: ForwardedExchange) => Promise<void>;
}
