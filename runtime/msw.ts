import type { Codec } from './codecs.js';
import type { EventItem } from './items.js';
import type { BodyWriter } from './serialize.js';
import { statusKeys } from './media-type.js';

/** The functions of MSW that make handlers. The module that uses them imports the package. */
export interface Msw<Handler> {
  readonly http: Readonly<Record<'all' | HttpName, MakeHandler<Handler>>>;
  readonly delay: (duration?: number | 'real') => Promise<void>;
}

type HttpName = (typeof NAMES)[number];
type MakeHandler<Handler> = (
  path: string | RegExp,
  resolver: (call: { readonly request: Request }) => Promise<Response | undefined>,
  options?: { readonly once?: boolean },
) => Handler;

const NAMES = ['head', 'get', 'post', 'put', 'delete', 'patch', 'options'] as const;

/** Options of all handlers. */
export interface MockOptions {
  /** Address of the API; may have `*`. Default: any address. */
  readonly baseUrl?: string | undefined;
  /** Changes the made-up values. Any whole number. */
  readonly seed?: number | undefined;
  /** Waits before each response: milliseconds, or as long as a real server may take. */
  readonly delay?: number | 'real' | undefined;
}

/** The types of an operation. */
export interface Types {
  readonly request: unknown;
  readonly response: unknown;
  readonly failure: unknown;
}

interface Sent<Status extends number, Body, Headers> {
  readonly status: Status;
  readonly body: Body;
  readonly headers: Headers;
}

/** The documented responses of an operation, from the types of its client. */
export type Documented<Operation extends Types> = SentOf<Operation['response'] | Operation['failure']>;
type SentOf<Result> = Result extends { readonly status: infer Status extends number; readonly headers: infer Headers }
  ? number extends Status
    ? never
    : Result extends { readonly body: infer Body }
      ? Sent<Status, Body, Headers>
      : Result extends { readonly data: infer Body }
        ? Sent<Status, Body, Headers>
        : never
  : never;
type Of<All, Status> = All extends { readonly status: infer Own } ? (Status extends Own ? All : never) : never;

/** The body that a handler may send where a client receives `Data`. */
export type BodyOf<Data> = Data extends Blob
  ? Blob | ArrayBuffer | Uint8Array | ReadableStream<Uint8Array> | string
  : Data extends ReadableStream<Uint8Array>
    ? Data | Iterable<EventItem | string | object> | AsyncIterable<EventItem | string | object> | string
    : Data extends AsyncIterable<infer Item>
      ? Iterable<Item> | AsyncIterable<Item>
      : Data;

/** The body of an operation's response with one of its statuses. */
export type ResponseBody<Operation extends Types, Status extends number> = BodyOf<
  Of<Documented<Operation>, Status>['body']
>;

type Rest<One> =
  One extends Sent<number, infer Body, infer Headers>
    ? undefined extends Body
      ? [body?: BodyOf<Body>, headers?: SentHeaders<Headers>]
      : [body: BodyOf<Body>, headers?: SentHeaders<Headers>]
    : never;
type SentHeaders<Headers> = { readonly [Name in keyof Headers]?: Headers[Name] };

/** Makes a documented response: `respond(404, { message: 'There is no such order.' })`. */
export interface Respond<All extends { readonly status: number }> {
  <Status extends All['status']>(status: Status, ...rest: Rest<Of<All, Status>>): Response;
  /** The request fails as without a network. */
  readonly network: () => Response;
}

type Group = 'path' | 'query' | 'headers' | 'cookies';
type Values<Given> = Given extends unknown
  ? { readonly [Part in keyof Given as Part extends Group ? Part : never]-?: NonNullable<Given[Part]> } & {
      readonly [Part in keyof Given as Part extends 'body' | 'contentType' ? Part : never]: Received<Given[Part]>;
    }
  : never;
/** A body as it is read, where a client may send several forms of it. */
type Received<Body> = unknown extends Body
  ? Body
  : Blob extends Body
    ? Blob
    : AsyncIterable<never> extends Body
      ? Body extends AsyncIterable<infer Item>
        ? AsyncIterable<Item>
        : never
      : Exclude<Body, FormData>;

/** Responds to the requests of an operation. Without a result, other handlers get the request. */
export type Resolver<Operation extends Types> = (
  call: Values<Operation['request']> & {
    readonly request: Request;
    readonly respond: Respond<Documented<Operation>>;
  },
) => Response | undefined | void | Promise<Response | undefined | void>;

/** The parts of a request that are read. */
export interface RequestSource {
  readonly request: Request;
  /** Encoded values of the path, by name. */
  readonly path: ReadonlyMap<string, string>;
  /** Without the question mark. */
  readonly query: string;
}

/** The values of a request by group, and what is wrong with it. */
export interface ReadValues {
  readonly values: Record<string, unknown>;
  readonly violations: readonly MockViolation[];
}

/** A violation of a request. */
export interface MockViolation {
  readonly in: 'path' | 'query' | 'header' | 'cookie' | 'body';
  /** JSON pointer into the part. */
  readonly pointer: string;
  readonly message: string;
}

/** An operation as data. Defaults are left out: method `GET`, status 200, JSON, text in the path. */
export interface HandlerPlan {
  readonly op: string;
  readonly method?: string;
  readonly path: string;
  readonly status?: number;
  /** Media types that are not `application/json`, by status; `''` without a body. */
  readonly types?: Readonly<Record<string, string>>;
  /** Writers of bodies, by media type. */
  readonly writers?: Readonly<Record<string, BodyWriter>>;
  /** Headers of the default response. */
  readonly headers?: Readonly<Record<string, string>>;
  /** The default body as JSON. */
  readonly data?: (seed: number) => unknown;
  /** Members of the default body that repeat parameters of the path. */
  readonly ids?: Readonly<Record<string, readonly string[]>>;
  /** Reads parameters that are more than a text in the path. */
  readonly parameters?: (source: RequestSource) => ReadValues;
  /** The media types of requests, if there are several. */
  readonly content?: readonly string[];
  /** Reads bodies that are neither JSON, text nor a file. */
  readonly body?: (request: Request) => Promise<unknown>;
  /** Converts the values of a request from JSON, and data of responses to JSON. */
  readonly codec?: Codec;
  readonly codecs?: Readonly<Record<string, Codec>>;
  readonly parse?: (text: string) => unknown;
  readonly stringify?: (value: unknown) => string;
  /** Refuses invalid requests. */
  readonly check?: (read: ReadValues, request: Request) => Response | undefined;
}

/** What a handler is made from. */
export interface HandlerArguments {
  /** A resolver, or the data of the default response. */
  readonly given: unknown;
  readonly options: (MockOptions & { readonly once?: boolean }) | undefined;
}

type AnyResolver = (call: object) => Response | undefined | void | Promise<Response | undefined | void>;

/** Makes the handler of an operation. */
export function createHandler<Handler>(
  { http, delay }: Msw<Handler>,
  plan: HandlerPlan,
  { given, options = {} }: HandlerArguments,
): Handler {
  const { method = 'GET', path } = plan;
  const name = NAMES.find((one) => one.toUpperCase() === method);
  const address = toAddress(options.baseUrl ?? '*');
  const pattern = toPattern(address, path);
  const isPlain = /^(?:\/(?:[\w.~-]+|\{[A-Za-z_]\w*\})?)+$/.test(path);
  const respond = Object.assign(
    (status: number, body?: unknown, headers?: object) => makeResponse(plan, status, { body, headers }),
    { network: () => Response.error() },
  );
  return http[name ?? 'all'](
    isPlain ? address + path.replace(/\{(\w+)\}/g, ':$1') : pattern,
    async ({ request }) => {
      const { pathname, search, origin } = new URL(request.url);
      const found = pattern.exec(origin + pathname);
      if (request.method !== method || found === null) return undefined;
      const raw = new Map(namesIn(path).map((one, index) => [one, found[index + 1] ?? '']));
      const source = { request, path: raw, query: search.slice(1) };
      const read = await readRequest(plan, source, typeof given === 'function');
      if (options.delay !== undefined) await delay(options.delay);
      const refused = plan.check?.(read, request);
      if (refused !== undefined) return refused;
      if (typeof given === 'function') {
        const values = plan.codec?.(read.values, 'decode') ?? read.values;
        return (await (given as AnyResolver)({ ...values, request, respond })) ?? undefined;
      }
      const headers = plan.headers ?? {};
      if (given !== undefined) return makeResponse(plan, plan.status ?? 200, { body: given, headers });
      const seed = hash(`${plan.op} ${[...raw.values()].join(' ')} ${search}`) + (options.seed ?? 0);
      const body = withIds(plan.data?.(seed), plan.ids ?? {}, raw);
      return makeResponse(plan, plan.status ?? 200, { body, headers, isJson: true });
    },
    options.once === undefined ? {} : { once: options.once },
  );
}

/** An address without its slash; a relative one matches at any host. */
function toAddress(baseUrl: string): string {
  const address = baseUrl.replace(/\/$/, '');
  return address.startsWith('/') || address === '' ? `*${address}` : address;
}

function namesIn(path: string): string[] {
  return [...path.matchAll(/\{([^{}]+)\}/g)].map(([, name = '']) => name);
}

/** A pattern of the whole address. The last parameter of a segment takes as much as it can. */
function toPattern(address: string, path: string): RegExp {
  const base = address.split('*').map(escapeText).join('.*');
  const source = path.split(/(\{[^{}]+\})/).map((part, index, parts) => {
    if (index % 2 === 0) return escapeText(encodeURI(part));
    return (parts[index + 1] ?? '').startsWith('/') || parts[index + 1] === '' ? '([^/]+)' : '([^/]+?)';
  });
  return new RegExp(`^${base}${source.join('')}/?$`);
}

function escapeText(text: string): string {
  return text.replace(/[$()*+.?[\\\]^{|}]/g, '\\$&');
}

/** Reads what a resolver or a check needs. */
async function readRequest(plan: HandlerPlan, source: RequestSource, isNeeded: boolean): Promise<ReadValues> {
  if (!isNeeded && plan.check === undefined) return { values: {}, violations: [] };
  const { values, violations } = plan.parameters?.(source) ?? { values: {}, violations: [] };
  if (source.path.size > 0) {
    const texts = Object.fromEntries([...source.path].map(([name, text]) => [name, decodeText(text)]));
    values['path'] = { ...texts, ...(values['path'] as object | undefined) };
  }
  const type = essenceOf(source.request.headers.get('content-type') ?? '');
  const contentType = plan.content?.find((one) => essenceOf(one) === type);
  if (contentType !== undefined) values['contentType'] = contentType;
  try {
    const body = await readBody(plan, source.request);
    return { values: body === undefined ? values : { ...values, body }, violations };
  } catch (error) {
    const message = error instanceof Error ? error.message : String(error);
    return { values, violations: [...violations, { in: 'body', pointer: '', message }] };
  }
}

function decodeText(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}

async function readBody({ body, parse = JSON.parse }: HandlerPlan, request: Request): Promise<unknown> {
  if (request.body === null && request.headers.get('content-type') === null) return undefined;
  const copy = request.clone();
  if (body !== undefined) return body(copy);
  const type = essenceOf(copy.headers.get('content-type') ?? '');
  if (type !== '' && !/[/+]json$/.test(type)) return /^text\/|[/+]xml$/.test(type) ? copy.text() : copy.blob();
  const text = await copy.text();
  try {
    return text === '' ? undefined : parse(text);
  } catch {
    throw new SyntaxError('must be JSON');
  }
}

function essenceOf(type: string): string {
  return (type.split(';', 1)[0] ?? '').trim().toLowerCase();
}

interface ResponseParts {
  readonly body: unknown;
  readonly headers: object | undefined;
  /** Whether the body is JSON already. */
  readonly isJson?: boolean;
}

/** Makes a response as the spec documents it for a status. */
function makeResponse(plan: HandlerPlan, status: number, { body, headers = {}, isJson }: ResponseParts): Response {
  const { types = {}, writers = {}, codecs = {} } = plan;
  const given = new Headers(headers as Record<string, string>);
  const [codec, documented] = [byStatus(codecs, status), byStatus(types, status)];
  const type = given.get('content-type') ?? documented ?? 'application/json';
  const isEmpty = status === 204 || status === 205 || status === 304 || body === undefined;
  const value = isJson === true || codec === undefined ? body : codec(body, 'encode');
  const writer = Object.hasOwn(writers, type) ? writers[type] : undefined;
  const [sent, sentType] = isEmpty ? [] : (writer ?? writeBody(plan))(value, type);
  if (!isEmpty && !given.has('content-type')) given.set('content-type', sentType ?? type);
  return new Response(sent ?? null, { status, headers: given });
}

function byStatus<Value>(all: Readonly<Record<string, Value>>, status: number): Value | undefined {
  const key = statusKeys(status).find((one) => Object.hasOwn(all, one));
  return key === undefined ? undefined : all[key];
}

/** Writes JSON, unless the body is a text of another type, a file or a stream. */
function writeBody({ stringify = JSON.stringify }: HandlerPlan): BodyWriter {
  return (body, type) => {
    const isText = typeof body === 'string' && !/[/+]json$/.test(essenceOf(type));
    const isBytes = typeof body === 'object' && body !== null && ('stream' in body || 'getReader' in body);
    if (isText || isBytes || body instanceof ArrayBuffer || ArrayBuffer.isView(body)) return [body as BodyInit, type];
    return [stringify(body), type];
  };
}

/** A number of a text, always the same (FNV-1a). */
function hash(text: string): number {
  let sum = 0x811c9dc5;
  for (let index = 0; index < text.length; index += 1) sum = Math.imul(sum ^ text.charCodeAt(index), 0x01000193);
  return sum >>> 0;
}

/** Puts values of the path into the members that repeat them. */
function withIds(body: unknown, ids: NonNullable<HandlerPlan['ids']>, raw: ReadonlyMap<string, string>): unknown {
  return Object.entries(ids).reduce(
    (made, [name, path]) => withMember(made, path, decodeText(raw.get(name) ?? '')),
    body,
  );
}

function withMember(value: unknown, [key, ...rest]: readonly string[], text: string): unknown {
  if (key === undefined)
    return typeof value === 'number'
      ? /^\d+$/.test(text)
        ? Number(text)
        : value
      : typeof value === 'string'
        ? text
        : value;
  if (typeof value !== 'object' || value === null || !Object.hasOwn(value, key)) return value;
  return { ...value, [key]: withMember((value as Record<string, unknown>)[key], rest, text) };
}
