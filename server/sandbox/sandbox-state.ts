import type { MockRequest, MockResponse } from '../../http/messages.js';
import type { JournalRing } from '../../http/journal/journal.js';
import type { ScenarioRecord } from '../faults/fault.js';
import type { HandlerContext } from '../handler-api.js';
import type { StoredItem } from '../stores/item-index.js';
import type { Changed } from '../stores/replicated/replica-copy.js';
import type { Store } from '../stores/store.js';
import type { Leases } from './leases.js';
import type { Fault, Faults, HandleRequest, JournalDraft, JournalEntry, Sandbox } from './sandbox.js';
import type { ClockTime } from './sandbox-clock.js';
import type { SandboxEvents, Watching } from './sandbox-events.js';
import type { SandboxHost } from './sandbox-host.js';
import type { SandboxView } from './sandbox-view.js';
import type { RandomState } from './seeded-random.js';

/** Random numbers whose position can be read and set. */
export type SandboxRandom = HandlerContext['random'] & {
  readonly state: RandomState;
  restore(state: RandomState): void;
};

/** One transaction on a state. It may run again, with another step. */
export interface StateStep {
  readonly view: SandboxView;
  readonly store: Store;
  readonly random: SandboxRandom;
  readonly setTime: (time: ClockTime) => void;
  readonly setFaults: (faults: readonly Fault[]) => void;
  readonly setScenarios: (record: ScenarioRecord) => void;
}

/** The calls of a sandbox in all processes. */
export interface StateJournal {
  /** Adds a call outside of any transaction. */
  add(draft: JournalDraft): void;
  read(options?: { readonly violations?: boolean }): Promise<readonly JournalEntry[]>;
  clear(): Promise<void>;
  /** Reports the changes of other processes as long as the sandbox has watchers. */
  watch(events: SandboxEvents): Watching;
}

/**
 * Where a sandbox keeps its data, time, faults, random numbers and calls: in the memory of this process, or in an engine
 * that several processes share.
 */
export interface SandboxState {
  /** Each of its calls is a transaction of its own. */
  readonly store: Store;
  readonly time: ClockTime;
  readonly faults: Faults;
  readonly journal: StateJournal;
  /** The right to do work outside of the state, such as deliveries, which only one process at a time may do. */
  readonly leases: Leases;
  /** Returns the items of a collection, as far as this process knows them. */
  itemsOf(collection: string): ReadonlyMap<string, StoredItem> | undefined;
  transact<T>(work: (step: StateStep) => Promise<T>): Promise<T>;
  /** Handles a request as one transaction. */
  serve(request: MockRequest, handle: HandleRequest): Promise<MockResponse>;
  /** Opens a view for a connection that stays open. */
  openView(): Promise<SandboxView>;
  /** Like `openView`, but returns a sandbox that refuses every request if the state is unreachable. */
  openForSocket(): Promise<Sandbox>;
  /** Applies the changes of other processes. */
  sync(): Promise<void>;
  /** Notes URLs that a web page of another origin has given. @throws HttpError 429 if there are too many */
  distrust(urls: readonly string[]): void;
  isForeign(url: string): Promise<boolean>;
  /** Switches to another spec or behaviour. Running requests write to the same store. */
  adopt(host: SandboxHost): Promise<void>;
  /** Returns the state at the start. */
  reset(): Promise<SandboxState>;
  close(): void;
}

/** What a state uses of its sandbox. */
export interface StateOwner {
  readonly name: string;
  readonly host: SandboxHost;
  /** The calls of this process. */
  readonly journal: JournalRing;
  readonly clock: () => { now(): number; readonly nextDue: number | undefined };
  /** Called with the items that any process has changed; `undefined` means all of them. */
  readonly onChange: (changed: Changed) => void;
}

/** The clock of a sandbox that was never moved. */
export const REAL_TIME: ClockTime = { offset: 0, frozenAt: null };
