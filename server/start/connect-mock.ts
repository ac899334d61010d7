import { DEFAULT_SANDBOX } from '../sandbox/sandbox-registry.js';
import type { ActionCall, ActionsOf, AnyActions, ConnectedMock, SandboxHandle } from './mock.js';
import { type HandleTransport, createSandboxHandle } from './sandbox-handle.js';

export interface ConnectOptions {
  /** The name of the sandbox. Default: `default`. */
  readonly sandbox?: string;
}

/**
 * Connects to the control API of a mock in another process. The result has the same members as that of `startMock`,
 * over HTTP. Sends nothing until a member is called.
 *
 * @param url - the URL of the mock, as `specmill mock` prints it.
 * @throws TypeError if the URL is invalid. Members throw a `ControlError` if the mock refuses, and a `NetworkError` if
 *   it does not respond.
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
  // Reads the global `fetch` on every call, so that tests can replace it later.
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

/** Returns a call for every name; the mock refuses unknown names when they are called. */
function actionsOfAnyName(callOf: (name: string) => ActionCall): AnyActions {
  return new Proxy<AnyActions>(
    {},
    // An object with `then` would be treated as a promise.
    { get: (_none, name) => (typeof name === 'symbol' || name === 'then' ? undefined : callOf(name)) },
  );
}
