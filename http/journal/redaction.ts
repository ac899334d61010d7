import type { Api } from '../../model/api.js';
import type { HeaderMap } from '../messages.js';

/** Takes credentials out of what the journal keeps. */
export interface Redact {
  readonly headers: (headers: HeaderMap) => HeaderMap;
  /** Path and query. */
  readonly target: (target: string) => string;
}

const REDACTED = 'REDACTED';
const SECRET_HEADERS = [
  'authorization',
  'proxy-authorization',
  'cookie',
  'set-cookie',
  'x-api-key',
  'x-auth-token',
  'x-csrf-token',
];
/** RFC 6750, section 2.3. */
const SECRET_QUERIES = ['access_token'];

/** Knows the usual headers and those headers and query parameters that the API names as keys. */
export function createRedact(api: Api): Redact {
  const keys = [...api.securitySchemes.values()].flatMap((scheme) => (scheme.type === 'apiKey' ? [scheme] : []));
  const inHeader = keys.flatMap(({ in: place, name }) => (place === 'header' ? [name.toLowerCase()] : []));
  const headerNames = new Set([...SECRET_HEADERS, ...inHeader]);
  const inQuery = keys.flatMap(({ in: place, name }) => (place === 'query' ? [name] : []));
  const queryNames = new Set([...SECRET_QUERIES, ...inQuery.map((name) => name.toLowerCase())]);
  return {
    headers: (headers) => {
      if (!Object.keys(headers).some((name) => headerNames.has(name))) return headers;
      const kept = Object.entries(headers).map(([name, value]) => [name, headerNames.has(name) ? hide(value) : value]);
      return Object.fromEntries(kept) as HeaderMap;
    },
    target: (target) => (target.includes('?') ? redactQuery(target, queryNames) : target),
  };
}

/** The scheme stays: which kind of credential was sent is what one looks for. */
function hide(value: HeaderMap[string]): string {
  const scheme = typeof value === 'string' ? /^(basic|bearer|token|digest) /i.exec(value)?.[1] : undefined;
  return scheme === undefined ? REDACTED : `${scheme} ${REDACTED}`;
}

function redactQuery(target: string, names: ReadonlySet<string>): string {
  const start = target.indexOf('?') + 1;
  const pairs = target
    .slice(start)
    .split('&')
    .map((pair) => {
      const [[name] = []] = [...new URLSearchParams(pair).keys()].map((key) => [key]);
      // Spelt in another case it is no credential to the API, but still a secret.
      return name !== undefined && names.has(name.toLowerCase()) ? `${pair.split('=', 1)[0] ?? ''}=${REDACTED}` : pair;
    });
  return target.slice(0, start) + pairs.join('&');
}
