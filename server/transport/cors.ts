import type { HeaderMap, MockAnswer, MockRequest } from '../../http/messages.js';
import type { OriginPolicy } from './origins.js';

/** The response to a CORS preflight; nothing where the request is none. Methods and headers are for the API itself to check. */
export function answerPreflight({ method, headers }: MockRequest, { allows }: OriginPolicy): MockAnswer | undefined {
  const origin = headers['origin'];
  const wanted = headers['access-control-request-method'];
  if (method !== 'OPTIONS' || typeof origin !== 'string' || wanted === undefined) return undefined;
  const vary = 'Origin, Access-Control-Request-Method, Access-Control-Request-Headers';
  if (!allows(origin)) return { status: 204, headers: { vary } };
  const names = headers['access-control-request-headers'];
  const isPrivate = headers['access-control-request-private-network'] === 'true';
  return {
    status: 204,
    headers: {
      'access-control-allow-origin': origin,
      'access-control-allow-credentials': 'true',
      'access-control-allow-methods': wanted,
      ...(names === undefined ? {} : { 'access-control-allow-headers': names }),
      ...(isPrivate ? { 'access-control-allow-private-network': 'true' } : {}),
      'access-control-max-age': '600',
      vary,
    },
  };
}

/** Lets a page of an allowed origin read the response, with all of its headers. */
export function allowOrigin(answer: MockAnswer, { headers }: MockRequest, { allows }: OriginPolicy): MockAnswer {
  const origin = headers['origin'];
  if (typeof origin !== 'string' || answer.headers['access-control-allow-origin'] !== undefined) return answer;
  const vary = withOrigin(answer.headers['vary']);
  if (!allows(origin)) return { ...answer, headers: { ...answer.headers, vary } };
  const exposed = Object.keys(answer.headers).filter((name) => name !== 'set-cookie');
  const allowed: HeaderMap = {
    ...answer.headers,
    'access-control-allow-origin': origin,
    'access-control-allow-credentials': 'true',
    ...(exposed.length === 0 ? {} : { 'access-control-expose-headers': exposed.join(', ') }),
    vary,
  };
  return { ...answer, headers: allowed };
}

function withOrigin(vary: HeaderMap[string]): string {
  const names = [vary ?? []].flat().join(', ');
  return names === '' ? 'Origin' : `${names}, Origin`;
}
