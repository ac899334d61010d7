import { isIP } from 'node:net';

import { HttpError } from '../http-error.js';
import type { HeaderMap } from '../messages.js';
import { controlProblem, type HandleControl } from './control-api.js';
import { stringifyExactJson } from '../../runtime/json-integers.js';

/** The names under which a server may be reached. */
export interface HostRule {
  /** The address that the server listens on, such as `127.0.0.1`, `0.0.0.0` or `mock.local`. */
  readonly boundHost: string;
  /** More names, such as that of a container. */
  readonly allowedHosts?: readonly string[];
}

/**
 * Accepts only requests for an allowed host. Otherwise a web page could reach the control API through its visitor's
 * browser, even under a name that it makes point here (DNS rebinding).
 */
export function guardControl(control: HandleControl, rule: HostRule): HandleControl {
  return async (request) => {
    const { headers } = request;
    const problem = findHostProblem(headers, rule) ?? findOriginProblem(headers) ?? findCallbackProblem(headers);
    return problem === undefined ? control(request) : controlProblem(problem);
  };
}

/** Refuses a request whose `Host` is neither the bound address nor an allowed name. */
export function findHostProblem({ host }: HeaderMap, rule: HostRule): HttpError | undefined {
  const given = typeof host === 'string' ? host : '';
  // Cached, because parsing the name is the slowest step of a short request, and clients mostly send the same one.
  if (given === lastAllowed.get(rule)) return undefined;
  if (isOwnHost(hostnameOf(given), rule)) {
    lastAllowed.set(rule, given);
    return undefined;
  }
  const how = 'use the address that it listens on, or allow the name (--allowed-host)';
  return new HttpError(403, `The host ${stringifyExactJson(given)} is not served here; ${how}.`);
}

const lastAllowed = new WeakMap<HostRule, string>();

function findOriginProblem({ origin, host }: HeaderMap): HttpError | undefined {
  // The page comes from this server.
  if (origin === undefined || [`http://${String(host)}`, `https://${String(host)}`].includes(String(origin)))
    return undefined;
  return new HttpError(403, `The control interface does not accept the origin ${stringifyExactJson(origin)}.`);
}

/** Marks callbacks of a mock, because a client could request one to this control API to bypass the check of origins. */
export const CALLBACK_HEADER = 'x-specmill-callback';

function findCallbackProblem(headers: HeaderMap): HttpError | undefined {
  if (headers[CALLBACK_HEADER] === undefined) return undefined;
  return new HttpError(403, 'The control interface does not accept callbacks of a mock.');
}

/**
 * Whether a host is allowed. A wildcard server accepts any IP address: only names can be made to point elsewhere. Of the
 * loopback hosts only those are accepted that a server on this machine listens on.
 */
function isOwnHost(hostname: string | undefined, { boundHost, allowedHosts = [] }: HostRule): boolean {
  if (hostname === undefined) return false;
  const bound = boundHost.toLowerCase();
  if (hostname === bound || USUAL_HOSTS.has(hostname)) return true;
  if (allowedHosts.some((allowed) => allowed.toLowerCase() === hostname)) return true;
  return isIP(hostname) !== 0 && ['0.0.0.0', '::', ''].includes(bound);
}

const USUAL_HOSTS: ReadonlySet<string> = new Set(['localhost', '127.0.0.1', '::1']);

function hostnameOf(host: string): string | undefined {
  if (!/^[\w.-]+(:\d+)?$|^\[[\da-f:.]+\](:\d+)?$/i.test(host) || !URL.canParse(`http://${host}`)) return undefined;
  return new URL(`http://${host}`).hostname.replace(/^\[(.*)\]$/, '$1');
}
