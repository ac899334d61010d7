import { isIP } from 'node:net';

import type { MockRequest } from '../messages.js';
import { ControlError, answerProblem } from '../../server/control/control-error.js';
import type { HandleControl } from '../../server/control/routes.js';

/**
 * Lets only requests through that were meant for this address: a web page elsewhere could otherwise reach the control
 * interface through the browser of whoever runs the mock, also by a name that it makes point here (DNS rebinding).
 *
 * @param boundHost - what the door listens on, such as `127.0.0.1`, `0.0.0.0` or `mock.local`.
 */
export function guardAccess(control: HandleControl, boundHost: string): HandleControl {
  return async (request) => {
    const problem = findAccessProblem(request, boundHost);
    return problem === undefined ? control(request) : answerProblem(new ControlError(403, problem));
  };
}

function findAccessProblem({ headers }: MockRequest, boundHost: string): string | undefined {
  const host = typeof headers['host'] === 'string' ? headers['host'] : '';
  if (!isOwnHost(hostnameOf(host), boundHost)) {
    return `The control interface is not reached under the host ${JSON.stringify(host)}; use the address that the mock is bound to.`;
  }
  const { origin } = headers;
  if (origin === undefined || isOwnOrigin(origin, host)) return undefined;
  return `The control interface does not answer to the origin ${JSON.stringify(origin)}.`;
}

/** The page was served from this very address. */
function isOwnOrigin(origin: string | readonly string[], host: string): boolean {
  return typeof origin === 'string' && (origin === `http://${host}` || origin === `https://${host}`);
}

/** Nobody can make an address point elsewhere, only names. Those that are known to be this machine's are `localhost` and the one that was bound. */
function isOwnHost(hostname: string | undefined, boundHost: string): boolean {
  if (hostname === undefined) return false;
  const bound = boundHost.toLowerCase();
  if (hostname === bound || hostname === 'localhost') return true;
  if (isIP(hostname) === 0) return false;
  const isWildcard = bound === '0.0.0.0' || bound === '::' || bound === '';
  return isWildcard || hostname === '127.0.0.1' || hostname === '::1';
}

function hostnameOf(host: string): string | undefined {
  if (!/^[\w.-]+(:\d+)?$|^\[[\da-f:.]+\](:\d+)?$/i.test(host) || !URL.canParse(`http://${host}`)) return undefined;
  return new URL(`http://${host}`).hostname.replace(/^\[(.*)\]$/, '$1');
}
