import { renderProblem } from '../../http/errors/render-error.js';
import { findHostProblem, type HostRule } from '../../http/wire/host-guard.js';
import { isControlTarget } from '../../http/routing/router.js';
import type { HeaderMap, MockResponse, MockRequest } from '../../http/messages.js';
import type { HandleRequest, Sandbox } from '../sandbox/sandbox.js';
import { LOOPBACK_ORIGINS, type OriginPolicy } from './origins.js';

export interface TransportOptions {
  readonly handle: HandleRequest;
  /** Returns the sandbox with a name; the name is `default` if the request has none. @throws if the name is invalid */
  readonly sandboxOf: (name: string) => Sandbox;
  /** Handles requests under `/__specmill`. */
  readonly control?: (request: MockRequest) => Promise<MockResponse>;
  /** The web pages that may read responses. Default: those of this machine. */
  readonly origins?: () => OriginPolicy;
  /** The names under which the mock may be reached. Default: any, for calls within the process. */
  readonly hosts?: HostRule;
}

/** Handles a request of any transport. Never throws. */
export type Dispatch = (request: MockRequest) => Promise<MockResponse>;

/** Valid hosts, cached because most requests have the same one. */
const hosts = new Set<string>();
const MOST_HOSTS = 100;

/** Handles a request of any transport: the control API, preflights, the sandbox, the API. */
export function createDispatch(options: TransportOptions): Dispatch {
  const { handle, sandboxOf, control, origins = loopbackOnly } = options;
  return async (request) => {
    try {
      const policy = origins();
      if (!isHost(request.headers['host'])) return refuse(400, 'The header Host names no host.');
      if (isControlTarget(request.target)) {
        if (control === undefined) return refuse(404, 'This mock has no control interface.');
        return await control(request);
      }
      const foreign = refuseForeignHost(request, options);
      if (foreign !== undefined) return foreign;
      const preflight = handlePreflight(request, policy);
      if (preflight !== undefined) return preflight;
      const { sandbox, problem } = sandboxOfRequest(request, sandboxOf);
      return allowOrigin(sandbox === undefined ? problem : await handle(request, sandbox), request, policy);
    } catch (error) {
      return refuse(500, `The mock failed: ${error instanceof Error ? error.message : String(error)}`);
    }
  };
}

function loopbackOnly(): OriginPolicy {
  return LOOPBACK_ORIGINS;
}

/** Whether `Host` is valid (RFC 9112, section 3.2), because responses contain URLs with it. HTTP/1.0 needs none. */
function isHost(host: HeaderMap[string]): boolean {
  if (host === undefined || (typeof host === 'string' && hosts.has(host))) return true;
  if (typeof host !== 'string' || !/^(?:[\w\-.~!$&'()*+,;=%]+|\[[\da-f:.]+\])(?::\d*)?$/i.test(host)) return false;
  if (!URL.canParse(`http://${host}`)) return false;
  if (hosts.size >= MOST_HOSTS) hosts.clear();
  hosts.add(host);
  return true;
}

/**
 * Refuses a request to a name that is not the mock's: a web page can make its own name point to this machine (DNS
 * rebinding), and is then no page of another origin. A client without `Host` is no browser.
 */
export function refuseForeignHost(
  { headers }: Pick<MockRequest, 'headers'>,
  { hosts: rule }: Pick<TransportOptions, 'hosts'>,
): MockResponse | undefined {
  if (rule === undefined || headers['host'] === undefined) return undefined;
  const problem = findHostProblem(headers, rule);
  return problem === undefined ? undefined : refuse(problem.status, problem.message);
}

type FoundSandbox =
  | { readonly sandbox: Sandbox; readonly problem?: undefined }
  | { readonly sandbox?: undefined; readonly problem: MockResponse };

/** Finds the sandbox that a request names, or returns a response if the name is invalid. */
export function sandboxOfRequest({ headers }: MockRequest, sandboxOf: TransportOptions['sandboxOf']): FoundSandbox {
  const name = headers['x-specmill-sandbox'] ?? 'default';
  try {
    return { sandbox: sandboxOf(typeof name === 'string' ? name : name.join(', ')) };
  } catch (error) {
    return { problem: refuse(400, error instanceof Error ? error.message : String(error)) };
  }
}

/** Responds with problem details for errors outside of the API. */
function refuse(status: number, message: string): MockResponse {
  return { status, ...renderProblem({ status, message }) };
}

/**
 * Responds to a CORS preflight; `undefined` for any other request. Allows all methods and headers: the API checks them.
 */
function handlePreflight({ method, headers }: MockRequest, policy: OriginPolicy): MockResponse | undefined {
  const origin = headers['origin'];
  const wanted = headers['access-control-request-method'];
  if (method !== 'OPTIONS' || typeof origin !== 'string' || wanted === undefined) return undefined;
  const vary = 'Origin, Access-Control-Request-Method, Access-Control-Request-Headers';
  if (!policy.allows(origin)) return { status: 204, headers: { vary } };
  const names = headers['access-control-request-headers'];
  const isPrivate = headers['access-control-request-private-network'] === 'true';
  return {
    status: 204,
    headers: {
      'access-control-allow-origin': origin,
      ...credentialsHeader(policy),
      'access-control-allow-methods': wanted,
      ...(names === undefined ? {} : { 'access-control-allow-headers': names }),
      ...(isPrivate ? { 'access-control-allow-private-network': 'true' } : {}),
      'access-control-max-age': '600',
      vary,
    },
  };
}

/** Lets pages of an allowed origin read the response and all of its headers. */
function allowOrigin(response: MockResponse, { headers }: MockRequest, policy: OriginPolicy): MockResponse {
  const origin = headers['origin'];
  if (typeof origin !== 'string' || response.headers['access-control-allow-origin'] !== undefined) return response;
  const vary = withOrigin(response.headers['vary']);
  if (!policy.allows(origin)) return { ...response, headers: { ...response.headers, vary } };
  const exposed = Object.keys(response.headers).filter((name) => name !== 'set-cookie');
  const allowed: HeaderMap = {
    ...response.headers,
    'access-control-allow-origin': origin,
    ...credentialsHeader(policy),
    ...(exposed.length === 0 ? {} : { 'access-control-expose-headers': exposed.join(', ') }),
    vary,
  };
  return { ...response, headers: allowed };
}

function credentialsHeader({ allowsCredentials }: OriginPolicy): HeaderMap {
  return allowsCredentials ? { 'access-control-allow-credentials': 'true' } : {};
}

function withOrigin(vary: HeaderMap[string]): string {
  const names = [vary ?? []].flat().join(', ');
  return names === '' ? 'Origin' : `${names}, Origin`;
}
