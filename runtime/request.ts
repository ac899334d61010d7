import type { CallOptions, ClientContext, OperationData, RequestTarget, RequestValues } from './context.js';
import { setHeader } from './headers.js';
import { members, ownWriter, writePairs, writeSimple } from './serialize.js';

/** One call: what is shared, what is called, with which values, and what is otherwise this time. */
export interface Call {
  readonly context: ClientContext;
  readonly operation: OperationData;
  readonly request: RequestValues;
  readonly options: CallOptions;
}

/**
 * Builds the request of one call.
 *
 * @throws TypeError where the address or a value cannot be sent. No credential appears in the message.
 */
export async function buildRequest(
  { context, operation, request, options }: Call,
  signal?: AbortSignal,
): Promise<Request> {
  const base = checkBaseUrl(options.baseUrl ?? context.baseUrl);
  const path = base + fillPath(operation, request.path);
  const headers = new Headers({ accept: operation.accept ?? 'application/json' });
  const target: RequestTarget = { headers, query: writePairs(request.query, operation.queryWriters) };
  const [body, contentType] = writeBody(operation, request);
  setHeaders(headers, context.headers);
  setHeaders(headers, { 'content-type': contentType });
  for (const [name, value] of members(request.headers)) {
    setHeader(headers, name, (ownWriter(operation.headerWriters, name) ?? writeSimple)(name, value, String));
  }
  operation.writeCookies?.(headers, request.cookies);
  await writeCredentials(context, operation, target);
  setHeaders(headers, options.headers);
  const query = target.query.join('&');
  const redirect = operation.redirect ?? target.redirect ?? 'follow';
  // `duplex` is what fetch asks for where the body is a stream; elsewhere it changes nothing.
  const init = {
    method: operation.method ?? 'GET',
    headers,
    redirect,
    body: body ?? null,
    signal: signal ?? null,
    duplex: 'half',
  };
  return new Request(query === '' ? path : `${path}${path.includes('?') ? '&' : '?'}${query}`, init);
}

/**
 * The address without slashes at its end.
 *
 * @throws TypeError where it is no address, or has credentials, a query or a fragment in it. It is not repeated in the
 * message, for what it may hold.
 */
export function checkBaseUrl(baseUrl: string): string {
  const page = (globalThis as { readonly location?: { readonly href: string } }).location?.href;
  if (!URL.canParse(baseUrl, page)) throw new TypeError('The baseUrl is not an address.');
  const { username, password, search, hash, href } = new URL(baseUrl, page);
  if (username + password + search + hash !== '')
    throw new TypeError('The baseUrl has credentials, a query or a fragment in it.');
  return href.replace(/\/+$/, '');
}

function fillPath(operation: OperationData, values: object = {}): string {
  const given = new Map(members(values));
  const path = operation.path.replace(/\{([^{}]+)\}/g, (_match, name: string) => {
    const text = given.has(name) ? (ownWriter(operation.pathWriters, name) ?? writeSimple)(name, given.get(name)) : '';
    if (text === '') throw new TypeError(`${operation.name} needs a value for ${name} in its path.`);
    return text;
  });
  // Dots alone would lead out of the folder, also where they are encoded.
  if (/\/(\.|%2e){1,2}(?=\/|$)/i.test(path))
    throw new TypeError(`${operation.name} cannot have '.' or '..' as a part of its path.`);
  return path;
}

function writeBody(operation: OperationData, { body, contentType }: RequestValues): readonly [BodyInit?, string?] {
  const mediaType = contentType ?? Object.keys(operation.body ?? {})[0];
  if (body === undefined || mediaType === undefined) return [];
  const writer = ownWriter(operation.body, mediaType);
  if (writer === undefined) throw new TypeError(`${operation.name} takes no body of type ${mediaType}.`);
  return writer(body, mediaType);
}

/** Sends the first alternative whose credentials are all given. */
async function writeCredentials(
  { credentials }: ClientContext,
  operation: OperationData,
  target: RequestTarget,
): Promise<void> {
  const given = new Map(members(credentials));
  const alternative = operation.security?.find((schemes) => Object.keys(schemes).every((name) => given.has(name)));
  for (const [name, write] of Object.entries(alternative ?? {})) await write(given.get(name) as never, target);
}

function setHeaders(headers: Headers, values: Readonly<Record<string, string | undefined>> = {}): void {
  for (const [name, value] of Object.entries(values)) if (value !== undefined) setHeader(headers, name, value);
}
