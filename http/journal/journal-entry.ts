import type { HeaderMap, Violation } from '../messages.js';

/** How many calls a journal keeps. */
export const JOURNAL_LENGTH = 1_000;

/** The method of entries that are no call but a failure of the mock's own, such as a job or a callback. */
export const OWN_METHOD = 'MOCK';

/** A call in the journal. Bodies are cut at 64 kB, and credentials are redacted. */
export interface JournalEntry {
  readonly id: string;
  /** ISO 8601, by the clock of the sandbox. */
  readonly at: string;
  readonly method: string;
  readonly path: string;
  readonly status: number;
  readonly operationId?: string;
  readonly request: { readonly headers: HeaderMap; readonly body?: unknown };
  readonly response: { readonly headers: HeaderMap; readonly body?: unknown };
  readonly violations: readonly Violation[];
  /** What else a person should know: a made-up response, an error whose body has no reason, unchecked parts. */
  readonly notes?: readonly string[];
  /** The first messages of both sides of a WebSocket. Only a proxy writes them. */
  readonly messages?: readonly JournalSocketMessage[];
}

/** A message of a WebSocket in the journal. */
export interface JournalSocketMessage {
  /** ISO 8601. */
  readonly at: string;
  readonly from: 'client' | 'server';
  /** JSON as a value, text as a string, other bytes as their size. */
  readonly body: unknown;
}

/** A call as the pipeline adds it to the journal. It is read on demand, so it must not change afterwards. */
export interface JournalDraft extends Omit<
  JournalEntry,
  'id' | 'at' | 'operationId' | 'request' | 'response' | 'notes'
> {
  /** ISO 8601, or epoch milliseconds. */
  readonly at: string | number;
  readonly operationId?: string | undefined;
  readonly notes?: readonly string[] | undefined;
  readonly request: JournalMessage;
  readonly response: JournalMessage;
  /** The start of the call, by `performance.now()`. */
  readonly startedAt?: number;
  /** An error of a handler that is not an `HttpError`. Passed to observers, but not kept. */
  readonly failure?: unknown;
}

export interface JournalMessage {
  readonly headers: HeaderMap;
  readonly body?: unknown;
  /** The JSON text of the body. Kept instead of the parsed value, because it already exists and takes less memory. */
  readonly json?: string | undefined;
  /** Reads the body when the entry is read, instead of `json` and `body`. */
  readonly lazy?: { readonly read: () => unknown; /** The bytes kept until then. */ readonly size: number } | undefined;
}

/** A call in a journal. */
export interface JournalPlace {
  /** Updates the call; does nothing if it is no longer kept. */
  readonly replace: (draft: JournalDraft) => void;
  readonly entry: () => JournalEntry;
}

export interface Journal {
  add(entry: JournalDraft): void;
  /** The last 1,000, oldest first. */
  entries(options?: { readonly violations?: boolean }): readonly JournalEntry[];
  clear(): void;
}
