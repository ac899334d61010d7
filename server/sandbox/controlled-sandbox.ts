import type { Caller, HandlerContext } from '../handler-api.js';
import type { MockDefinition } from '../mock-definition.js';
import type { Fault, JournalEntry, Sandbox } from './sandbox.js';
import type { SandboxClock } from './sandbox-clock.js';
import type { SandboxEvents } from './sandbox-events.js';
import type { SandboxHost } from './sandbox-state.js';
import type { StateSnapshot } from './state-snapshot.js';

/** A sandbox as an action sees it: with the accounts that have their own state. */
export interface AccountsSandbox {
  /** In the order in which they were first seen. */
  accounts(): Promise<readonly string[]>;
  contextFor(caller: Pick<Caller, 'account'>): Promise<HandlerContext>;
}

/** A sandbox as the control API sees it, wherever its state is kept. */
export interface ControlledSandbox extends Sandbox, AccountsSandbox {
  /** Outlives resets and reloads. */
  readonly events: SandboxEvents;
  readonly clock: SandboxClock;
  readonly isByAccount: boolean;
  contextFor(caller: Pick<Caller, 'account'>): Promise<HandlerContext>;
  /** Takes over what other processes have done. */
  sync(): Promise<void>;
  /** Does something as one step. The work may run again. */
  transact<T>(work: (sandbox: AccountsSandbox) => Promise<T>): Promise<T>;
  /** Everything is as at the start. */
  reset(): Promise<void>;
  /** The state as JSON. It is filled with seeds and examples first; where accounts have their own, for those that were seen. */
  snapshot(): Promise<StateSnapshot>;
  /** @throws BadSnapshotError if it cannot be restored; nothing has changed then. */
  restore(snapshot: StateSnapshot): Promise<void>;
  /** Goes on with another spec or behaviour; state, clock, journal and faults are kept. */
  adopt(host: SandboxHost): Promise<void>;
  readJournal(options?: { readonly violations?: boolean }): Promise<readonly JournalEntry[]>;
  clearJournal(): Promise<void>;
  putFaults(faults: readonly Fault[]): Promise<void>;
  /** Tells watchers what the clock shows. */
  emitClock(): void;
  /** Something that went wrong with no caller to tell. */
  note(path: string, message: string): void;
  /** Does what is due, also what another process has left behind. */
  wake(): Promise<void>;
  /** Stops timers and deliveries. */
  close(): Promise<void>;
}

/** Whether each account has its own state. */
export function isByAccount({ stateBy = 'sandbox' }: MockDefinition): boolean {
  return stateBy !== 'sandbox';
}

/** The account whose state a caller sees; none where all callers share one. */
export function accountOf(definition: MockDefinition, { account }: Pick<Caller, 'account'>): string | undefined {
  const { stateBy } = definition;
  if (!isByAccount(definition)) return undefined;
  return typeof stateBy === 'function' ? stateBy(account) : account;
}

/** @throws Error if the behaviour has no job of that name. */
export function findJob({ jobs = {} }: MockDefinition, name: string): NonNullable<MockDefinition['jobs']>[string] {
  const job = Object.hasOwn(jobs, name) ? jobs[name] : undefined;
  if (job === undefined) throw new Error(`A job ${name} is due, and the behaviour of the API has none of that name.`);
  return job;
}
