import { readPackageVersion } from '../model/package-info.js';
import type { Journal } from '../http/journal/journal.js';
import type { MockRequest, MockResponse } from '../http/messages.js';
import { compileRequestReader } from '../http/request/read-request.js';
import { refusalOf } from '../http/request/refuse-request.js';
import { refuseUnrouted } from '../http/routing/refuse-unrouted.js';
import { createRouter, splitTarget } from '../http/routing/router.js';
import { controlProblem, type HandleControl, loadControlApi } from '../http/wire/control-api.js';
import { guardControl, type HostRule } from '../http/wire/host-guard.js';

/** The parts that the control API of a proxy uses. */
interface ProxyControlHost {
  readonly name: string;
  readonly title: string;
  readonly journal: Journal;
  readonly hostRule: HostRule;
}

/** Creates the control API of a proxy: its health and its journal, as specs/control describes them. It never throws. */
export function createProxyControl(host: ProxyControlHost): HandleControl {
  let control: Promise<HandleControl> | undefined;
  return guardControl(async (request) => {
    try {
      return await (
        await (control ??= createRoutes(host))
      )(request);
    } catch (error) {
      return controlProblem(error);
    }
  }, host.hostRule);
}

type Handler = (query: unknown) => MockResponse;

/** Handlers by operation. A proxy has one journal for all callers, and no sandboxes. */
function createHandlers({ name, title, journal }: ProxyControlHost): ReadonlyMap<string, Handler> {
  return new Map<string, Handler>([
    ['getHealth', () => respond(200, { status: 'ok', api: name, title, version: readPackageVersion(), sandboxes: 0 })],
    ['listRequests', (query) => respond(200, journal.entries(query as { readonly violations?: boolean }))],
    [
      'clearRequests',
      () => {
        journal.clear();
        return respond(204);
      },
    ],
  ]);
}

function respond(status: number, value?: unknown): MockResponse {
  const headers = { 'cache-control': 'no-store' };
  if (value === undefined) return { status, headers };
  return { status, headers: { ...headers, 'content-type': 'application/json' }, body: { kind: 'json', value } };
}

async function createRoutes(host: ProxyControlHost): Promise<HandleControl> {
  const api = await loadControlApi();
  const handlers = createHandlers(host);
  const routes = new Map(
    api.operations.flatMap((operation) => {
      const handle = handlers.get(operation.id);
      const { read } = compileRequestReader(operation, { api, report: undefined });
      return handle === undefined ? [] : [[operation, { handle, read }] as const];
    }),
  );
  const findRoute = createRouter({ ...api, operations: [...routes.keys()] });
  return async ({ method, target }: MockRequest) => {
    const { path, query } = splitTarget(target);
    const found = findRoute(method, path);
    // Web pages of other origins have no access, so there are no preflights.
    const match = found.kind === 'options' ? { ...found, kind: 'wrong-method' as const } : found;
    const route = match.kind === 'operation' ? routes.get(match.operation) : undefined;
    if (match.kind !== 'operation' || route === undefined) throw refuseUnrouted(match, { method, path });
    const { input, violations } = route.read({ path: match.values, query, headers: {}, bytes: new Uint8Array() });
    const problems = violations.map((violation) => ({ violation }));
    if (problems.length > 0) throw refusalOf(problems, match.operation);
    return route.handle(input['query']);
  };
}
