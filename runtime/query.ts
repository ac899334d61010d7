import type { CallOptions, ClientContext } from './context.js';

/** The context of queries: that of the client, and how results are kept apart and repeated. */
export type QueryContext<Context extends ClientContext = ClientContext> = Context & {
  /** Keeps the results of two accounts, tenants or servers apart in one cache. */
  readonly queryScope?: string | undefined;
  /** `false`: the context does not retry, so the query library does. */
  readonly retry?: unknown;
};

/** The part of a key after the name of the API. */
export interface QueryKeyPart<Op extends string = string> {
  readonly op: Op;
  /** As in the spec. */
  readonly tags?: readonly string[];
  /** Each tag, so that a filter by one of several matches. */
  readonly tag?: Readonly<Record<string, true>>;
  readonly scope?: string;
  /** Whether the query has the pages of a list. */
  readonly infinite?: true;
  readonly path?: unknown;
  readonly query?: unknown;
  readonly headers?: unknown;
  readonly body?: unknown;
}

/** What keys say of an operation. */
export interface QueryOperation<Op extends string = string> {
  readonly op: Op;
  readonly tags?: readonly string[];
}

/** The data of a query, which may not be `undefined`. */
export type QueryData<Data> = undefined extends Data ? Exclude<Data, undefined> | null : Data;

/** Options of a call that a query library makes: it sets the signal. */
export type QueryCallOptions = Omit<CallOptions, 'signal'>;

/** The groups of a request that a key has. Cookies and the context are not in it: they may have credentials. */
const GROUPS = ['path', 'query', 'headers', 'body'] as const;

/**
 * The part of a key for a call: the operation, and the values of the request as JSON.
 *
 * @param secrets - names of parameters with credentials, which are left out.
 */
export function keyPart<Op extends string>(
  { op, tags }: QueryOperation<Op>,
  request: unknown,
  context: { readonly queryScope?: string | undefined } | undefined,
  secrets?: readonly string[],
): QueryKeyPart<Op> {
  const part: Record<string, unknown> = { op };
  if (tags) Object.assign(part, { tags, tag: Object.fromEntries(tags.map((name) => [name, true])) });
  if (context?.queryScope !== undefined) part['scope'] = context.queryScope;
  if (typeof request === 'object' && request !== null)
    for (const group of GROUPS) {
      const value = plainValue((request as Record<string, unknown>)[group], group === 'body' ? undefined : secrets);
      if (value !== undefined) part[group] = value;
    }
  return part as unknown as QueryKeyPart<Op>;
}

/** A value as a cache can hash and write it: dates and long integers as text, without functions and files. */
function plainValue(value: unknown, without?: readonly string[]): unknown {
  if (typeof value === 'bigint') return String(value);
  if (typeof value !== 'object' || value === null) return typeof value === 'function' ? undefined : value;
  if ('toJSON' in value && typeof value.toJSON === 'function') return (value.toJSON as () => unknown)();
  if (Array.isArray(value)) return value.map((item) => plainValue(item));
  const prototype: unknown = Object.getPrototypeOf(value);
  if (prototype !== Object.prototype && prototype !== null) return undefined;
  const members = Object.entries(value).filter(([name]) => without?.includes(name) !== true);
  return Object.fromEntries(members.map(([name, member]) => [name, plainValue(member)]));
}

/** The client retries already, so the query library must not, unless the context says that it does not retry. */
export function retryOf(context: { readonly retry?: unknown }): { readonly retry?: false } {
  return context.retry === false ? {} : { retry: false };
}

/** What a query library calls to read. */
export type Read<Data = never> = (call: {
  readonly signal: AbortSignal;
  readonly pageParam?: unknown;
}) => Promise<Data>;

/** The data of a call. No data is `null`, because a query library takes `undefined` for a mistake. */
export async function readData(call: Promise<unknown>): Promise<never> {
  // Cast: it is a call of an operation, and the caller knows the type of its data.
  return ((await (call as Promise<{ readonly data: unknown }>)).data ?? null) as never;
}

/** Returns the function that reads, or the `skipToken` that was passed instead of a request. */
export function unlessSkipped(request: unknown, read: Read): Read | symbol {
  return typeof request === 'symbol' ? request : read;
}
