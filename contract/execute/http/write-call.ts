import { basePaths } from '../../../model/base-url.js';
import { getOrInsert } from '../../../model/maps.js';
import { wireMethod } from '../../../model/http-method.js';
import type { Api, Operation } from '../../../model/api.js';
import { isHeader } from '../../../config/check-config.js';
import type { OperationHeaders } from '../../plan/operation-headers.js';
import type { Call, WireRequest } from '../../types.js';
import { type Credentials, dummyCredentials } from '../../../http/credentials/dummy-credentials.js';
import { credentialPlaces, type MadeUpCredentials } from './made-up-credentials.js';
import { isRecord, mapRecord } from '../../../model/document/records.js';
import { bodyKindOf, unsendableLists, writeBody } from '../../../http/request/write-body.js';
import {
  scalarText,
  UnsendableError,
  writeRequest,
  type WrittenParameter,
  type WrittenRequest,
} from '../../../http/request/write-request.js';

/** Base URL and headers of every request. */
export interface WireContext {
  readonly api: Api;
  readonly url: URL;
  readonly headers: Readonly<Record<string, string>>;
  readonly headersFor: Pick<OperationHeaders, 'of'>;
  /** Those of the second identity. */
  readonly otherHeaders: Readonly<Record<string, string>>;
  readonly madeUp: Pick<MadeUpCredentials, 'mayHave'>;
}

/** Headers that the connection sets, or that would break the exchange. */
const OWN_HEADERS: ReadonlySet<string> = new Set([
  'content-length',
  'host',
  'connection',
  'transfer-encoding',
  'expect',
]);

/** Writes a call as a request; `undefined` if HTTP cannot send it. */
export function writeCall(call: Call, context: WireContext): WireRequest | undefined {
  const method = wireMethod(call.method ?? call.operation.method);
  const credentials = credentialsOf(call, context);
  const written = writeParameters(call, credentials);
  const body = call.body === undefined || method === 'HEAD' ? undefined : writeBody(call.body, context.api);
  if (written === undefined || (call.body !== undefined && unsendableLists(call.body, context.api).length > 0))
    return undefined;
  const headers = writeHeaders(call, written, { context, credentials, contentType: body?.contentType });
  if (Object.entries(headers).some(([name, value]) => !isHeader(name, value))) return undefined;
  const target = call.address === undefined ? targetOf(call, written, context) : readAddress(call.address, context);
  if (target?.origin !== context.url.origin) return undefined;
  return { method, url: target.href, headers, ...(body === undefined ? {} : { body: body.text }) };
}

function readAddress(address: string, { url }: WireContext): URL | undefined {
  return URL.canParse(address, url) ? new URL(address, url) : undefined;
}

function targetOf({ operation }: Call, { path, query }: WrittenRequest, { url, api }: WireContext): URL {
  const base = url.pathname === '/' ? factsOf(operation, api).basePath : url.pathname.replace(/(?<!\/)\/+$/, '');
  return new URL(`${url.origin}${base}${path}${query.length === 0 ? '' : `?${query.join('&')}`}`);
}

function writeParameters(call: Call, credentials: Credentials): WrittenRequest | undefined {
  try {
    return writeRequest(call.operation, valuesOf(call, credentials));
  } catch (error) {
    if (error instanceof UnsendableError) return undefined;
    throw error;
  }
}

/** The values of a call, those that it adds to the query, and those that every URL needs. */
function valuesOf(call: Call, credentials: Credentials): (readonly [WrittenParameter, unknown])[] {
  const { operation, parameters, query = {}, isAnonymous } = call;
  const given = [...parameters].filter(([{ in: location, name }]) => location !== 'header' || !isOwnHeader(name));
  const names = new Set(given.filter(([one]) => one.in === 'path').map(([{ name }]) => name));
  const missing = [...operation.path.matchAll(/\{([^{}]+)\}/g)].filter(([, name = '']) => !names.has(name));
  const own = new Set(operation.parameters.map(({ name }) => name));
  const added = isAnonymous === true ? [] : Object.entries(credentials.query).filter(([name]) => !own.has(name));
  const plain = { style: 'form', explode: true, allowReserved: false } as const;
  return [
    ...given.map(([parameter, value]) => [parameter, toCookieValue(parameter, value)] as const),
    ...missing.map(([, name = '']) => [{ ...plain, in: 'path', name }, 'specmill'] as const),
    ...[...Object.entries(query), ...added].map(([name, value]) => [{ ...plain, in: 'query', name }, value] as const),
  ];
}

function isOwnHeader(name: string): boolean {
  const lower = name.toLowerCase();
  return OWN_HEADERS.has(lower) || lower === 'content-type' || lower === 'accept';
}

/** Cookies of style `cookie` are not percent-encoded, but generated texts may contain characters that end them. */
function toCookieValue({ style }: WrittenParameter, value: unknown): unknown {
  if (style !== 'cookie') return value;
  const escape = (one: unknown): string => scalarText(one).replaceAll(/^ | $|[^ -:<-~]/gu, encodeURIComponent);
  if (Array.isArray(value)) return value.map(escape);
  return isRecord(value) ? mapRecord(value, escape) : escape(value);
}

interface HeaderParts {
  readonly context: WireContext;
  readonly credentials: Credentials;
  readonly contentType: string | undefined;
}

function writeHeaders(
  call: Call,
  written: WrittenRequest,
  { context, credentials, contentType }: HeaderParts,
): Record<string, string> {
  const headers: Record<string, string> = { accept: factsOf(call.operation, context.api).accept };
  if (contentType !== undefined) headers['content-type'] = contentType;
  for (const [name, value] of Object.entries(written.headers)) headers[name.toLowerCase()] = value;
  const own = givenHeaders(call, context);
  const given =
    call.isAnonymous === true
      ? anonymousHeaders({ headers: own, api: context.api })
      : { ...credentials.headers, ...own };
  if (call.tag !== undefined) headers['if-match'] = call.tag;
  Object.assign(headers, given, call.headers);
  const cookies = [...written.cookies, ...(headers['cookie'] === undefined ? [] : [headers['cookie']])];
  if (cookies.length > 0) headers['cookie'] = cookies.join('; ');
  return headers;
}

/** The user's headers for a call. */
export function givenHeaders(
  { operation, isOther }: Pick<Call, 'operation' | 'isOther'>,
  { headers, headersFor, otherHeaders }: Pick<WireContext, 'headers' | 'headersFor' | 'otherHeaders'>,
): Readonly<Record<string, string>> {
  return { ...headers, ...headersFor.of(operation), ...(isOther === true ? otherHeaders : {}) };
}

function anonymousHeaders({ headers, api }: Pick<WireContext, 'headers' | 'api'>): Record<string, string> {
  const places = credentialPlaces(api);
  return Object.fromEntries(Object.entries(headers).filter(([name]) => !places.headers.has(name)));
}

/** Removes added credentials from a request. Keeps headers and query parameters that its call sets itself. */
export function withoutCredentials(request: WireRequest, { headers, query = {} }: Call, api: Api): WireRequest {
  const url = new URL(request.url);
  for (const name of credentialPlaces(api).query) if (!Object.hasOwn(query, name)) url.searchParams.delete(name);
  const bare = anonymousHeaders({ headers: request.headers, api });
  return { ...request, headers: { ...bare, ...headers }, url: url.href };
}

const NO_CREDENTIALS: Credentials = { headers: {}, query: {} };

/** Whether a call is sent with a made-up credential. */
export function hasMadeUpCredential(call: Call, context: WireContext): boolean {
  const { headers, query } = credentialsOf(call, context);
  return Object.keys(headers).length + Object.keys(query).length > 0;
}

/** Made-up credentials, if the run may have them. The user's credentials win. */
function credentialsOf(call: Call, context: WireContext): Credentials {
  const { api, madeUp } = context;
  const { operation, isAnonymous } = call;
  if (isAnonymous === true || !madeUp.mayHave(operation)) return NO_CREDENTIALS;
  const places = credentialPlaces(api);
  const isGiven = Object.keys(givenHeaders(call, context)).some((name) => places.headers.has(name));
  return isGiven ? NO_CREDENTIALS : factsOf(operation, api).credentials;
}

/** The common parts of all requests of an operation. */
interface OperationFacts {
  readonly accept: string;
  readonly basePath: string;
  readonly credentials: Credentials;
}

const facts = new WeakMap<Operation, OperationFacts>();

function factsOf(operation: Operation, api: Api): OperationFacts {
  return getOrInsert(facts, operation, () => ({
    accept: acceptOf(operation, api),
    basePath: basePaths(operation.servers.slice(0, 1))[0] ?? '',
    credentials: dummyCredentials(operation, api),
  }));
}

function isJson(mediaType: string): boolean {
  return bodyKindOf(mediaType) === 'json';
}

function acceptOf({ responses }: Operation, api: Api): string {
  const own = api.extensions['x-accept'];
  if (typeof own === 'string') return own;
  const types = responses.flatMap(({ content }) => content.map(({ mediaType }) => mediaType));
  if (types.length === 0) return '*/*';
  // Ids are read from JSON.
  const [json, others] = [types.filter(isJson), types.filter((type) => !isJson(type))];
  const ranked = json.length === 0 ? others : [...json, ...others.map((type) => `${type};q=0.5`)];
  return [...new Set([...ranked, '*/*;q=0.1'])].join(', ');
}
