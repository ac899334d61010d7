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
  'api-key',
  'apikey',
  'private-token',
  'x-access-token',
  'x-amz-security-token',
  'x-forwarded-client-cert',
];
/** RFC 6750, section 2.3, OAuth 2.0, and the signed URLs of object stores. */
const SECRET_QUERIES = [
  'access_token',
  'refresh_token',
  'id_token',
  'client_secret',
  'api_key',
  'apikey',
  'token',
  'x-amz-signature',
  'x-amz-security-token',
  'x-goog-signature',
];

/** Knows the usual headers and those headers and query parameters that the API names as keys. */
export function createRedact(api: Api): Redact {
  const keys = [...api.securitySchemes.values()].flatMap((scheme) => (scheme.type === 'apiKey' ? [scheme] : []));
  const inHeader = keys.flatMap(({ in: place, name }) => (place === 'header' ? [name.toLowerCase()] : []));
  const headerNames = new Set([...SECRET_HEADERS, ...inHeader]);
  const inQuery = keys.flatMap(({ in: place, name }) => (place === 'query' ? [name] : []));
  const queryNames = new Set([...SECRET_QUERIES, ...inQuery.map((name) => name.toLowerCase())]);
  return {
    headers: (headers) => {
      const names = Object.keys(headers);
      if (!names.some((name) => headerNames.has(name) || mayHaveUrl(headers[name]))) return headers;
      const kept = Object.entries(headers).map(([name, value]) => [
        name,
        headerNames.has(name) ? hide(value) : redactUrls(value, queryNames),
      ]);
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

function mayHaveUrl(value: HeaderMap[string]): boolean {
  return [value ?? []].flat().some((text) => text.includes('://') || text.includes('?') || text.includes('#'));
}

/** `Location`, `Link`, `Referer`, `Refresh` and others carry URLs, alone or in a list. */
function redactUrls(value: HeaderMap[string], names: ReadonlySet<string>): HeaderMap[string] {
  if (!mayHaveUrl(value)) return value;
  return typeof value === 'string' ? redactText(value, names) : value?.map((text) => redactText(text, names));
}

/** Pieces that end where no URL goes on, so that each is read once. */
function redactText(text: string, names: ReadonlySet<string>): string {
  return text
    .split(/([\s<>"',;]+)/)
    .map((piece) => redactUrl(piece, names))
    .join('');
}

function redactUrl(url: string, names: ReadonlySet<string>): string {
  const start = url.indexOf('://');
  const path = start === -1 ? -1 : url.slice(start + 3).search(/[/?#]/);
  const authority = start === -1 ? '' : path === -1 ? url.slice(start + 3) : url.slice(start + 3, start + 3 + path);
  const at = authority.lastIndexOf('@');
  const bare = at === -1 ? url : `${url.slice(0, start + 3)}${REDACTED}${url.slice(start + 3 + at)}`;
  const [head = '', ...fragments] = bare.split('#');
  const fragment = fragments.join('#');
  const cleanHead = head.includes('?') ? redactQuery(head, names) : head;
  // Tokens of the implicit flow of OAuth travel in the fragment.
  const cleanFragment = fragment.includes('=') ? redactQuery(`?${fragment}`, names).slice(1) : fragment;
  return fragments.length === 0 ? cleanHead : `${cleanHead}#${cleanFragment}`;
}
