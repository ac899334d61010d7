import type { HeaderMap } from '../../http/messages.js';
import type { RawHeaders } from '../exchange/forwarded-exchange.js';

/** Headers for the next hop only (RFC 9110, section 7.6.1), besides those that `Connection` names. */
const HOP_BY_HOP: readonly string[] = [
  'connection',
  'proxy-connection',
  'keep-alive',
  'te',
  'transfer-encoding',
  'upgrade',
];

/** The headers to drop from most requests, shared so that no new set is needed. */
const NOT_TO_SERVER: ReadonlySet<string> = new Set([...HOP_BY_HOP, 'host', 'via', 'x-forwarded-for']);

/** Methods without a body by default. For other methods, Node would send chunks if there were no length. */
const BODYLESS: ReadonlySet<string> = new Set(['GET', 'HEAD', 'DELETE', 'OPTIONS', 'TRACE', 'CONNECT']);

/** The header that lists the violations of a call, the same as in Prism's proxy. */
export const VIOLATIONS_HEADER = 'Sl-Violations';

const NOT_TO_CLIENT: ReadonlySet<string> = new Set([...HOP_BY_HOP, 'via', VIOLATIONS_HEADER.toLowerCase()]);

/** A client's request and its destination. */
export interface RequestToForward {
  readonly method: string;
  readonly httpVersion: string;
  readonly rawHeaders: RawHeaders;
  readonly headers: HeaderMap;
  readonly remoteAddress: string;
  /** The server's host, with its port unless it is the default one. */
  readonly host: string;
  /** The name of this proxy in `Via`. */
  readonly pseudonym: string;
  /** The protocol to upgrade to, if upgrading is possible. */
  readonly upgrade: string | undefined;
  /** Whether the client still waits for `100 Continue`, if it asked for it. */
  readonly isAwaited: boolean;
}

/** Returns the headers to send to the server: all end-to-end headers unchanged, and those that a proxy adds. */
export function toServerHeaders(request: RequestToForward): string[] {
  const { headers, rawHeaders, upgrade } = request;
  const isChunked = headers['transfer-encoding'] !== undefined;
  const named = namedByConnection(headers);
  // Trailers require chunks.
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

/** A server's response and the capabilities of its client. */
export interface ResponseToForward {
  readonly status: number;
  readonly httpVersion: string;
  readonly rawHeaders: RawHeaders;
  readonly headers: HeaderMap;
  readonly pseudonym: string;
  /** Whether trailers can be sent after the body. */
  readonly takesTrailers: boolean;
  /** The value of {@link VIOLATIONS_HEADER}. */
  readonly violations: string | undefined;
}

/** Returns the headers to send to the client. The proxy's header of violations replaces the server's. */
export function toClientHeaders(response: ResponseToForward): string[] {
  const { status, headers } = response;
  const named = namedByConnection(headers);
  if (headers['trailer'] !== undefined && (!response.takesTrailers || headers['transfer-encoding'] === undefined))
    named.push('trailer');
  // These must not have a Content-Length (RFC 9110, section 8.6).
  if (status === 204 || status < 200) named.push('content-length');
  const out: string[] = [];
  addOthers(out, response.rawHeaders, withMore(NOT_TO_CLIENT, named));
  out.push('Via', append(headers['via'], `${response.httpVersion} ${response.pseudonym}`));
  if (response.violations !== undefined) out.push(VIOLATIONS_HEADER, response.violations);
  return out;
}

/** Returns the trailers as pairs, without those that affect the framing or meaning (RFC 9110, section 6.5.1). */
export function toTrailers(rawTrailers: RawHeaders): [string, string][] {
  const forbidden = new Set([...HOP_BY_HOP, 'content-length', 'host', 'content-type', 'content-encoding', 'trailer']);
  const kept: string[] = [];
  addOthers(kept, rawTrailers, forbidden);
  return toPairs(kept);
}

/** Converts Node's raw headers, alternating names and values, to pairs. */
export function toPairs(raw: RawHeaders): [string, string][] {
  return raw.flatMap((name, index) => (index % 2 === 0 ? [[name, raw[index + 1] ?? ''] as [string, string]] : []));
}

/** Returns the headers that `Connection` declares for the next hop only, in lower case. */
function namedByConnection({ connection }: HeaderMap): string[] {
  if (connection === undefined || connection === 'keep-alive' || connection === 'close') return [];
  return (
    [connection]
      .flat()
      .flatMap((value) => value.split(','))
      .map((name) => name.trim().toLowerCase())
      // The length of a body is never specific to one hop.
      .filter((name) => name !== 'content-length')
  );
}

function withMore(names: ReadonlySet<string>, more: readonly string[]): ReadonlySet<string> {
  return more.length === 0 ? names : new Set([...names, ...more]);
}

/** Adds all headers except the dropped ones, unchanged. */
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
