import type { HeaderMap } from '../../http/messages.js';
import type { RawHeaders } from '../exchange/exchange.js';

/** Headers that are for the next hop alone (RFC 9110, section 7.6.1), beside those that `Connection` names. */
const HOP_BY_HOP: readonly string[] = [
  'connection',
  'proxy-connection',
  'keep-alive',
  'te',
  'transfer-encoding',
  'upgrade',
];

/** Most requests lose these and no more, so the set is not made for each. */
const NOT_TO_SERVER: ReadonlySet<string> = new Set([...HOP_BY_HOP, 'host', 'via', 'x-forwarded-for']);

/** Requests by these methods have no body unless they say so; of others a missing length would mean chunks. */
const BODYLESS: ReadonlySet<string> = new Set(['GET', 'HEAD', 'DELETE', 'OPTIONS', 'TRACE', 'CONNECT']);

/** The header that names the violations of a call, as Prism's proxy has it. */
export const VIOLATIONS_HEADER = 'Sl-Violations';

const NOT_TO_CLIENT: ReadonlySet<string> = new Set([...HOP_BY_HOP, 'via', VIOLATIONS_HEADER.toLowerCase()]);

/** A request of a client, and where it goes. */
export interface RequestToForward {
  readonly method: string;
  readonly httpVersion: string;
  readonly rawHeaders: RawHeaders;
  readonly headers: HeaderMap;
  readonly remoteAddress: string;
  /** The server's host, with its port where that is not the usual one. */
  readonly host: string;
  /** The name of this proxy in `Via`. */
  readonly pseudonym: string;
  /** The protocol that is asked for, where the connection may change to it. */
  readonly upgrade: string | undefined;
  /** The client still waits for `100 Continue`, if it asked for that. */
  readonly isAwaited: boolean;
}

/** The headers of a request as they go to the server: all that are end-to-end, as they came, and those of a proxy. */
export function toServerHeaders(request: RequestToForward): string[] {
  const { headers, rawHeaders, upgrade } = request;
  const isChunked = headers['transfer-encoding'] !== undefined;
  const named = namedByConnection(headers);
  // Trailers need chunks to come after.
  if (!isChunked && headers['trailer'] !== undefined) named.push('trailer');
  if (!request.isAwaited) named.push('expect');
  const out = ['Host', request.host];
  addOthers(out, rawHeaders, withMore(NOT_TO_SERVER, named));
  out.push('X-Forwarded-For', append(headers['x-forwarded-for'], request.remoteAddress));
  if (headers['x-forwarded-host'] === undefined && headers['host'] !== undefined)
    out.push('X-Forwarded-Host', [headers['host']].flat()[0] ?? '');
  if (headers['x-forwarded-proto'] === undefined) out.push('X-Forwarded-Proto', 'http');
  out.push('Via', append(headers['via'], `${request.httpVersion} ${request.pseudonym}`));
  if (isChunked) out.push('Transfer-Encoding', 'chunked');
  else if (headers['content-length'] === undefined && !BODYLESS.has(request.method)) out.push('Content-Length', '0');
  if (upgrade !== undefined) out.push('Connection', 'Upgrade', 'Upgrade', upgrade);
  else if (wantsTrailers(headers)) out.push('Connection', 'TE, keep-alive', 'TE', 'trailers');
  return out;
}

/** A response of the server, and to whom it goes. */
export interface ResponseToForward {
  readonly status: number;
  readonly httpVersion: string;
  readonly rawHeaders: RawHeaders;
  readonly headers: HeaderMap;
  readonly pseudonym: string;
  /** Whether trailers can come after the body. */
  readonly takesTrailers: boolean;
  /** The value of {@link VIOLATIONS_HEADER}. */
  readonly violations: string | undefined;
}

/** The headers of a response as they go to the client. The server's headers about violations are replaced by the proxy's. */
export function toClientHeaders(response: ResponseToForward): string[] {
  const { status, headers } = response;
  const named = namedByConnection(headers);
  if (headers['trailer'] !== undefined && (!response.takesTrailers || headers['transfer-encoding'] === undefined))
    named.push('trailer');
  // RFC 9110, section 8.6: none may be sent with these.
  if (status === 204 || status < 200) named.push('content-length');
  const out: string[] = [];
  addOthers(out, response.rawHeaders, withMore(NOT_TO_CLIENT, named));
  out.push('Via', append(headers['via'], `${response.httpVersion} ${response.pseudonym}`));
  if (response.violations !== undefined) out.push(VIOLATIONS_HEADER, response.violations);
  return out;
}

/** The trailers of a message, as pairs: nothing that would change how the message is read (RFC 9110, section 6.5.1). */
export function toTrailers(rawTrailers: RawHeaders): [string, string][] {
  const forbidden = new Set([...HOP_BY_HOP, 'content-length', 'host', 'content-type', 'content-encoding', 'trailer']);
  const kept: string[] = [];
  addOthers(kept, rawTrailers, forbidden);
  return toPairs(kept);
}

/** Names and values that follow each other, as Node gives raw headers. */
export function toPairs(raw: RawHeaders): [string, string][] {
  return raw.flatMap((name, index) => (index % 2 === 0 ? [[name, raw[index + 1] ?? ''] as [string, string]] : []));
}

/** The headers that `Connection` declares to be for the next hop alone, in lower case. */
function namedByConnection({ connection }: HeaderMap): string[] {
  if (connection === undefined || connection === 'keep-alive' || connection === 'close') return [];
  return (
    [connection]
      .flat()
      .flatMap((value) => value.split(','))
      .map((name) => name.trim().toLowerCase())
      // How long a body is can never be a matter of one hop.
      .filter((name) => name !== 'content-length')
  );
}

function withMore(names: ReadonlySet<string>, more: readonly string[]): ReadonlySet<string> {
  return more.length === 0 ? names : new Set([...names, ...more]);
}

/** Adds all but the dropped headers, as they came. */
function addOthers(out: string[], rawHeaders: RawHeaders, dropped: ReadonlySet<string>): void {
  for (let index = 0; index + 1 < rawHeaders.length; index += 2) {
    const name = rawHeaders[index] ?? '';
    if (!dropped.has(name.toLowerCase())) out.push(name, rawHeaders[index + 1] ?? '');
  }
}

function append(known: HeaderMap[string], value: string): string {
  if (known === undefined) return value;
  return [...[known].flat(), value].join(', ');
}

function wantsTrailers({ te }: HeaderMap): boolean {
  if (te === undefined) return false;
  return [te].flat().some((value) => /(?:^|,)\s*trailers\s*(?:,|$)/i.test(value));
}
