import {
  type ControlClient,
  type ControlClientOptions,
  type Middleware,
  createControlClient,
} from '../../generated/control/client.js';
import { ApiError, NetworkError } from '../../generated/control/runtime/errors.js';
import type { ClockChange, Problem, State } from '../../generated/control/types.js';
import { parseExactJson, stringifyExactJson } from '../../runtime/json-integers.js';
import { ControlError } from '../control/control-error.js';
import { DEFAULT_SANDBOX, SANDBOX_HEADER } from '../sandbox/sandbox-registry.js';
import type { Fault, JournalEntry } from '../sandbox/sandbox.js';
import type { StateSnapshot } from '../sandbox/state-snapshot.js';
import { requestOf } from '../transport/in-process-fetch.js';
import type { ActionCall, AnyActions, DataByCollection, SandboxHandle } from './mock.js';

/** The connection between a handle and its mock. */
export interface HandleTransport {
  readonly baseUrl: string;
  readonly fetch: typeof fetch;
  /** Sends calls of the control API. Its errors are thrown by the member that was called. */
  readonly controlFetch: typeof fetch;
  /** Called on every access, because a reload can change the actions. */
  readonly actions: (callOf: (name: string) => ActionCall) => AnyActions;
}

/**
 * Creates the members that act on one sandbox of a local or remote mock. Each sends a request of the control API
 * through the client that is generated from its spec.
 */
export function createSandboxHandle(name: string, transport: HandleTransport): SandboxHandle {
  const { baseUrl, controlFetch } = transport;
  const headers = { [SANDBOX_HEADER]: name };
  const clientOptions = { baseUrl, headers, fetch: controlFetch, retry: false };
  const client = createControlClient(clientOptions);
  const exact: ExactCall = (send, input) => sendExactly(clientOptions, send, input);
  const setClock = async (body: ClockChange): Promise<{ now: string; frozen: boolean }> =>
    (await refused(client.setClock({ body }))).data;
  return {
    name,
    url: baseUrl,
    fetch: sandboxFetch(name, transport.fetch),
    reset: async () => void (await refused(client.resetSandbox())),
    // Casts: the spec cannot express that the random state is a read-only tuple of four numbers.
    state: {
      get: async () => (await exact((own) => own.getState())) as StateSnapshot,
      put: async (snapshot) =>
        void (await exact((own, body) => own.putState({ body: body as unknown as State }), snapshot)),
    },
    data: {
      get: async () => (await exact((own) => own.getData())) as DataByCollection,
      put: async (data) => void (await exact((own) => own.putData({ body: {} }), data)),
      add: async (data) => (await exact((own) => own.addData({ body: {} }), data)) as DataByCollection,
    },
    clock: {
      get: async () => (await refused(client.getClock())).data,
      set: (now) => setClock({ now: now instanceof Date ? now.toISOString() : now }),
      advance: (duration) => setClock({ advance: duration }),
      freeze: (frozen = true) => setClock({ frozen }),
    },
    requests: Object.assign(
      async (query: { readonly violations?: boolean } = {}) =>
        (await exact((own) => own.listRequests({ query }))) as readonly JournalEntry[],
      { clear: async () => void (await refused(client.clearRequests())) },
    ),
    faults: {
      get: async () => (await exact((own) => own.listFaults())) as Fault[],
      put: async (faults) => void (await exact((own) => own.putFaults({ body: [] }), faults)),
      clear: async () => void (await refused(client.clearFaults())),
    },
    scenarios: {
      get: async () => (await refused(client.listScenarios())).data,
      set: async (active) => void (await refused(client.setScenarios({ body: { active: [...active] } }))),
    },
    get actions() {
      return transport.actions((action) => actionCall(exact, action));
    },
  };
}

function actionCall(exact: ExactCall, name: string): ActionCall {
  return (input = {}) => exact((own, body) => own.runAction({ path: { name }, body }), input);
}

/** Sends a call whose JSON may have integers beyond the precision of doubles, and returns its data. */
type ExactCall = (
  send: (client: ControlClient, body: Readonly<Record<string, unknown>>) => Promise<unknown>,
  input?: unknown,
) => Promise<unknown>;

/** Replaces the JSON in a middleware, because the client itself reads and writes every number as a double. */
async function sendExactly(
  options: ControlClientOptions,
  send: Parameters<ExactCall>[0],
  input: unknown,
): Promise<unknown> {
  let text = '';
  const replaceJson: Middleware = async (request, next) => {
    const response = await next(
      input === undefined ? request : new Request(request, { method: request.method, body: stringifyExactJson(input) }),
    );
    if (!response.ok || response.status === 204) return response;
    text = await response.text();
    return new Response('{}', response);
  };
  await refused(send(createControlClient({ ...options, middleware: [replaceJson] }), {}));
  return text === '' ? undefined : parseExactJson(text);
}

/** Adds the sandbox header to requests that do not have one. */
function sandboxFetch(name: string, fetch: typeof globalThis.fetch): typeof globalThis.fetch {
  if (name === DEFAULT_SANDBOX) return fetch;
  return (input, init) => {
    const headers = new Headers(init?.headers ?? requestOf(input)?.headers);
    if (!headers.has(SANDBOX_HEADER)) headers.set(SANDBOX_HEADER, name);
    return fetch(input, { ...init, headers });
  };
}

/** Throws refusals as `ControlError`, for local and remote mocks alike. */
async function refused<ReceivedResponse>(response: Promise<ReceivedResponse>): Promise<ReceivedResponse> {
  try {
    return await response;
  } catch (error) {
    if (error instanceof NetworkError && error.cause instanceof OwnBugError) throw error.cause.cause;
    if (!(error instanceof ApiError)) throw error;
    const { detail = error.message, violations = [] } = isProblem(error.body) ? error.body : {};
    throw new ControlError(error.status, detail, { violations });
  }
}

/** Carries an unexpected error of a local mock, such as a bug in an action, through the client as `cause`. */
export class OwnBugError extends Error {
  override readonly name = 'OwnBugError';
}

function isProblem(body: unknown): body is Partial<Problem> {
  return typeof body === 'object' && body !== null && 'detail' in body && typeof body.detail === 'string';
}
