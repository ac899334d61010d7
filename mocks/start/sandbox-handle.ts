import type { ServedApi } from '../control/run-action.js';
import { SandboxControls } from '../control/sandbox-controls.js';
import { SANDBOX_HEADER } from '../control/sandbox-name.js';
import { DEFAULT_SANDBOX, type SandboxRegistry } from '../sandbox/sandbox-registry.js';
import type { ActionCall, AnyActions, SandboxHandle } from './mock-types.js';

/** What the handles of a mock have in common. */
export interface HandleHost {
  readonly sandboxes: SandboxRegistry;
  readonly served: () => ServedApi;
  readonly fetch: typeof fetch;
}

/** The members that act on one sandbox. */
export function createSandboxHandle(name: string, host: HandleHost): SandboxHandle {
  const controls = new SandboxControls(() => host.sandboxes.get(name), host.served);
  return {
    name,
    fetch: sandboxFetch(name, host.fetch),
    reset: () => controls.reset(),
    state: { get: () => controls.getState(), put: (snapshot) => controls.putState(snapshot) },
    clock: {
      get: async () => controls.getClock(),
      set: (now) => controls.putClock({ now: now instanceof Date ? now.toISOString() : now }),
      advance: (duration) => controls.putClock({ advance: duration }),
      freeze: (frozen = true) => controls.putClock({ frozen }),
    },
    requests: Object.assign(async (options: { readonly violations?: boolean } = {}) => controls.listRequests(options), {
      clear: async () => controls.clearRequests(),
    }),
    faults: {
      get: async () => controls.listFaults(),
      put: (faults) => controls.putFaults(faults),
      clear: async () => controls.clearFaults(),
    },
    get actions() {
      return actionCalls(controls, host.served());
    },
  };
}

function actionCalls(controls: SandboxControls, { definition: { actions = {} } }: ServedApi): AnyActions {
  const call =
    (name: string): ActionCall =>
    (input) =>
      controls.runAction(name, input ?? {});
  return Object.fromEntries(Object.keys(actions).map((name) => [name, call(name)]));
}

/** Names the sandbox in each request that names none itself. */
export function sandboxFetch(name: string, fetch: typeof globalThis.fetch): typeof globalThis.fetch {
  if (name === DEFAULT_SANDBOX) return fetch;
  return (input, init) => {
    const headers = new Headers(init?.headers ?? (input instanceof Request ? input.headers : undefined));
    if (!headers.has(SANDBOX_HEADER)) headers.set(SANDBOX_HEADER, name);
    return fetch(input, { ...init, headers });
  };
}
