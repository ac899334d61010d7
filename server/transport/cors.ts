import type { HeaderMap, MockAnswer, MockRequest } from '../../http/messages.js';

/** The answer to a CORS preflight; nothing where the request is none. Who may call is for the API itself to say. */
export function answerPreflight({ method, headers }: MockRequest): MockAnswer | undefined {
  const origin = headers['origin'];
  const wanted = headers['access-control-request-method'];
  if (method !== 'OPTIONS' || origin === undefined || wanted === undefined) return undefined;
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
      vary: 'Origin, Access-Control-Request-Method, Access-Control-Request-Headers',
    },
  };
}

/** Lets a page of any origin read the answer, with all of its headers: a mock is called from wherever one develops. */
export function allowOrigin(answer: MockAnswer, { headers }: MockRequest): MockAnswer {
  const origin = headers['origin'];
  if (origin === undefined || answer.headers['access-control-allow-origin'] !== undefined) return answer;
  const exposed = Object.keys(answer.headers).filter((name) => name !== 'set-cookie');
  const allowed: HeaderMap = {
    ...answer.headers,
    'access-control-allow-origin': origin,
    'access-control-allow-credentials': 'true',
    ...(exposed.length === 0 ? {} : { 'access-control-expose-headers': exposed.join(', ') }),
    vary: withOrigin(answer.headers['vary']),
  };
  return { ...answer, headers: allowed };
}

function withOrigin(vary: HeaderMap[string]): string {
  const names = [vary ?? []].flat().join(', ');
  return names === '' ? 'Origin' : `${names}, Origin`;
}
