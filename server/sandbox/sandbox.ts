import type { Journal } from '../../http/journal/journal.js';
import type { Caller, HandlerContext } from '../handler-api.js';
import type { ChosenFault } from '../faults/choose-fault.js';
import type { Fault, FaultQuery, ListedScenario } from '../faults/fault.js';
import type { Clock } from './clock-types.js';
import type { MockResponse, MockRequest } from '../../http/messages.js';
import type { Store } from '../stores/store.js';

export type { IdentifyCaller } from '../../http/credentials/caller.js';
export type { RenderError } from '../../http/errors/render-error.js';
export type { Journal, JournalDraft, JournalEntry, JournalMessage } from '../../http/journal/journal.js';

export type { Fault, ListedScenario } from '../faults/fault.js';

export interface Faults {
  /** The faults that were set, each with its remaining `times`. */
  list(): readonly Fault[];
  replace(faults: readonly Fault[]): void;
  scenarios(): readonly ListedScenario[];
  /**
   * Returns the faults that may happen to a call: mostly none.
   *
   * @param scenario - selects one in place of the active ones.
   * @throws HttpError 400 if there is no such scenario
   */
  candidates(scenario: string | undefined): readonly Fault[];
  /** Returns the first fault that happens to a call, and counts its `times` down. */
  take(query: FaultQuery): ChosenFault | undefined | Promise<ChosenFault | undefined>;
}

/** The part of a sandbox that the pipeline uses. */
export interface PipelineSandbox {
  readonly clock: Pick<Clock, 'now'>;
  readonly journal: Pick<Journal, 'add'>;
  readonly faults: Pick<Faults, 'candidates' | 'take'>;
  /** Random numbers of the sandbox's seed. */
  readonly random: Pick<HandlerContext['random'], 'number' | 'uuid'>;
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
