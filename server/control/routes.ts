import { decodeLeniently } from '../../model/document/pointer.js';
import { readPackageVersion } from '../../model/package-info.js';
import { DecodeError } from '../../http/request/decode-error.js';
import { decodeJson } from '../../http/request/decode-json.js';
import { splitTarget } from '../../http/routing/request-target.js';
import { receiveBody } from '../pipeline/create-pipeline.js';
import { DEFAULT_SANDBOX, isSandboxName, type SandboxRegistry } from '../sandbox/sandbox-registry.js';
import type { MockResponse, MockRequest } from '../../http/messages.js';
import { HttpError } from '../../http/http-error.js';
import {
  CONTROL_NO_CONTENT,
  CONTROL_PATH,
  controlJson,
  controlProblem,
  type HandleControl,
  readBoolean,
} from '../../http/wire/control-api.js';
import { ControlError, badInput } from './control-error.js';
import type { ServedApi } from './run-action.js';
import { StateUnavailableError, unreachable } from '../stores/replicated/state-backend.js';
import { routePage } from '../page/page-routes.js';
import { SandboxControls } from './handlers.js';
import { readSandboxName } from './sandbox-name.js';

/** The most bytes of a request body; a restored state may be large. */
const MAX_BODY = 64 * 1_024 * 1_024;

export interface ControlHost {
  readonly name: string;
  readonly served: () => ServedApi;
  readonly sandboxes: SandboxRegistry;
}

/**
 * Creates the control API of a mock, as described in specs/control/openapi.yaml. Never throws.
 *
 * @example
 * const control = createControl({ name: 'signing', served, sandboxes });
 * const response = await control(request);
 */
export function createControl(host: ControlHost): HandleControl {
  const control = createOwnControl(host);
  return (request) => control(request).catch(controlProblem);
}

/**
 * Creates the control API for callers in this process. It throws unexpected errors, such as bugs in actions, unchanged.
 */
export function createOwnControl(host: ControlHost): HandleControl {
  return async (request) => {
    try {
      const response = await route(request, host);
      if (request.method !== 'HEAD') return response;
      const { body: _, ...head } = response;
      return head;
    } catch (error) {
      if (HttpError.is(error)) return controlProblem(error);
      if (error instanceof StateUnavailableError) return controlProblem(new ControlError(503, unreachable(error)));
      throw error;
    }
  };
}

interface ControlCall {
  readonly request: MockRequest;
  readonly query: URLSearchParams;
  readonly controls: SandboxControls;
  readonly sandboxes: SandboxRegistry;
  readonly name: string;
}

type Route = (call: ControlCall) => MockResponse | Promise<MockResponse>;

/** The routes by path and method. */
const ROUTES: Readonly<Record<string, Readonly<Record<string, Route>>>> = {
  '/reset': { POST: silently(({ controls }) => controls.reset()) },
  '/state': {
    GET: async ({ controls }) => controlJson(200, await controls.getState()),
    PUT: silently(async ({ controls, request }) => controls.putState(await readJson(request))),
  },
  '/clock': {
    GET: async ({ controls }) => controlJson(200, await controls.getClock()),
    PUT: async ({ controls, request }) => controlJson(200, await controls.putClock(await readJson(request))),
  },
  '/requests': {
    GET: async ({ controls, query }) =>
      controlJson(200, await controls.listRequests({ violations: readBoolean('violations', query.get('violations')) })),
    DELETE: silently(({ controls }) => controls.clearRequests()),
  },
  '/faults': {
    GET: async ({ controls }) => controlJson(200, await controls.listFaults()),
    PUT: silently(async ({ controls, request }) => controls.putFaults(await readJson(request))),
    DELETE: silently(({ controls }) => controls.clearFaults()),
  },
  '/sandboxes': { GET: async ({ sandboxes }) => controlJson(200, await sandboxes.list()) },
  '/sandboxes/{name}': {
    DELETE: silently(async ({ sandboxes, name }) => {
      if (!(await sandboxes.drop(name))) throw new ControlError(404, `There is no sandbox ${JSON.stringify(name)}.`);
    }),
  },
  '/events': { GET: streamEvents },
  '/actions': { GET: ({ controls }) => controlJson(200, controls.listActions()) },
  '/actions/{name}': {
    POST: async ({ controls, request, name }) =>
      controlJson(200, await controls.runAction(name, await readJson(request, {}))),
  },
};

/** A route whose response has no content. */
function silently(work: (call: ControlCall) => Promise<void>): Route {
  return async (call) => {
    await work(call);
    return CONTROL_NO_CONTENT;
  };
}

/** Streams events. The query names the sandbox, because browsers cannot set headers of event streams. */
function streamEvents({ request, query, sandboxes }: ControlCall): MockResponse {
  const name = query.get('sandbox') ?? DEFAULT_SANDBOX;
  if (!isSandboxName(name)) throw new ControlError(400, `${JSON.stringify(name)} cannot be the name of a sandbox.`);
  return {
    status: 200,
    headers: { 'content-type': 'text/event-stream', 'cache-control': 'no-store' },
    body: { kind: 'stream', chunks: sandboxes.get(name).events.stream(request.signal) },
  };
}

async function route(request: MockRequest, host: ControlHost): Promise<MockResponse> {
  const { path: whole, query } = splitTarget(request.target);
  const path = whole.slice(CONTROL_PATH.length);
  const [, first = '', second] = /^\/([^/]*)(?:\/([^/]+))?\/?$/.exec(path) ?? [];
  const method = request.method === 'HEAD' ? 'GET' : request.method;
  if (first === 'health' && second === undefined) return chooseMethod({ GET: () => handleHealth(host) }, method)();
  const page = await routePage({
    request,
    path,
    query: new URLSearchParams(query),
    name: host.name,
    api: host.served().api,
    sandbox: () => host.sandboxes.get(readSandbox(request)),
    readJson: () => readJson(request),
  });
  if (page !== undefined) return page;
  const key = `/${first}${second === undefined ? '' : '/{name}'}`;
  const methods = Object.hasOwn(ROUTES, key) ? ROUTES[key] : undefined;
  if (methods === undefined) throw new ControlError(404, `The control interface has no path ${CONTROL_PATH}${path}.`);
  const chosen = chooseMethod(methods, method);
  const sandbox = readSandbox(request);
  const controls = new SandboxControls(() => host.sandboxes.get(sandbox), host.served);
  return chosen({
    request,
    query: new URLSearchParams(query),
    controls,
    sandboxes: host.sandboxes,
    name: decodeLeniently(second ?? ''),
  });
}

function readSandbox(request: MockRequest): string {
  const sandbox = readSandboxName(request);
  if (sandbox.ok) return sandbox.name;
  throw new ControlError(400, `The header X-Specmill-Sandbox ${sandbox.violation.message}.`, {
    violations: [sandbox.violation],
  });
}

function chooseMethod<T>(methods: Readonly<Record<string, T>>, method: string): T {
  const chosen = Object.hasOwn(methods, method) ? methods[method] : undefined;
  if (chosen !== undefined) return chosen;
  const allowed = Object.keys(methods).join(', ');
  throw new ControlError(405, `This path of the control interface takes ${allowed} only.`, {
    headers: { allow: allowed },
  });
}

function handleHealth({ name, served, sandboxes }: ControlHost): MockResponse {
  const { title } = served().api;
  return controlJson(200, { status: 'ok', api: name, title, version: readPackageVersion(), sandboxes: sandboxes.size });
}

/** Reads the body as JSON, regardless of its media type. Returns `fallback` if it is empty. */
async function readJson(request: MockRequest, fallback?: unknown): Promise<unknown> {
  const text = new TextDecoder().decode(await receiveBody(request, MAX_BODY));
  if (text.trim() === '' && fallback !== undefined) return fallback;
  try {
    return decodeJson(text);
  } catch (error) {
    throw error instanceof DecodeError ? badInput(`The body ${error.message}.`) : error;
  }
}
