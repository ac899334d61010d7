import type { Caller, HandlerContext } from '../handler-api.js';
import type { MockDefinition } from '../mock-definition.js';
import type { Fault, JournalEntry, Sandbox } from './sandbox.js';
import type { SandboxClock } from './sandbox-clock.js';
import type { SandboxEvents } from './sandbox-events.js';
import type { SandboxHost } from './sandbox-host.js';
import type { StateSnapshot } from './state-snapshot.js';

/** The part of a sandbox that actions use: the accounts with their own state. */
export interface AccountsSandbox {
  /** In the order in which they were first seen. */
  accounts(): Promise<readonly string[]>;
  contextFor(caller: Pick<Caller, 'account'>): Promise<HandlerContext>;
}

/** A sandbox as the control API uses it, wherever its state is stored. */
export interface ControlledSandbox extends Sandbox, AccountsSandbox {
  /** Survives resets and reloads. */
  readonly events: SandboxEvents;
  readonly clock: SandboxClock;
  readonly isByAccount: boolean;
  contextFor(caller: Pick<Caller, 'account'>): Promise<HandlerContext>;
  /** Applies the changes of other processes. */
  sync(): Promise<void>;
  /** Runs work atomically. The work may run again. */
  transact<T>(work: (sandbox: AccountsSandbox) => Promise<T>): Promise<T>;
  /** Resets everything to the start. */
  reset(): Promise<void>;
  /** Returns the state as JSON, filled with seeds and examples; with state per account, for all known accounts. */
  snapshot(): Promise<StateSnapshot>;
  /** @throws BadSnapshotError if it cannot be restored; the state is unchanged then. */
  restore(snapshot: StateSnapshot): Promise<void>;
  /** Switches to another spec or behaviour. State, clock, journal and faults are kept. */
  adopt(host: SandboxHost): Promise<void>;
  readJournal(options?: { readonly violations?: boolean }): Promise<readonly JournalEntry[]>;
  clearJournal(): Promise<void>;
  putFaults(faults: readonly Fault[]): Promise<void>;
  /** Sends the time of the clock to watchers. */
  emitClock(): void;
  /** Writes a problem outside of any call to the journal. */
  note(path: string, message: string): void;
  /** Runs what is due, including work that another process has left behind. */
  wake(): Promise<void>;
  /** Stops timers and deliveries. */
  close(): Promise<void>;
}

/** Whether each account has its own state. */
export function isByAccount({ stateBy = 'sandbox' }: MockDefinition): boolean {
  return stateBy !== 'sandbox';
}

/** Returns the account whose state a caller sees; `undefined` if all callers share the state. */
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
