import { basePaths } from '../../../http/base-url.js';
import { getOrInsert } from '../../../model/maps.js';
import { wireMethod } from '../../../model/http-method.js';
import type { Api, Operation, Parameter } from '../../../model/api.js';
import { isHeader } from '../../../config/check-config.js';
import type { Call, WireRequest } from '../../types.js';
import { type Credentials, credentialPlaces, dummyCredentials, isLocalServer } from './dummy-credentials.js';
import { stringifyExactJson } from '../../../runtime/json-integers.js';
import { writeBody } from './serialize-body.js';
import { writeFields, writeHeader, writePathParameter, writeQuerystring } from './serialize-parameter.js';

/** The target of requests, and what is sent with each. */
export interface WireContext {
  readonly api: Api;
  readonly url: URL;
  readonly headers: Readonly<Record<string, string>>;
}

/** Headers that the connection sets, or that would break the exchange. */
const OWN_HEADERS: ReadonlySet<string> = new Set([
  'content-length',
  'host',
  'connection',
  'transfer-encoding',
  'expect',
]);

/** Methods whose bodies servers need not read. */
const BODILESS: ReadonlySet<string> = new Set(['GET', 'HEAD']);

/** Writes a call as a request; `undefined` if HTTP cannot send it. */
export function writeRequest(call: Call, context: WireContext): WireRequest | undefined {
  const method = wireMethod(call.method ?? call.operation.method);
  const body = call.body === undefined || BODILESS.has(method) ? undefined : writeBody(call.body, context.api);
  const credentials = credentialsOf(call, context);
  const headers = writeHeaders(call, { context, credentials, contentType: body?.contentType });
  if (Object.entries(headers).some(([name, value]) => !isHeader(name, value))) return undefined;
  const target =
    call.address === undefined ? writeTarget(call, credentials, context) : readAddress(call.address, context);
  if (target?.origin !== context.url.origin) return undefined;
  return { method, url: target.href, headers, ...(body === undefined ? {} : { body: body.text }) };
}

function readAddress(address: string, { url }: WireContext): URL | undefined {
  return URL.canParse(address, url) ? new URL(address, url) : undefined;
}

function writeTarget(call: Call, credentials: Credentials, context: WireContext): URL | undefined {
  const path = writePath(call);
  if (path === undefined) return undefined;
  const { origin, pathname } = context.url;
  const base = pathname === '/' ? factsOf(call.operation, context.api).basePath : pathname.replace(/(?<!\/)\/+$/, '');
  const query = writeQuery(call, credentials);
  return new URL(`${origin}${base}${path}${query === '' ? '' : `?${query}`}`);
}

/** Writes the path; `undefined` if a segment is empty or made of dots, which would lead to another route. */
function writePath({ operation, parameters }: Call): string | undefined {
  let isSendable = true;
  const path = operation.path.replaceAll(/\{([^{}]+)\}/g, (_, name: string) => {
    const entry = [...parameters].find(([parameter]) => parameter.in === 'path' && parameter.name === name);
    if (entry === undefined) return 'specmill';
    const text = writePathParameter(entry[0], entry[1]);
    if (text === '' || /^(?:\.|%2e){1,2}$/i.test(text)) isSendable = false;
    return text;
  });
  return isSendable ? path : undefined;
}

function writeQuery({ operation, parameters, query = {}, isAnonymous }: Call, credentials: Credentials): string {
  const whole = [...parameters].find(([parameter]) => parameter.in === 'querystring');
  const fields = [...parameters]
    .filter(([parameter]) => parameter.in === 'query')
    .flatMap(([parameter, value]) => fieldsOf(parameter, value));
  const own = new Set(operation.parameters.map(({ name }) => name));
  const added = isAnonymous === true ? [] : Object.entries(credentials.query).filter(([name]) => !own.has(name));
  return [
    ...fields,
    ...[...Object.entries(query), ...added].flatMap(([name, value]) =>
      fieldsOf({ name, style: 'form', explode: true }, value),
    ),
  ]
    .concat(whole === undefined ? [] : writeQuerystring(...whole))
    .filter((text) => text !== '')
    .join('&');
}

type Fields = Pick<Parameter, 'name' | 'style' | 'explode'> & { readonly mediaType?: string };

function fieldsOf(parameter: Fields, value: unknown): string[] {
  return writeFields(parameter, parameter.mediaType === undefined ? value : stringifyExactJson(value));
}

interface HeaderParts {
  readonly context: WireContext;
  readonly credentials: Credentials;
  readonly contentType: string | undefined;
}

function writeHeaders(call: Call, { context, credentials, contentType }: HeaderParts): Record<string, string> {
  const headers: Record<string, string> = { accept: factsOf(call.operation, context.api).accept };
  if (contentType !== undefined) headers['content-type'] = contentType;
  const cookies: string[] = [];
  for (const [parameter, value] of call.parameters) {
    const name = parameter.name.toLowerCase();
    if (parameter.in === 'cookie') cookies.push(...fieldsOf(parameter, value));
    if (parameter.in !== 'header' || OWN_HEADERS.has(name) || name === 'content-type' || name === 'accept') continue;
    headers[name] = parameter.mediaType === undefined ? writeHeader(parameter, value) : stringifyExactJson(value);
  }
  const given = call.isAnonymous === true ? anonymousHeaders(context) : { ...credentials.headers, ...context.headers };
  if (call.tag !== undefined) headers['if-match'] = call.tag;
  Object.assign(headers, given, call.headers);
  const all = [...cookies, ...(headers['cookie'] === undefined ? [] : [headers['cookie']])];
  if (all.length > 0) headers['cookie'] = all.join('; ');
  return headers;
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

/** Made-up credentials, on this machine only. The user's credentials win. */
function credentialsOf({ operation, isAnonymous }: Call, { api, url, headers }: WireContext): Credentials {
  if (isAnonymous === true || !isLocalServer(url)) return NO_CREDENTIALS;
  const places = credentialPlaces(api);
  const isGiven = Object.keys(headers).some((name) => places.headers.has(name));
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

function acceptOf({ responses }: Operation, api: Api): string {
  const own = api.extensions['x-accept'];
  if (typeof own === 'string') return own;
  const types = responses.flatMap(({ content }) => content.map(({ mediaType }) => mediaType));
  return types.length === 0 ? '*/*' : [...new Set([...types, '*/*;q=0.1'])].join(', ');
}
