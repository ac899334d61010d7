import type { Api } from '../model/api.js';
import type { ProxyOptions } from '../proxy/proxy-options.js';
import { type FallbackMock, type ProxyParts, startProxyWith, type ValidationProxy } from '../proxy/start-proxy.js';
import { readSource } from '../server/start/load-source.js';

/**
 * Starts a proxy in front of a server. It forwards requests and checks both requests and responses against the spec.
 *
 * @param source - the name of an API (from the configuration, or else a built-in one), the path or URL of a spec, or a
 *   loaded API.
 * @throws InputError if there is no such API, or an option is invalid.
 * @throws SpecError if its spec cannot be used.
 * @throws PortBusyError if the port is taken.
 * @example
 * const proxy = await startProxy('signing', { upstream: 'https://staging.example.com' });
 * const client = createSigningClient({ baseUrl: proxy.url, credentials });
 * proxy.report().violations; // [{ direction: 'response', operationId: 'getcase', pointer: '/body/Status', ... }]
 * await proxy.close();
 */
export function startProxy(source: string | Api, options: ProxyOptions): Promise<ValidationProxy> {
  return startProxyWith({ readSource, startMock }, source, options);
}

async function startMock(...[source, options]: Parameters<ProxyParts['startMock']>): Promise<FallbackMock> {
  const server = await import('../server/start-mock.js');
  return typeof source === 'string' ? server.startMock(source, options) : server.startMock(source, options);
}
