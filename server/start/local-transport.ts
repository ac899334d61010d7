import { createOwnControl } from '../control/create-control.js';
import type { ControlHost } from '../control/control-host.js';
import { type Dispatch, type TransportOptions, createDispatch } from '../transport/dispatch.js';
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
  /** Aborted when the mock closes. */
  readonly closed: AbortSignal;
}

/** A placeholder: only the mock's own client uses it. */
const CONTROL_URL = 'http://mock';

/** Opens the transports that need no port: `fetch`, WebSockets, and the control API for the mock's own members. */
export function createLocalTransport({ host, parts, openSocket, closed }: LocalParts): LocalTransport {
  const untilClosed =
    (dispatch: Dispatch): Dispatch =>
    async (request) =>
      closed.aborted ? { status: 500, headers: {}, abort: true } : dispatch(request);
  const control = createOwnControl(host);
  const sockets = createFetchSockets({ sandboxOf: parts.sandboxOf, sockets: openSocket });
  closed.addEventListener('abort', sockets.close);
  return {
    baseUrl: CONTROL_URL,
    fetch: fetchBy(untilClosed(createDispatch(parts))),
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

/** The members that act on one sandbox of a mock in this process. */
export function createLocalHandle(name: string, transport: LocalTransport): LocalSandboxHandle {
  const own = { webSocket: transport.webSocketOf(name) };
  // Accessors are kept: a spread would read them once, before the first reload.
  return Object.defineProperties(
    own,
    Object.getOwnPropertyDescriptors(createSandboxHandle(name, transport)),
  ) as unknown as LocalSandboxHandle;
}
