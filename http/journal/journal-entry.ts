import type { HeaderMap, Violation } from '../messages.js';

/** One call in the journal: bodies are cut at 64 kB, credentials are redacted. */
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
  /** What could not be checked or did not go to its end, in words. Only a proxy writes some. */
  readonly notes?: readonly string[];
}

/** A call as the pipeline hands it to the journal, which reads it on demand; it must not change afterwards. */
export interface JournalDraft extends Omit<JournalEntry, 'id' | 'at' | 'operationId' | 'request' | 'response'> {
  /** ISO 8601, or epoch milliseconds. */
  readonly at: string | number;
  readonly operationId?: string | undefined;
  readonly request: JournalMessage;
  readonly response: JournalMessage;
  /** When the call began, by `performance.now()`. */
  readonly startedAt?: number;
  /** An error of a handler that is not an `HttpError`. Passed to observers and not kept. */
  readonly failure?: unknown;
}

/** One side of a call. */
export interface JournalMessage {
  readonly headers: HeaderMap;
  readonly body?: unknown;
  /** The JSON text of the body, kept instead of the parsed value because it exists already and costs less. */
  readonly json?: string | undefined;
}

export interface Journal {
  add(entry: JournalDraft): void;
  /** The last 1,000, oldest first. */
  entries(options?: { readonly violations?: boolean }): readonly JournalEntry[];
  clear(): void;
}
