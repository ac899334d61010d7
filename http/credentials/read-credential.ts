import { decodeLeniently } from '../../model/document/pointer.js';
import type { SecurityScheme } from '../../model/api.js';
import type { MockRequest } from '../messages.js';

/** The part of a request, besides its query, that may have credentials. */
type CredentialSource = Pick<MockRequest, 'headers'>;

/** The credential of a request for one security scheme. */
export interface PresentedCredential {
  /** The key, or the user name. */
  readonly key?: string;
  readonly secret?: string;
  readonly token?: string;
  /** The sub account that a master key acts on. */
  readonly account?: string;
}

export type Presented = PresentedCredential | 'absent' | 'malformed';

export function readCredential(scheme: SecurityScheme, request: CredentialSource, query: URLSearchParams): Presented {
  const authorization = readHeader(request, 'authorization');
  switch (scheme.type) {
    case 'apiKey':
      return presentKey(scheme, request, query);
    case 'http':
      return presentAuthorization(scheme, authorization);
    case 'mutualTLS':
      return presentCertificate(readHeader(request, 'x-forwarded-client-cert'));
    default:
      return presentToken('bearer', authorization);
  }
}

function readHeader({ headers }: CredentialSource, name: string): string | undefined {
  const value = Object.hasOwn(headers, name) ? headers[name] : undefined;
  return typeof value === 'object' ? value[0] : value;
}

/** Reads a certificate from the header of a proxy, because the mock itself has no TLS. */
function presentCertificate(certificate: string | undefined): Presented {
  if (certificate === undefined) return 'absent';
  return certificate === '' ? 'malformed' : { key: certificate };
}

function presentKey(
  scheme: SecurityScheme & { readonly type: 'apiKey' },
  request: CredentialSource,
  query: URLSearchParams,
): Presented {
  if (scheme.in === 'header' && scheme.name.toLowerCase() === 'authorization') {
    return presentAuthorizationKey(scheme, readHeader(request, 'authorization'));
  }
  const value = readKey(scheme, request, query);
  if (value === undefined) return 'absent';
  const key = value.trim();
  return key === '' ? 'malformed' : { key };
}

function readKey(
  { in: place, name }: SecurityScheme & { readonly type: 'apiKey' },
  request: CredentialSource,
  query: URLSearchParams,
): string | undefined {
  if (place === 'query') return query.get(name) ?? undefined;
  if (place === 'header') return readHeader(request, name.toLowerCase());
  return readCookie(readHeader(request, 'cookie') ?? '', name);
}

function readCookie(header: string, name: string): string | undefined {
  for (const part of header.split(';')) {
    const place = part.indexOf('=');
    if (part.slice(0, place).trim() !== name) continue;
    const value = part
      .slice(place + 1)
      .trim()
      .replace(/^"(.*)"$/, '$1');
    return decodeLeniently(value);
  }
  return undefined;
}

/**
 * Reads a key that is the whole value of `Authorization`. If the scheme's description shows a word before it
 * (`Authorization: token <TOKEN>`), that word is required; otherwise the words of the usual schemes are allowed.
 */
function presentAuthorizationKey(scheme: SecurityScheme, header: string | undefined): Presented {
  const word = /Authorization: ([A-Za-z][\w-]*) [<{]/.exec(scheme.description ?? '')?.[1];
  if (word !== undefined) return presentToken(word.toLowerCase(), header);
  const value = header?.trim();
  if (value === undefined) return 'absent';
  const [first, rest] = splitOnce(value);
  if (/^(basic|digest|negotiate)$/i.test(first)) return 'absent';
  const key = /^(token|bearer|apikey)$/i.test(first) ? rest : value;
  return key === '' ? 'malformed' : { key };
}

function presentAuthorization(
  scheme: SecurityScheme & { readonly type: 'http' },
  header: string | undefined,
): Presented {
  const word = scheme.scheme.toLowerCase();
  if (word !== 'basic') return presentToken(word, header);
  const presented = presentToken(word, header);
  if (typeof presented === 'string') return presented;
  return presentBasic(presented.token ?? '', scheme.extensions['x-sub-account'] === true);
}

/** Reads the token after the scheme's word, in any letter case. Another word means another scheme. */
function presentToken(word: string, header: string | undefined): Presented {
  const [first, token] = splitOnce(header?.trim() ?? '');
  if (first.toLowerCase() !== word) return 'absent';
  return token === '' || (/\s/.test(token) && word !== 'digest') ? 'malformed' : { token };
}

/** Reads Basic credentials (RFC 7617). The password may contain colons, the user name may not. */
function presentBasic(encoded: string, hasSubAccounts: boolean): Presented {
  if (!/^[A-Za-z0-9+/_-]+={0,2}$/.test(encoded)) return 'malformed';
  const text = decodeText(Buffer.from(encoded, 'base64'));
  const colon = text.indexOf(':');
  if (colon < 1) return 'malformed';
  const [username, secret] = [text.slice(0, colon), text.slice(colon + 1)];
  if (!hasSubAccounts || !username.includes('\\')) return { key: username, secret };
  const { key, account } = /^(?<key>[^\\]+)\\{1,2}(?<account>[^\\]+)$/.exec(username)?.groups ?? {};
  return key === undefined || account === undefined ? 'malformed' : { key, secret, account };
}

/** Decodes UTF-8, which clients send today, or else ISO 8859-1. */
function decodeText(bytes: Uint8Array): string {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch {
    return new TextDecoder('latin1').decode(bytes);
  }
}

function splitOnce(text: string): readonly [string, string] {
  const place = text.search(/\s/);
  return place === -1 ? [text, ''] : [text.slice(0, place), text.slice(place + 1).trim()];
}
