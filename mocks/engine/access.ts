import type { HandlerContext, Middleware, MockRequest } from 'specmill/mock';

import { refuse } from './rows.js';

const EVERYONE = ['anonymous'];
const KNOWN = ['anonymous', 'authenticated'];

/** A caller chooses one of its roles: those that the list of credentials gives it as scopes; without such, any. */
export const checkRole: Middleware = async (call, next) => {
  const parameter = call.operation?.parameters.find(
    ({ in: place, name }) => place === 'header' && /-api-role$/i.test(name),
  );
  const [role] = [call.request.headers[parameter?.name.toLowerCase() ?? '']].flat();
  const { kind, scopes } = call.caller;
  const roles = kind === 'anonymous' ? EVERYONE : [...KNOWN, ...scopes];
  const mayBeAny = kind !== 'anonymous' && scopes.length === 0;
  if (role === undefined || mayBeAny || roles.includes(role)) return next();
  return call.refuse(403, `The caller does not have the role ${role}.`);
};

const LOOPBACK: ReadonlySet<string> = new Set(['localhost', '127.0.0.1', '[::1]', '::1']);

/**
 * Without a configuration no host is allowed but loopback ones, and the one that this mock itself has.
 *
 * @throws HttpError 403 where the headers `Host` or `Origin` name another one.
 */
export function checkHosts({
  request,
  options,
}: Pick<HandlerContext, 'options'> & { readonly request: Pick<MockRequest, 'headers'> }): void {
  const own = typeof options['url'] === 'string' ? new URL(options['url']).hostname : '';
  const isAllowed = (host: string | undefined): boolean => host !== undefined && (LOOPBACK.has(host) || host === own);
  const [host] = [request.headers['host']].flat();
  if (host !== undefined && !isAllowed(hostnameOf(`http://${host}`))) {
    const violation = { in: 'header', pointer: '/host', message: 'must be an allowed host' } as const;
    throw refuse(403, `The host ${host} is not among the allowed hosts.`, violation);
  }
  const [origin] = [request.headers['origin']].flat();
  if (origin !== undefined && !isAllowed(hostnameOf(origin))) {
    const violation = { in: 'header', pointer: '/origin', message: 'must be of an allowed host' } as const;
    throw refuse(403, `The origin ${origin} is not among the allowed hosts.`, violation);
  }
}

function hostnameOf(url: string): string | undefined {
  return URL.canParse(url) ? new URL(url).hostname : undefined;
}
