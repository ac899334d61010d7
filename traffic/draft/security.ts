import { type HeaderMap, readHeader } from '../../http/messages.js';
import type { SecretNames } from '../../http/secrets/secret-names.js';
import { lowerFirst, toTypeName } from '../../model/identifiers.js';
import { remember } from '../../model/maps.js';

/** A security scheme that calls use, without any value. */
export interface SeenScheme {
  readonly id: string;
  readonly scheme: Readonly<Record<string, string>>;
}

/** Headers that are no credential of a client: those of proxies and responses. */
const NOT_OF_CLIENTS = /^(?:set-cookie|www-authenticate|proxy-|authentication-info|x-forwarded|cookie$|authorization$)/;

/** The schemes of keys are made once for each name. */
const KEYS = {
  header: remember((name) => keyIn('header', name)),
  query: remember((name) => keyIn('query', name)),
  cookie: remember((name) => keyIn('cookie', name)),
};

/** Cookies that keep a login. */
const LOGIN_COOKIE = /sess|auth|token|jwt|(?:^|[._-])sid$/i;

/** Reads which credentials a request has, in the order of their ids. */
export function readSchemes(
  { headers, query }: { readonly headers: HeaderMap; readonly query: string },
  names: SecretNames,
): SeenScheme[] {
  const schemes: SeenScheme[] = [];
  const authorization = readHeader({ headers }, 'authorization');
  if (authorization !== undefined) schemes.push(schemeOf(authorization));
  for (const name of Object.keys(headers))
    if (names.hasHeader(name) && !NOT_OF_CLIENTS.test(name)) schemes.push(KEYS.header(name));
  for (const name of query === '' ? [] : new Set(new URLSearchParams(query).keys()))
    if (names.hasField(name)) schemes.push(KEYS.query(name));
  for (const part of (readHeader({ headers }, 'cookie') ?? '').split(';')) {
    const name = part.includes('=') ? part.slice(0, part.indexOf('=')).trim() : '';
    if (/^[\w.-]{1,64}$/.test(name) && LOGIN_COOKIE.test(name)) schemes.push(KEYS.cookie(name));
  }
  return schemes.sort((one, other) => (one.id < other.id ? -1 : 1));
}

function schemeOf(authorization: string): SeenScheme {
  const word = /^(basic|bearer|digest) /i.exec(authorization)?.[1]?.toLowerCase();
  if (word === undefined) return keyIn('header', 'Authorization');
  return { id: `${word}Auth`, scheme: { type: 'http', scheme: word } };
}

function keyIn(place: 'header' | 'query' | 'cookie', name: string): SeenScheme {
  const id = `${lowerFirst(toTypeName(name))}${place === 'header' ? '' : place === 'query' ? 'Query' : 'Cookie'}`;
  return { id, scheme: { type: 'apiKey', in: place, name } };
}
