import type { MockRequest, RequestBase } from '../../http/messages.js';
import { createOwnControl } from '../control/create-control.js';
import type { ControlHost } from '../control/control-host.js';
import { type Dispatch, type TransportOptions, createDispatch } from '../transport/dispatch.js';
import { refuseUnmounted, stripPrefix } from '../transport/mounts.js';
import { fetchBy } from '../transport/in-process-fetch.js';
import { type OpenWebSocket, createFetchSockets } from '../transport/in-process-websocket.js';
import type { OpenSocket } from '../pipeline/create-socket-pipeline.js';
import type { LocalSandboxHandle } from './mock.js';
import { type HandleTransport, OwnBugError, createSandboxHandle } from './sandbox-handle.js';

export interface LocalTransport extends HandleTransport {
  readonly webSocketOf: (sandbox: string) => OpenWebSocket;
}

export interface LocalParts {
  readonly host: ControlHost;
  readonly parts: TransportOptions;
  readonly openSocket: OpenSocket;
  /** The scheme and the prefix of the mock's URL. */
  readonly base: RequestBase;
  /** Aborted when the mock closes. */
  readonly closed: AbortSignal;
}

/** A placeholder: only the mock's own client uses it. */
const CONTROL_URL = 'http://mock';

/** Opens the transports that need no port: `fetch`, WebSockets, and the control API for the mock's own members. */
export function createLocalTransport({ host, parts, openSocket, closed, base }: LocalParts): LocalTransport {
  const untilClosed =
    (dispatch: Dispatch): Dispatch =>
    async (request) =>
      closed.aborted ? { status: 500, headers: {}, abort: true } : dispatch(request);
  const control = createOwnControl(host);
  const sockets = createFetchSockets({
    sandboxOf: parts.sandboxOf,
    sockets: (request, sandbox) => openSocket(rebase(request, base) ?? request, sandbox),
  });
  closed.addEventListener('abort', sockets.close);
  return {
    baseUrl: CONTROL_URL,
    fetch: fetchBy(untilClosed(dispatchBelow(base, createDispatch(parts)))),
    controlFetch: fetchBy(
      untilClosed((request) =>
        control(request).catch((cause: unknown) => Promise.reject(new OwnBugError('The mock failed.', { cause }))),
      ),
    ),
    actions: (callOf) => {
      const names = Object.keys(host.served().definition.actions ?? {});
      return Object.fromEntries(names.map((name) => [name, callOf(name)]));
    },
    webSocketOf: sockets.open,
  };
}

/** Dispatches requests below the prefix of the mock, as its server does. */
function dispatchBelow(base: RequestBase, dispatch: Dispatch): Dispatch {
  if (base.prefix === '' && base.scheme === 'http') return dispatch;
  return async (request) => {
    const own = rebase(request, base);
    return own === undefined ? refuseUnmounted([base.prefix]) : dispatch(own);
  };
}

/** Requests of `fetch` are plain objects, so they can be spread. */
function rebase(request: MockRequest, base: RequestBase): MockRequest | undefined {
  const target = stripPrefix(request.target, base.prefix);
  return target === undefined ? undefined : { ...request, target, base };
}

/** The members that act on one sandbox of a mock in this process. */
export function createLocalHandle(name: string, transport: LocalTransport): LocalSandboxHandle {
  const own = { webSocket: transport.webSocketOf(name) };
  // Accessors are kept: a spread would read them once, before the first reload.
  return Object.defineProperties(
    own,
    Object.getOwnPropertyDescriptors(createSandboxHandle(name, transport)),
  ) as unknown as LocalSandboxHandle;
}
