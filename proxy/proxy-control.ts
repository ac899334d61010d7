import { readPackageVersion } from '../model/package-info.js';
import { HttpError } from '../http/http-error.js';
import {
  CONTROL_NO_CONTENT,
  controlJson,
  controlProblem,
  type HandleControl,
  readBoolean,
} from '../http/wire/control-api.js';
import { guardControl, type HostRule } from '../http/wire/host-guard.js';
import type { Journal } from '../http/journal/journal.js';
import type { MockResponse, MockRequest } from '../http/messages.js';

/** The parts that the control interface of a proxy uses. */
export interface ProxyControlHost {
  readonly name: string;
  readonly title: string;
  readonly journal: Journal;
  /** The names under which the proxy may be reached. */
  readonly hostRule: HostRule;
}

/** Paths, their methods, and what they do. */
type Routes = Readonly<Record<string, Readonly<Record<string, (query: URLSearchParams) => MockResponse>>>>;

/** The part of the control interface that a proxy has: its health and its journal. Never throws. */
export function createProxyControl(host: ProxyControlHost): HandleControl {
  const { name, title, journal } = host;
  const routes: Routes = {
    '/__specmill/health': {
      // It has one journal for all callers.
      GET: () => controlJson(200, { status: 'ok', api: name, title, version: readPackageVersion(), sandboxes: 0 }),
    },
    '/__specmill/requests': {
      GET: (query) =>
        controlJson(200, journal.entries({ violations: readBoolean('violations', query.get('violations')) })),
      DELETE: () => {
        journal.clear();
        return CONTROL_NO_CONTENT;
      },
    },
  };
  return guardControl(async (request) => handleRoute(routes, request), host.hostRule);
}

function handleRoute(routes: Routes, { method, target }: MockRequest): MockResponse {
  try {
    const [path = '', query = ''] = target.split('?', 2);
    const methods = Object.hasOwn(routes, path) ? routes[path] : undefined;
    if (methods === undefined)
      throw new HttpError(404, 'A proxy has /__specmill/health and /__specmill/requests, and nothing else here.');
    const response = Object.hasOwn(methods, method) ? methods[method] : undefined;
    if (response !== undefined) return response(new URLSearchParams(query));
    const allowed = Object.keys(methods).join(', ');
    throw new HttpError(405, `This path of the control interface takes ${allowed} only.`, {
      headers: { allow: allowed },
    });
  } catch (error) {
    return controlProblem(error);
  }
}
