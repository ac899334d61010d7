import type { HandlerContext, MockRequest } from 'specmill/mock';

import { settingsOf } from './configuration/settings.js';
import { refuse } from './refusals.js';

const LOOPBACK: ReadonlySet<string> = new Set(['localhost', '127.0.0.1', '[::1]', '::1']);

/**
 * Allowed are loopback hosts, the one that this mock itself has, and those of the configuration.
 *
 * @throws HttpError 403 if the headers `Host` or `Origin` name another one.
 */
export function checkHosts({
  request,
  options,
  config,
}: Pick<HandlerContext, 'options' | 'config'> & { readonly request: Pick<MockRequest, 'headers'> }): void {
  const { allowedHosts } = settingsOf({ config }).mcp;
  if (allowedHosts.length === 1 && allowedHosts[0] === '*') return;
  const own = typeof options['url'] === 'string' ? new URL(options['url']).hostname : '';
  const allowed = new Set([...LOOPBACK, own, ...allowedHosts.map((host) => host.toLowerCase())]);
  const isAllowed = (url: string): boolean => {
    if (!URL.canParse(url)) return false;
    const { hostname, host } = new URL(url);
    return allowed.has(hostname) || allowed.has(host);
  };
  const [host] = [request.headers['host']].flat();
  if (host !== undefined && !isAllowed(`http://${host}`)) {
    const violation = { in: 'header', pointer: '/host', message: 'must be an allowed host' } as const;
    throw refuse(403, `The host ${host} is not among the allowed hosts.`, violation);
  }
  const [origin] = [request.headers['origin']].flat();
  if (origin !== undefined && !isAllowed(origin)) {
    const violation = { in: 'header', pointer: '/origin', message: 'must be of an allowed host' } as const;
    throw refuse(403, `The origin ${origin} is not among the allowed hosts.`, violation);
  }
}
