import { DEFAULT_SANDBOX } from '../sandbox/sandbox-registry.js';
import type { ActionCall, ActionsOf, AnyActions, ConnectedMock, SandboxHandle } from './mock.js';
import { type HandleTransport, createSandboxHandle } from './sandbox-handle.js';

export interface ConnectOptions {
  /** The sandbox. Default: `default`. */
  readonly sandbox?: string;
}

/**
 * Reaches the control interface of a mock in another process: the members are those that `startMock` gives, over HTTP.
 * Nothing is sent before the first of them is called.
 *
 * @param url - where the mock serves, as `specmill mock` prints it.
 * @throws TypeError if the URL is no address. Members throw `ControlError` where the mock refuses, and a
 *   `NetworkError` where none responds.
 * @example
 * const mock = connectMock<'signing'>('http://127.0.0.1:4010', { sandbox: 'worker-1' });
 * await mock.reset();
 * await mock.actions.sign({ caseId, partyId });
 */
export function connectMock<Name extends string>(
  url: string,
  { sandbox = DEFAULT_SANDBOX }: ConnectOptions = {},
): ConnectedMock<ActionsOf<Name>> {
  const baseUrl = url.replace(/(?<!\/)\/+$/, '');
  // Asked for each time, so that it may be replaced after this.
  const platformFetch: typeof fetch = (input, init) => fetch(input, init);
  const transport: HandleTransport = {
    baseUrl,
    fetch: platformFetch,
    controlFetch: platformFetch,
    actions: actionsOfAnyName,
  };
  const open = (name: string): SandboxHandle => createSandboxHandle(name, transport);
  const mock: ConnectedMock = { ...open(sandbox), sandbox: open };
  // Only the mock knows its actions; the caller asserts the type.
  return mock as unknown as ConnectedMock<ActionsOf<Name>>;
}

/** A call for every name: which there are, the mock says when it is called. */
function actionsOfAnyName(callOf: (name: string) => ActionCall): AnyActions {
  return new Proxy<AnyActions>(
    {},
    // With a `then` it would be taken for a promise.
    { get: (_none, name) => (typeof name === 'symbol' || name === 'then' ? undefined : callOf(name)) },
  );
}
