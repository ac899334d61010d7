import type { HeaderMap, MockResponse, MockRequest } from '../../http/messages.js';
import type { OriginPolicy } from './origins.js';

/** The response to a CORS preflight; `undefined` for any other request. Methods and headers are for the API itself to check. */
export function handlePreflight({ method, headers }: MockRequest, policy: OriginPolicy): MockResponse | undefined {
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

/** Lets a page of an allowed origin read the response, with all of its headers. */
export function allowOrigin(response: MockResponse, { headers }: MockRequest, policy: OriginPolicy): MockResponse {
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
