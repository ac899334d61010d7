import { type ControlClient, createControlClient } from '../../generated/control/client.js';
import { ApiError } from '../../generated/control/runtime/errors.js';
import type { ClockChange, Problem, State } from '../../generated/control/types.js';
import { ControlError } from '../control/control-error.js';
import { DEFAULT_SANDBOX } from '../sandbox/sandbox-registry.js';
import type { StateSnapshot } from '../sandbox/state-snapshot.js';
import type { ActionCall, ActionsOf, AnyActions, ConnectedMock, SandboxHandle } from './mock-types.js';
import { sandboxFetch } from './sandbox-handle.js';

/** Which state of a mock in another process is meant. */
export interface ConnectOptions {
  /** The sandbox. Default: `default`. */
  readonly sandbox?: string;
}

/**
 * Reaches the control interface of a mock in another process: the members are those that `startMock` gives, over HTTP.
 * Nothing is sent before the first of them is called.
 *
 * @param url - where the mock serves, as `specmill mock` prints it.
 * @throws TypeError where the URL is no address. Members throw `ControlError` where the mock refuses, and a
 *   `NetworkError` where none answers.
 * @example
 * const mock = connectMock<'signing'>('http://127.0.0.1:4010', { sandbox: 'worker-1' });
 * await mock.reset();
 * await mock.actions.sign({ caseId, partyId });
 */
export function connectMock<Name extends string>(
  url: string,
  { sandbox = DEFAULT_SANDBOX }: ConnectOptions = {},
): ConnectedMock<ActionsOf<Name>> {
  const baseUrl = url.replace(/\/+$/, '');
  const open = (name: string): SandboxHandle => createRemoteHandle(name, baseUrl);
  const mock: ConnectedMock = { ...open(sandbox), url: baseUrl, sandbox: open };
  // Which actions there are is known to the mock alone; the type is what the caller says of it.
  return mock as unknown as ConnectedMock<ActionsOf<Name>>;
}

/** The members that act on one sandbox of a mock elsewhere. */
function createRemoteHandle(name: string, baseUrl: string): SandboxHandle {
  const client = createControlClient({ baseUrl, headers: { 'x-specmill-sandbox': name } });
  const setClock = async (body: ClockChange): Promise<{ now: string; frozen: boolean }> =>
    (await refused(client.setClock({ body }))).data;
  return {
    name,
    fetch: sandboxFetch(name, fetch),
    reset: async () => void (await refused(client.resetSandbox())),
    // The same by the spec, which cannot say that the random state has exactly four numbers that nobody changes.
    state: {
      get: async () => (await refused(client.getState())).data as unknown as StateSnapshot,
      put: async (snapshot) => void (await refused(client.putState({ body: snapshot as unknown as State }))),
    },
    clock: {
      get: async () => (await refused(client.getClock())).data,
      set: (now) => setClock({ now: now instanceof Date ? now.toISOString() : now }),
      advance: (duration) => setClock({ advance: duration }),
      freeze: (frozen = true) => setClock({ frozen }),
    },
    requests: Object.assign(
      async (query: { readonly violations?: boolean } = {}) => (await refused(client.listRequests({ query }))).data,
      { clear: async () => void (await refused(client.clearRequests())) },
    ),
    faults: {
      get: async () => (await refused(client.listFaults())).data,
      put: async (faults) => void (await refused(client.putFaults({ body: [...faults] }))),
      clear: async () => void (await refused(client.clearFaults())),
    },
    actions: remoteActions(client),
  };
}

/** A call for every name: which there are, the mock says when it is called. */
function remoteActions(client: ControlClient): AnyActions {
  const call =
    (name: string): ActionCall =>
    async (input) =>
      (await refused(client.runAction({ path: { name }, body: input ?? {} }))).data;
  return new Proxy<AnyActions>(
    {},
    // With a `then` it would be taken for a promise.
    { get: (_none, name) => (typeof name === 'symbol' || name === 'then' ? undefined : call(name)) },
  );
}

/** Refusals of the mock look the same from here as in its own process. */
async function refused<Answer>(answer: Promise<Answer>): Promise<Answer> {
  try {
    return await answer;
  } catch (error) {
    if (!(error instanceof ApiError)) throw error;
    const { detail = error.message, violations = [] } = isProblem(error.body) ? error.body : {};
    throw new ControlError(error.status, detail, { violations });
  }
}

function isProblem(body: unknown): body is Partial<Problem> {
  return typeof body === 'object' && body !== null && 'detail' in body && typeof body.detail === 'string';
}
