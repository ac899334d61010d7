import type { Journal } from '../../http/journal/journal.js';
import type { Caller, HandlerContext } from '../handler-api.js';
import type { Clock } from './clock-types.js';
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
  /** How often it matches. Default: without limit. */
  readonly times?: number;
}

export interface Faults {
  list(): readonly Fault[];
  replace(faults: readonly Fault[]): void;
  /** Returns the first fault that matches the operation, and counts its `times` down. */
  take(operationId: string | undefined): Fault | undefined | Promise<Fault | undefined>;
}

/** The part of a sandbox that the pipeline uses. */
export interface PipelineSandbox {
  readonly clock: Pick<Clock, 'now'>;
  readonly journal: Pick<Journal, 'add'>;
  readonly faults: Pick<Faults, 'take'>;
  /** Blocks callbacks to these URLs on this machine, because a web page of another origin has given them. */
  distrust(urls: readonly string[]): void;
  /** Returns the context for a caller. With state per account, seeds the caller's account first. */
  contextFor(caller: Caller): Promise<HandlerContext>;
}

/** An isolated state of a mock: items, clock, faults, journal and counters. */
export interface Sandbox extends PipelineSandbox {
  readonly name: string;
  readonly store: Store;
  readonly clock: Clock;
  readonly journal: Journal;
  readonly faults: Faults;
  /** Handles a request atomically, and commits its writes before the response is sent. */
  serve?(request: MockRequest, handle: HandleRequest): Promise<MockResponse>;
  /** Returns the sandbox for a connection that stays open. */
  openForSocket?(): Promise<Sandbox>;
}

/** Handles a request to the API. Every transport calls it. */
export type HandleRequest = (request: MockRequest, sandbox: Sandbox) => Promise<MockResponse>;
