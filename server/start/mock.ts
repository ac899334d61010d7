/// <reference lib="esnext.disposable" preserve="true" />
import type { Api } from '../../model/api.js';
import type { Clock as ClockView } from '../../generated/control/types.js';
import type { ActionMap } from '../define-mock.js';
import type { OpenWebSocket } from '../transport/in-process-websocket.js';
import type { StateSnapshot } from '../sandbox/state-snapshot.js';
import type { Action } from '../handler-api.js';
import type { Fault, JournalEntry, ListedScenario } from '../sandbox/sandbox.js';

/** Runs an action. @throws ControlError if it is refused */
export type ActionCall<Input = unknown, Output = unknown> = (input: Input) => Promise<Output>;

/** The actions of a mock that is known only at run time. */
export type AnyActions = Readonly<Record<string, ActionCall>>;

export type CallsOf<Actions extends ActionMap> = {
  readonly [Name in keyof Actions]: Actions[Name] extends Action<infer Input, infer Output>
    ? ActionCall<Input, Awaited<Output>>
    : ActionCall;
};

/** The actions of each API by its name. Augment it so that `startMock(name)` types the actions of your own mock. */
export interface ActionsByApi {}

export type ActionsOf<Name extends string> = Name extends keyof ActionsByApi ? ActionsByApi[Name] : AnyActions;

/** The clock of a sandbox. */
export interface MockClock {
  get(): Promise<ClockView>;
  /** Sets the clock. If it moves forward, everything that becomes due on the way is done first. */
  set(now: string | Date): Promise<ClockView>;
  /**
   * Moves the clock forward by an ISO 8601 duration, such as `PT24H`. Resolves when everything that became due is done.
   */
  advance(duration: string): Promise<ClockView>;
  /** Stops the clock, or starts it again with `false`. */
  freeze(frozen?: boolean): Promise<ClockView>;
}

/** Items by the path of their collection: `{ '/customers': [{ id: 'cus_1' }] }`. */
export type DataByCollection = Readonly<Record<string, readonly unknown[]>>;

/** The items of a sandbox, as a test gives them. */
export interface MockData {
  get(): Promise<DataByCollection>;
  /**
   * Replaces the items of the named collections. Required members that are left out are made up; ids are kept.
   *
   * @throws ControlError if an item or a collection is invalid; nothing is changed then
   */
  put(data: Readonly<Record<string, unknown>>): Promise<void>;
  /** Adds items, and returns them with the members that were made up. @throws ControlError as `put` does */
  add(data: Readonly<Record<string, unknown>>): Promise<DataByCollection>;
}

/** The journal of a sandbox. */
export interface MockRequests {
  /** Returns the last 1,000 calls, oldest first; with `violations`, only those with violations. */
  (options?: { readonly violations?: boolean }): Promise<readonly JournalEntry[]>;
  clear(): Promise<void>;
}

/** A sandbox of a mock: an isolated state with its own items, clock, faults, journal and counters. */
export interface SandboxHandle<Actions extends object = AnyActions> {
  readonly name: string;
  /** The mock's URL without a trailing slash. Without a port, only the mock's own `fetch` can reach it. */
  readonly url: string;
  /**
   * Sends requests to this sandbox. For a mock in this process, it uses no socket and ignores the origin of the URL;
   * for a mock in another process, it is the platform's `fetch`.
   */
  readonly fetch: typeof fetch;
  /** Resets state, clock, faults, journal and rate counters to those at the start. */
  reset(): Promise<void>;
  readonly state: {
    get(): Promise<StateSnapshot>;
    /** Restores a snapshot. @throws ControlError if it cannot be restored; the state is unchanged then */
    put(snapshot: StateSnapshot): Promise<void>;
  };
  /** The items of the collections that the spec has, by the path of a collection or its last word. */
  readonly data: MockData;
  readonly clock: MockClock;
  readonly requests: MockRequests;
  readonly faults: {
    get(): Promise<readonly Fault[]>;
    /** Replaces all faults. @throws ControlError if one is invalid */
    put(faults: readonly Fault[]): Promise<void>;
    clear(): Promise<void>;
  };
  /** Named lists of faults, from the files of the option `scenarios`. */
  readonly scenarios: {
    get(): Promise<readonly ListedScenario[]>;
    /** Makes these scenarios the active ones; their faults count from the start. @throws ControlError if one is unknown */
    set(names: readonly string[]): Promise<void>;
  };
  /** Actions of the outside world, such as signing a case. */
  readonly actions: Actions;
}

/** A sandbox of a mock in this process. */
export interface LocalSandboxHandle<Actions extends object = AnyActions> extends SandboxHandle<Actions> {
  /**
   * Opens an in-process WebSocket to the mock, whatever the origin of the URL. Pass it to clients in place of the
   * platform's WebSocket. A refused connection fails like any other; the journal has the reason.
   *
   * @example
   * const session = await client.openLiveSession({ model }, { webSocket: mock.webSocket });
   */
  readonly webSocket: OpenWebSocket;
  readonly api: Api;
  /** The files that the mock was read from: specs, behaviour, configuration. */
  readonly files: readonly string[];
  /** Returns the handle of another sandbox. */
  sandbox(name: string): LocalSandboxHandle<Actions>;
}

/**
 * A mock in another process, reached over HTTP. Its own members act on the sandbox named in the options, or `default`.
 */
export interface ConnectedMock<Actions extends object = AnyActions> extends SandboxHandle<Actions> {
  /** Returns the handle of another sandbox. */
  sandbox(name: string): SandboxHandle<Actions>;
}

/** A running mock. Its own members act on the sandbox `default`. */
export interface Mock<Actions extends object = AnyActions> extends LocalSandboxHandle<Actions>, AsyncDisposable {
  /**
   * Reads spec and behaviour again, and keeps state, clock, journal and faults. If that fails, the mock is unchanged.
   */
  reload(): Promise<void>;
  /** Stops serving, and stops every timer. */
  close(): Promise<void>;
}
