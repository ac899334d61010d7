import type { Operation } from '../../model/api.js';
import type { Journal } from '../../http/journal/journal.js';
import type { Caller, Handler, HandlerContext, OperationTypes } from '../handler-api.js';
import type { Clock } from './clock.js';
import type { MockResponse, MockRequest } from '../../http/messages.js';
import type { Store } from '../stores/store.js';

export type { IdentifyCaller } from '../../http/credentials/caller.js';
export type { RenderError } from '../../http/errors/render-error.js';
export type { Journal, JournalDraft, JournalEntry, JournalMessage } from '../../http/journal/journal.js';

/** Replaces the response of the API, or delays it. The first fault that matches a call is used. */
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

export interface Faults {
  list(): readonly Fault[];
  replace(faults: readonly Fault[]): void;
  /** The first fault that matches the operation; its `times` counts down. */
  take(operationId: string | undefined): Fault | undefined | Promise<Fault | undefined>;
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
  /** The context of behaviour for a caller; first seeds the caller's account if state is kept by account. */
  contextFor(caller: Caller): Promise<HandlerContext>;
  /** Handles a request as one step, where the sandbox is shared: what it writes is kept before the response goes out. */
  readonly serve?: (request: MockRequest, handle: HandleRequest) => Promise<MockResponse>;
  /** The sandbox for a connection that stays open, where the sandbox is shared. */
  readonly openForSocket?: () => Promise<Sandbox>;
}

/** The handler of an operation: the written behaviour, else the inferred one, else `undefined` (Prism's mocker responds). */
export type HandlerSource = (operation: Operation) => Handler<OperationTypes[string]> | undefined;

/** One API: every transport calls this. */
export type HandleRequest = (request: MockRequest, sandbox: Sandbox) => Promise<MockResponse>;
