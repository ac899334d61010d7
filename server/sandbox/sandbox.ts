import type { Operation } from '../../model/api.js';
import type { HandlerContext, Caller, Handler, OperationTypes } from '../handler-api.js';
import type { Clock } from './clock.js';
import type { AnswerBody, HeaderMap, MockAnswer, MockRequest, Violation } from '../../http/messages.js';
import type { Store } from '../stores/store.js';

/** Answers in the place of the API, or delays it. The first that matches a call is used. */
export interface Fault {
  readonly operationId?: string;
  readonly status?: number;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: unknown;
  readonly example?: string;
  readonly latencyMs?: number;
  readonly abort?: boolean;
  /** How often it matches; without it, for ever. */
  readonly times?: number;
}

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

/** A call as it is told to the journal, which reads it when somebody looks: nothing of it changes afterwards. */
export interface JournalDraft extends Omit<JournalEntry, 'id' | 'at' | 'operationId' | 'request' | 'response'> {
  /** ISO 8601, or epoch milliseconds. */
  readonly at: string | number;
  readonly operationId?: string | undefined;
  readonly request: JournalMessage;
  readonly response: JournalMessage;
  /** When the call began, by `performance.now()`. */
  readonly startedAt?: number;
  /** What a handler threw that is no refusal. It is told to observers and not kept. */
  readonly failure?: unknown;
}

/** One side of a call. */
export interface JournalMessage {
  readonly headers: HeaderMap;
  readonly body?: unknown;
  /** In the place of a body: its JSON text, which is there already and costs less to keep. */
  readonly json?: string | undefined;
}

export interface Journal {
  add(entry: JournalDraft): void;
  /** The last 1,000, oldest first. */
  entries(options?: { readonly violations?: boolean }): readonly JournalEntry[];
  clear(): void;
}

export interface Faults {
  list(): readonly Fault[];
  replace(faults: readonly Fault[]): void;
  /** The first fault that matches the operation; its `times` counts down. */
  take(operationId: string | undefined): Fault | undefined;
}

/** A state of its own: data, clock, faults, journal and counters. */
export interface Sandbox {
  readonly name: string;
  readonly store: Store;
  readonly clock: Clock;
  readonly journal: Journal;
  readonly faults: Faults;
  /** Never sends a callback to one of these addresses on this machine: a web page of another origin has named them. */
  distrust(urls: readonly string[]): void;
  /** What behaviour reaches on behalf of a caller; fills the caller's account with the seed first, where state is kept by account. */
  contextFor(caller: Caller): Promise<HandlerContext>;
}

/** The handler of an operation: behaviour that somebody wrote, else what inference gives, else nothing (Prism's mocker answers). */
export type AnswerSource = (operation: Operation) => Handler<OperationTypes[string]> | undefined;

/** Whether a request may pass: a caller, or why not. Made by `http/credentials/`. */
export type IdentifyCaller = (
  operation: Pick<Operation, 'security'>,
  request: Pick<MockRequest, 'headers'>,
  query: URLSearchParams,
) =>
  | { readonly ok: true; readonly caller: Caller }
  | {
      readonly ok: false;
      readonly status: 401 | 403;
      readonly message: string;
      readonly challenge?: string;
      readonly caller?: Caller;
    };

/** How a refusal looks in this API: its own error shape, else problem+json (interface "Errors"). */
export type RenderError = (error: {
  readonly status: number;
  readonly message: string;
  readonly operation?: Operation;
  readonly violations?: readonly Violation[];
  readonly details?: Readonly<Record<string, unknown>>;
}) => { readonly body: AnswerBody; readonly headers: HeaderMap };

/** One API at work: every door calls this. */
export type HandleRequest = (request: MockRequest, sandbox: Sandbox) => Promise<MockAnswer>;
