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

/** Requests by these methods have no body unless they say so; of others a missing length would mean chunks. */
const BODYLESS: ReadonlySet<string> = new Set(['GET', 'HEAD', 'DELETE', 'OPTIONS', 'TRACE', 'CONNECT']);

/** The header that names the violations of a call, as Prism's proxy has it. */
export const VIOLATIONS_HEADER = 'Sl-Violations';

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
  const dropped = new Set([...hopByHop(headers), 'host', 'via', 'x-forwarded-for']);
  // Trailers need chunks to come after.
  if (!isChunked) dropped.add('trailer');
  if (!request.isAwaited) dropped.add('expect');
  const out = ['Host', request.host, ...keepOthers(rawHeaders, dropped)];
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
  const dropped = new Set([...hopByHop(headers), 'via', VIOLATIONS_HEADER.toLowerCase()]);
  if (!response.takesTrailers || headers['transfer-encoding'] === undefined) dropped.add('trailer');
  // RFC 9110, section 8.6: none may be sent with these.
  if (status === 204 || status < 200) dropped.add('content-length');
  const out = keepOthers(response.rawHeaders, dropped);
  out.push('Via', append(headers['via'], `${response.httpVersion} ${response.pseudonym}`));
  if (response.violations !== undefined) out.push(VIOLATIONS_HEADER, response.violations);
  return out;
}

/** The trailers of a message, as pairs: nothing that would change how the message is read (RFC 9110, section 6.5.1). */
export function toTrailers(rawTrailers: RawHeaders): [string, string][] {
  const forbidden = new Set([...HOP_BY_HOP, 'content-length', 'host', 'content-type', 'content-encoding', 'trailer']);
  const kept = keepOthers(rawTrailers, forbidden);
  return kept.flatMap((name, index) => (index % 2 === 0 ? [[name, kept[index + 1] ?? ''] as [string, string]] : []));
}

function hopByHop(headers: HeaderMap): readonly string[] {
  const named = [headers['connection'] ?? []]
    .flat()
    .flatMap((value) => value.split(','))
    .map((name) => name.trim().toLowerCase())
    // How long a body is can never be a matter of one hop.
    .filter((name) => name !== 'content-length');
  return [...HOP_BY_HOP, ...named];
}

function keepOthers(rawHeaders: RawHeaders, dropped: ReadonlySet<string>): string[] {
  const kept: string[] = [];
  for (let index = 0; index + 1 < rawHeaders.length; index += 2) {
    const [name = '', value = ''] = [rawHeaders[index], rawHeaders[index + 1]];
    if (!dropped.has(name.toLowerCase())) kept.push(name, value);
  }
  return kept;
}

function append(known: HeaderMap[string], value: string): string {
  return [...[known ?? []].flat(), value].join(', ');
}

function wantsTrailers({ te }: HeaderMap): boolean {
  return [te ?? []].flat().some((value) => /(?:^|,)\s*trailers\s*(?:,|$)/i.test(value));
}
