import type { CallOptions, RequestValues } from './context.js';
import { ApiError, type HeaderValues } from './errors.js';

/** The place of the expiry time in a value. */
export interface ExpiryRule {
  /** The member with the expiry time, or one that expires some time after the time in `from`. */
  readonly member: string;
  /** The member with the start time. */
  readonly from?: string;
  /** Lifetime in milliseconds. */
  readonly after?: number;
  /** Milliseconds per unit of a numeric time. Default: 1000. */
  readonly unit?: number;
}

/** When a value expires; `undefined` if it has no expiry time. A time without a zone is UTC. */
export function readExpiry(
  value: object,
  { member, from = member, after = 0, unit = 1000 }: ExpiryRule,
): Date | undefined {
  const given = new Map<string, unknown>(Object.entries(value));
  const start = given.get(member) == null ? undefined : readTime(given.get(from), unit);
  return start === undefined || Number.isNaN(start) ? undefined : new Date(start + after);
}

/** Whether a time has passed. `undefined` never passes. */
export function isPast(time: Date | undefined, now: Date | number = Date.now()): boolean {
  return time !== undefined && time.getTime() <= Number(now);
}

function readTime(time: unknown, unit: number): number | undefined {
  if (typeof time === 'number') return time * unit;
  if (typeof time !== 'string' || time === '') return undefined;
  if (/^-?\d+$/.test(time)) return Number(time) * unit;
  const clock = time.slice(time.indexOf('T') + 1);
  return Date.parse(!time.includes('T') || /(?:Z|[+-]\d\d:?\d\d)$/i.test(clock) ? time : `${time}Z`);
}

/** The headers that control polling. Response headers are in lower case. */
export interface PollPlan {
  /** Response header: seconds until the next poll. */
  readonly interval: string;
  /** Response header whose value is sent with the next poll. */
  readonly validator: string;
  /** Request header for that value. */
  readonly condition: string;
}

/** Options of polling. */
export interface PollOptions extends CallOptions, Timers {
  /** The validator of the last response of an earlier run, unmodified. Only later changes are returned. */
  readonly since?: string | undefined;
  /** Milliseconds between polls until the server sets another interval. Default: a minute. */
  readonly interval?: number | undefined;
}

/** The request and the options of polling. */
export interface PollArguments<Request> {
  readonly request: Request | undefined;
  readonly options: PollOptions | undefined;
}

/**
 * Polls as often as the server allows, and yields each new response: first the current state, then every change. Ends when
 * the loop is left or the signal aborts it. Responses with 304 (nothing changed) are skipped.
 *
 * @throws ApiError, NetworkError and TimeoutError of the call. Pass `since` to continue.
 */
export async function* pollChanges<
  Request extends RequestValues,
  Result extends { readonly status: number; readonly headers: HeaderValues },
>(
  call: (request: Request, options: CallOptions) => Promise<Result>,
  plan: PollPlan,
  { request, options = {} }: PollArguments<Request>,
): AsyncGenerator<Extract<Result, { readonly status: 200 }>, void, undefined> {
  let { since, interval = 60_000 } = options;
  for (;;) {
    const condition = since === undefined ? {} : { [plan.condition]: since };
    const response = await call(
      { ...request, headers: { ...request?.headers, ...condition } } as unknown as Request,
      options,
    );
    const receivedAt = timeOf(options);
    since = response.headers[plan.validator] ?? since;
    const seconds = Number(response.headers[plan.interval]);
    if (seconds > 0) interval = seconds * 1000;
    if (response.status !== 304) yield response as Extract<Result, { readonly status: 200 }>;
    const left = receivedAt + interval - timeOf(options);
    if (left > 0) await wait(left, options, options.signal);
  }
}

/** The members that only the server sets, by schema name. */
export type ReadOnlyMembers = Readonly<Record<string, ReadOnlyRule>>;

interface ReadOnlyRule {
  readonly drop?: readonly string[];
  /** Members that contain read-only members, with the names of their schemas; `*` for all others. */
  readonly inside?: Readonly<Record<string, string>>;
}

/** How the response of the read becomes the request of the write. */
export interface ChangePlan {
  /** JSON pointer to the value in the response body. Default: the whole body. */
  readonly from?: string;
  /** JSON pointer to its place in the request body. Default: the whole body. */
  readonly to?: string;
  /** Values copied from the read request to the write request, as JSON pointers. */
  readonly copy: readonly (readonly [from: string, to: string])[];
  /** The place of the entity tag, and the header of the conditional write. */
  readonly etag?: { readonly header?: string; readonly pointer?: string; readonly condition: string };
  /** Statuses of a conflict with another writer. */
  readonly conflict: readonly number[];
  readonly readOnly?: ReadOnlyMembers;
  /** The schema of the changed value. */
  readonly schema?: string;
}

/** Options of a change. */
export interface ChangeOptions extends CallOptions {
  /** How often to start again after a conflict with another writer. Default: 3. */
  readonly retries?: number | undefined;
}

interface ReadResponse {
  readonly data: unknown;
  readonly headers: HeaderValues;
}

/** The two calls of a change. */
export interface ChangeCalls<Read, Write, Result> {
  readonly read: (request: Read) => Promise<ReadResponse>;
  readonly write: (request: Write) => Promise<Result>;
}

/** The request, the change and the options. */
export interface ChangeArguments<Read, Draft> {
  readonly request: Read;
  readonly change: (draft: Draft) => Draft | void | Promise<Draft | void>;
  readonly options: ChangeOptions | undefined;
}

/**
 * Reads, changes and writes. Members that the change does not touch are written back unchanged; members that only the
 * server sets are removed. After a conflict with another writer, it reads again and repeats the change.
 *
 * @throws ApiError of either call; after repeated conflicts, the one of the last write.
 */
export async function readChangeWrite<Read extends RequestValues, Write extends RequestValues, Draft, Result>(
  { read, write }: ChangeCalls<Read, Write, Result>,
  plan: ChangePlan,
  { request, change, options = {} }: ChangeArguments<Read, Draft>,
): Promise<Result> {
  for (let retries = options.retries ?? 3; ; retries -= 1) {
    const response = await read(request);
    const draft = dropReadOnly(
      // The server may omit an empty value; the change can still fill it.
      readPointer(response.data, plan.from ?? '') ?? {},
      plan.readOnly ?? {},
      plan.schema ?? '',
    ) as Draft;
    const changed = (await change(draft)) ?? draft;
    options.signal?.throwIfAborted();
    let written = writePointer({}, `/body${plan.to ?? ''}`, changed);
    for (const [from, to] of plan.copy) {
      const value = readPointer(request, from);
      if (value !== undefined) written = writePointer(written, to, value);
    }
    const etag = findTag(response, plan);
    if (etag !== undefined) written = writePointer(written, `/headers/${plan.etag?.condition}`, etag);
    try {
      return await write(written as Write);
    } catch (error) {
      if (!(error instanceof ApiError) || !plan.conflict.includes(error.status) || retries <= 0) throw error;
    }
  }
}

function findTag({ data, headers }: ReadResponse, { etag }: ChangePlan): unknown {
  return etag?.pointer === undefined ? headers[etag?.header ?? ''] : readPointer(data, etag.pointer);
}

/** Copies a value without the members that only the server sets. */
function dropReadOnly(value: unknown, rules: ReadOnlyMembers, schema: string): unknown {
  if (Array.isArray(value)) return value.map((item) => dropReadOnly(item, rules, schema));
  // Dates, files and similar objects are kept whole.
  if (typeof value !== 'object' || value === null || Symbol.toStringTag in value || value instanceof Date) return value;
  const { drop, inside = {} } = (Object.hasOwn(rules, schema) ? rules[schema] : undefined) ?? {};
  const members = Object.entries(value).filter(([name]) => !drop?.includes(name));
  const next = (name: string): string => (Object.hasOwn(inside, name) ? inside[name] : inside['*']) ?? '';
  return Object.fromEntries(members.map(([name, member]) => [name, dropReadOnly(member, rules, next(name))]));
}

/** The value at a JSON pointer (RFC 6901), or `undefined`. */
export function readPointer(value: unknown, pointer: string): unknown {
  return segments(pointer).reduce<unknown>(
    (here, key) =>
      typeof here === 'object' && here !== null && Object.hasOwn(here, key)
        ? (here as Record<string, unknown>)[key]
        : undefined,
    value,
  );
}

/** A copy of a value with this member at the pointer; missing objects on the way are created. */
export function writePointer(value: unknown, pointer: string, member: unknown): unknown {
  return write(value, segments(pointer), member);
}

function write(value: unknown, [key, ...rest]: readonly string[], member: unknown): unknown {
  if (key === undefined) return member;
  const next = write(readPointer(value, `/${escape(key)}`), rest, member);
  // A computed key defines an own member, even for `__proto__`.
  return { ...(value as object | undefined), [key]: next };
}

function segments(pointer: string): string[] {
  return pointer
    .split('/')
    .slice(1)
    .map((segment) => segment.replace(/~1/g, '/').replace(/~0/g, '~'));
}

function escape(segment: string): string {
  return segment.replace(/~/g, '~0').replace(/\//g, '~1');
}

/** Replaces the clock of the platform, for tests. */
export interface Timers {
  /** Waits; rejects with the reason of the signal if it aborts first. */
  readonly sleep?: ((milliseconds: number, signal: AbortSignal | undefined) => Promise<void>) | undefined;
  /** Milliseconds since 1970. */
  readonly now?: (() => number) | undefined;
}

/** Waits; rejects with the reason of the signal if it aborts first. */
export async function wait(milliseconds: number, timers: Timers, signal: AbortSignal | undefined): Promise<void> {
  signal?.throwIfAborted();
  if (timers.sleep !== undefined) return timers.sleep(milliseconds, signal);
  // Timers are limited to 31 bits; a longer one would fire at once.
  for (let left = milliseconds; left > 0; left -= LONGEST) await sleep(Math.min(left, LONGEST), signal);
}

/** The current time in milliseconds since 1970. */
export function timeOf(timers: Timers): number {
  return (timers.now ?? Date.now)();
}

const LONGEST = 0x7fffffff;

function sleep(milliseconds: number, signal: AbortSignal | undefined): Promise<void> {
  return new Promise((resolve, reject) => {
    const abort = (): void => {
      clearTimeout(timer);
      reject(signal?.reason as Error);
    };
    const timer = setTimeout(() => {
      signal?.removeEventListener('abort', abort);
      resolve();
    }, milliseconds);
    signal?.addEventListener('abort', abort, { once: true });
  });
}

/** How a webhook is read. */
export interface WebhookPlan {
  /** Header with the signature: an HMAC of the body. */
  readonly signature?: string;
  /** The kinds of the documented headers and query parameters, by name. */
  readonly headers?: ValueKinds;
  readonly query?: ValueKinds;
  /** Loads the validator of the whole request. */
  readonly validator?: () => Promise<(request: unknown) => WebhookResult>;
}

type ValueKinds = Readonly<Record<string, 'string' | 'number' | 'boolean'>>;

interface WebhookResult {
  readonly ok: boolean;
  readonly errors?: readonly { readonly pointer: string; readonly message: string }[] | undefined;
}

/** Options for reading webhooks. */
export interface WebhookOptions {
  /**
   * The secret of the signature. Required if the API description has a signature; `false` if the signature is checked
   * elsewhere.
   */
  readonly secret?: string | Uint8Array | false | undefined;
  /** Header of the signature. Default: as the API description says. */
  readonly header?: string | undefined;
  /** Default: `'SHA-256'`. */
  readonly algorithm?: 'SHA-1' | 'SHA-256' | 'SHA-384' | 'SHA-512' | undefined;
  /** The text that is signed, such as a timestamp and the body. Default: the body. */
  readonly content?: ((body: string, headers: Headers) => string) | undefined;
  /** `false`: the request is not validated. */
  readonly validate?: boolean | undefined;
}

/** A request that is not a genuine and valid webhook. */
export class WebhookError extends Error {
  override readonly name: string = 'WebhookError';
  /** `signature`: respond with 401; otherwise with 400. */
  readonly reason: 'signature' | 'body' | 'invalid';

  constructor(reason: WebhookError['reason'], message: string, options?: ErrorOptions) {
    super(message, options);
    this.reason = reason;
  }
}

/**
 * Reads an incoming webhook: checks its signature, parses it, and validates it.
 *
 * @throws WebhookError if it is not signed with the secret, cannot be parsed or is invalid.
 * @throws TypeError if the API description has a signature and there is no secret, and for an unknown name.
 */
export async function readWebhook<Result>(
  name: string,
  plans: Readonly<Record<string, WebhookPlan>>,
  { request, options = {} }: { readonly request: Request; readonly options: WebhookOptions | undefined },
): Promise<Result> {
  const plan = Object.hasOwn(plans, name) ? plans[name] : undefined;
  if (plan === undefined) throw new TypeError(`There is no webhook ${name}.`);
  const header = options.header ?? plan.signature;
  const bytes = await request.arrayBuffer();
  const text = new TextDecoder().decode(bytes);
  if (header !== undefined && options.secret !== false) {
    if (options.secret === undefined || options.secret.length === 0)
      throw new TypeError(`The webhook ${name} needs the secret of its signature.`);
    const content = options.content?.(text, request.headers);
    const signed = content === undefined ? new Uint8Array(bytes) : new TextEncoder().encode(content);
    const isGenuine = await verify(request.headers.get(header) ?? '', signed, { ...options, secret: options.secret });
    if (!isGenuine) throw new WebhookError('signature', `The webhook ${name} is not signed with the secret.`);
  }
  const values = readValues(name, text, { request, plan });
  const validate = options.validate === false ? undefined : await plan.validator?.();
  const [error] = validate?.(values).errors ?? [];
  if (error !== undefined)
    throw new WebhookError('invalid', `The webhook ${name} is invalid: ${error.pointer} ${error.message}.`);
  return values as Result;
}

interface Key {
  readonly secret: string | Uint8Array;
  readonly algorithm?: WebhookOptions['algorithm'];
}

/** Whether one of the signatures in a header is valid. They are compared in constant time. */
async function verify(header: string, signed: Uint8Array, { secret, algorithm = 'SHA-256' }: Key): Promise<boolean> {
  const secretBytes = typeof secret === 'string' ? new TextEncoder().encode(secret) : secret;
  const key = await crypto.subtle.importKey(
    'raw',
    secretBytes as BufferSource,
    { name: 'HMAC', hash: algorithm },
    false,
    ['verify'],
  );
  // Services write `sha256=…`, `t=…,v1=…` or `v1,…`, and several signatures while a secret is replaced.
  for (const word of header.split(/[\s,]/).slice(0, 20)) {
    const signature = decodeSignature(word.replace(/^(?:sha\d{1,3}|v\d{1,3})=/i, ''));
    if (signature === undefined) continue;
    if (await crypto.subtle.verify('HMAC', key, signature as BufferSource, signed as BufferSource)) return true;
  }
  return false;
}

/** The bytes of a signature in hexadecimal digits, or in Base64. */
function decodeSignature(text: string): Uint8Array | undefined {
  // The shortest digest has 20 bytes: that is 40 digits, or 28 characters of Base64.
  if (/^[\da-f]{40,128}$/i.test(text)) {
    const pairs = text.match(/../g) ?? [];
    return Uint8Array.from(pairs, (pair) => Number.parseInt(pair, 16));
  }
  const base64 = text.replaceAll('-', '+').replaceAll('_', '/');
  if (!/^[\w+/]{27,88}={0,2}$/.test(base64)) return undefined;
  try {
    return Uint8Array.from(atob(base64), (char) => char.charCodeAt(0));
  } catch {
    return undefined;
  }
}

function readValues(
  name: string,
  text: string,
  { request, plan }: { readonly request: Request; readonly plan: WebhookPlan },
): object {
  const { searchParams } = new URL(request.url);
  return {
    body: parseBody(name, text, request.headers.get('content-type') ?? ''),
    ...(plan.headers === undefined ? {} : { headers: pick(plan.headers, (key) => request.headers.get(key)) }),
    ...(plan.query === undefined ? {} : { query: pick(plan.query, (key) => searchParams.get(key)) }),
  };
}

function parseBody(name: string, text: string, contentType: string): unknown {
  if (text === '') return undefined;
  const essence = (contentType.split(';', 1)[0] ?? '').trim().toLowerCase();
  if (essence === 'application/x-www-form-urlencoded') {
    const form = new Map<string, string>();
    new URLSearchParams(text).forEach((value, key) => form.set(key, value));
    return Object.fromEntries(form);
  }
  if (essence.startsWith('text/')) return text;
  try {
    return JSON.parse(text) as unknown;
  } catch (cause) {
    throw new WebhookError('body', `The body of the webhook ${name} is not JSON.`, { cause });
  }
}

function pick(kinds: ValueKinds, read: (name: string) => string | null): object {
  const entries = Object.entries(kinds).flatMap(([name, kind]): [string, unknown][] => {
    const text = read(name);
    if (text === null) return [];
    if (kind === 'number' && text.trim() !== '' && !Number.isNaN(Number(text))) return [[name, Number(text)]];
    return [[name, kind === 'boolean' && /^(?:true|false)$/i.test(text) ? text.toLowerCase() === 'true' : text]];
  });
  return Object.fromEntries(entries);
}
