/// <reference lib="esnext.disposable" preserve="true" />
import type { Api } from '../../model/api.js';
import type { ClockView } from '../control/handlers.js';
import type { ActionMap } from '../define-mock.js';
import type { OpenWebSocket } from '../transport/in-process-websocket.js';
import type { StateSnapshot } from '../sandbox/state-snapshot.js';
import type { Action } from '../handler-api.js';
import type { Fault, JournalEntry } from '../sandbox/sandbox.js';

/** Does an action of the outside world. @throws ControlError if it is refused */
export type ActionCall<Input = unknown, Output = unknown> = (input: Input) => Promise<Output>;

/** The actions of a mock that is not known before it is read. */
export type AnyActions = Readonly<Record<string, ActionCall>>;

export type CallsOf<Actions extends ActionMap> = {
  readonly [Name in keyof Actions]: Actions[Name] extends Action<infer Input, infer Output>
    ? ActionCall<Input, Awaited<Output>>
    : ActionCall;
};

/**
 * The calls of the actions of each API, by its name. A module that defines a mock may add its own, so that
 * `startMock(name)` types them.
 */
export interface ActionsByApi {}

export type ActionsOf<Name extends string> = Name extends keyof ActionsByApi ? ActionsByApi[Name] : AnyActions;

/** The clock of a sandbox. */
export interface MockClock {
  get(): Promise<ClockView>;
  /** Sets the clock; on the way forward everything that becomes due happens first. */
  set(now: string | Date): Promise<ClockView>;
  /** Goes forward by a duration (ISO 8601, such as `PT24H`), and returns when all that has become due has happened. */
  advance(duration: string): Promise<ClockView>;
  /** Stops the clock, or with `false` lets it flow on. */
  freeze(frozen?: boolean): Promise<ClockView>;
}

/** The calls that a sandbox has seen. */
export interface MockRequests {
  /** The last 1,000, the oldest first; with `violations` only those where request or response broke the spec. */
  (options?: { readonly violations?: boolean }): Promise<readonly JournalEntry[]>;
  clear(): Promise<void>;
}

/** A state of its own in a mock: data, clock, faults, journal and counters. */
export interface SandboxHandle<Actions extends object = AnyActions> {
  readonly name: string;
  /** Where the mock serves, without a slash at the end. Without a port, an address that only `fetch` of the mock knows. */
  readonly url: string;
  /**
   * Responds in process, without a socket, whatever the origin of the URL is; of a mock in another process, the platform's
   * `fetch`. Requests are for this sandbox.
   */
  readonly fetch: typeof fetch;
  /** State, clock, faults, journal and rate counters are as at the start. */
  reset(): Promise<void>;
  readonly state: {
    get(): Promise<StateSnapshot>;
    /** @throws ControlError if it cannot be restored; nothing has changed then. */
    put(snapshot: StateSnapshot): Promise<void>;
  };
  readonly clock: MockClock;
  readonly requests: MockRequests;
  readonly faults: {
    get(): Promise<readonly Fault[]>;
    /** @throws ControlError if one is not understood. */
    put(faults: readonly Fault[]): Promise<void>;
    clear(): Promise<void>;
  };
  /** Events of the outside world. */
  readonly actions: Actions;
}

/** A state of its own in a mock in this process. */
export interface LocalSandboxHandle<Actions extends object = AnyActions> extends SandboxHandle<Actions> {
  /**
   * Opens a WebSocket that the mock handles in process, whatever the origin of the address is: for a client that takes one in the
   * place of the platform's. Where the mock refuses it, it fails like any other, and the journal says why.
   *
   * @example
   * const session = await client.openLiveSession({ model }, { webSocket: mock.webSocket });
   */
  readonly webSocket: OpenWebSocket;
  readonly api: Api;
  /** The files that it was read from: specs, behaviour, configuration. */
  readonly files: readonly string[];
  /** The same members, in another state. */
  sandbox(name: string): LocalSandboxHandle<Actions>;
}

/** A mock in another process, reached over HTTP. Its own members act on the sandbox that was named, or `default`. */
export interface ConnectedMock<Actions extends object = AnyActions> extends SandboxHandle<Actions> {
  /** The same members, in its own state. */
  sandbox(name: string): SandboxHandle<Actions>;
}

/** A mock that serves. Its own members act on the sandbox `default`. */
export interface Mock<Actions extends object = AnyActions> extends LocalSandboxHandle<Actions>, AsyncDisposable {
  /** Reads spec and behaviour again. State, clock, journal and faults are kept; where they cannot be read, all stays as it was. */
  reload(): Promise<void>;
  /** Takes no more calls, and stops every timer. */
  close(): Promise<void>;
}
