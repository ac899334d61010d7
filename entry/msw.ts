import type * as msw from 'msw';

import { basePaths } from '../model/base-url.js';
import type { Api, Server } from '../model/api.js';
import { escapeRegExp } from '../model/glob.js';
import { InputError } from '../model/diagnostics/input-error.js';
import type { LocalSandboxHandle, SandboxHandle } from '../server/start/mock.js';

const { http, bypass } = await loadMsw();

/** Where requests for a mock are sent. */
export interface MswOptions {
  /** Addresses that the mock serves beside its own. Default: the servers of its spec. */
  readonly baseUrl?: string | readonly string[] | undefined;
}

/**
 * Makes handlers for MSW, with which a running mock responds to the requests of a test. They match the server addresses
 * of the spec and the mock's own URL. State, clock, faults and journal are those of the mock.
 *
 * @param mock - a mock, or one of its sandboxes.
 * @example
 * const mock = await startMock('shop');
 * const server = setupServer(...handlers(mock));
 */
export function handlers(mock: SandboxHandle | LocalSandboxHandle, options: MswOptions = {}): msw.HttpHandler[] {
  const api = 'api' in mock ? mock.api : undefined;
  const addresses =
    options.baseUrl === undefined ? serversOf(api) : [options.baseUrl].flat().map((url) => ({ url, variables: {} }));
  const patterns = [
    `${escapeRegExp(mock.url)}(?:/.*)?`,
    ...addresses.flatMap((server) => addressPatterns(server, api)),
  ];
  return [...new Set(patterns)].map((pattern) =>
    http.all(new RegExp(`^${pattern}$`, 'i'), ({ request }) => respond(mock, request)),
  );
}

/** The servers of all operations. A spec without servers has a relative one. */
function serversOf(api: Api | undefined): readonly Server[] {
  const all = [...(api?.servers ?? []), ...(api?.operations ?? []).flatMap(({ servers }) => servers)];
  if (api !== undefined && all.length === 0) return [{ url: '/', variables: {} }];
  return [...new Map(all.map((server) => [server.url, server])).values()];
}

/**
 * Patterns of the addresses below a server: everything below an absolute one. Below a relative one, which can be at any
 * host, only the paths of the API.
 */
function addressPatterns(server: Server, api: Api | undefined): string[] {
  const origin = /^(?:[^/?#]*:)?\/\/[^/?#]*/.exec(server.url)?.[0];
  if (origin !== undefined) {
    const scheme = origin.startsWith('//') ? 'https?:' : '';
    const rest = server.url
      .slice(origin.length)
      .replace(/[?#].*$/s, '')
      .replace(/\/$/, '');
    return [`${scheme}${fillVariables(origin + rest, server)}(?:/.*)?`];
  }
  const paths = [...new Set((api?.operations ?? []).map(({ path }) => fillVariables(path)))];
  return basePaths([server]).map((base) => `[a-z][a-z0-9+.-]*://[^/]+${escapeRegExp(base)}(?:${paths.join('|')})/?`);
}

/** A pattern of an address with `{variables}`: one of the values that a server lists, else any. */
function fillVariables(address: string, { variables }: Pick<Server, 'variables'> = { variables: {} }): string {
  const parts = address.split(/\{([^{}]*)\}/);
  return parts
    .map((part, index) => {
      if (index % 2 === 0) return escapeRegExp(part);
      const values = Object.hasOwn(variables, part) ? (variables[part]?.enum ?? []) : [];
      return values.length === 0 ? '[^/]+' : `(?:${values.map(escapeRegExp).join('|')})`;
    })
    .join('');
}

/** Sends a request to the mock, in process if it runs there. A fault that closes the connection is a network error. */
async function respond(mock: SandboxHandle, request: Request): Promise<Response> {
  const isLocal = 'api' in mock;
  try {
    if (isLocal) return await mock.fetch(moveBelow(mock.url, request), { redirect: 'manual' });
    return await mock.fetch(bypass(moveTo(mock.url, request)), { redirect: 'manual' });
  } catch (error) {
    if (request.signal.aborted || !(error instanceof TypeError) || error.message !== 'fetch failed') throw error;
    return Response.error();
  }
}

/** A mock below a path takes only requests below it. */
function moveBelow(mockUrl: string, request: Request): Request {
  const { pathname } = new URL(mockUrl);
  if (pathname === '/' || `${request.url}/`.startsWith(`${mockUrl}/`)) return request;
  const { origin, pathname: path, search } = new URL(request.url);
  return new Request(`${origin}${pathname}${path}${search}`, request);
}

function moveTo(mockUrl: string, request: Request): Request {
  if (`${request.url}/`.startsWith(`${mockUrl}/`)) return request;
  const { pathname, search } = new URL(request.url);
  return new Request(`${mockUrl}${pathname}${search}`, request);
}

async function loadMsw(): Promise<typeof msw> {
  try {
    return await import('msw');
  } catch (cause) {
    const isMissing = cause instanceof Error && 'code' in cause && cause.code === 'ERR_MODULE_NOT_FOUND';
    if (!isMissing || !/'msw'/.test(cause.message)) throw cause;
    throw new InputError(
      'specmill/msw needs the package msw >= 2.10; it is not installed here: npm install --save-dev msw',
      {},
      { cause },
    );
  }
}
