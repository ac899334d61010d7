import type { Api } from '../model/api.js';
import { InputError } from '../model/diagnostics/input-error.js';
import { nameOfSpec } from '../model/document/address.js';
import { isRecord } from '../model/document/records.js';
import type { ProxyOptions } from '../proxy/proxy-options.js';
import type { FallbackMock, ProxyParts, ValidationProxy } from '../proxy/start-proxy.js';
import { readSource } from '../server/start/load-source.js';

/**
 * Starts a proxy in front of a server. It forwards requests and checks both requests and responses against the spec.
 *
 * @param source - the name of an API (from the configuration, or else a built-in one), the path or URL of a spec, or a
 *   loaded API. It may also be the member `api` of the options.
 * @throws InputError if there is no such API, or an option is invalid.
 * @throws SpecError if its spec cannot be used.
 * @throws PortBusyError if the port is taken.
 * @example
 * const proxy = await startProxy('signing', { upstream: 'https://staging.example.com' });
 * const client = createSigningClient({ baseUrl: proxy.url, credentials });
 * proxy.report().violations; // [{ direction: 'response', operationId: 'getcase', pointer: '/body/Status', ... }]
 * await proxy.close();
 */
export async function startProxy(source: string | Api, options: ProxyOptions): Promise<ValidationProxy>;
export async function startProxy(options: ProxyOptions & ProxyTarget): Promise<ValidationProxy>;
export async function startProxy(
  first: string | Api | (ProxyOptions & ProxyTarget),
  second?: ProxyOptions,
): Promise<ValidationProxy> {
  const { source, options } = isOptions(first)
    ? splitOptions(first)
    : // Cast: only JavaScript omits the options, and the check of their names refuses that.
      { source: first, options: second as ProxyOptions };
  if (source === undefined || source === null)
    throw new InputError('A proxy needs the name of an API, the path or URL of a spec, or an API that was loaded.');
  // Most who import this module start mocks only.
  const { startProxyWith } = await import('../proxy/start-proxy.js');
  return startProxyWith({ readSource, startMock }, source, options);
}

/** The API, as a member of the options. */
export interface ProxyTarget {
  /** Its name, the path or URL of its spec, or a loaded API. Default: the API of `spec`. */
  readonly api?: string | Api;
}

function isOptions(first: unknown): first is ProxyOptions & ProxyTarget {
  return isRecord(first) && !('operations' in first);
}

function splitOptions({ api, ...options }: ProxyOptions & ProxyTarget): {
  readonly source: string | Api | undefined;
  readonly options: ProxyOptions;
} {
  const [spec] = [options.spec ?? []].flat();
  return { source: api ?? (spec === undefined ? undefined : nameOfSpec(spec)), options };
}

async function startMock(...[source, options]: Parameters<ProxyParts['startMock']>): Promise<FallbackMock> {
  const server = await import('../server/start-mock.js');
  return typeof source === 'string' ? server.startMock(source, options) : server.startMock(source, options);
}
