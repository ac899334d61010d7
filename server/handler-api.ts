import { HttpError } from '../http/http-error.js';
import type { Caller } from '../http/credentials/caller.js';
import type { ResponseBody, HeaderMap, MockRequest } from '../http/messages.js';
import type { Api, Operation } from '../model/api.js';
import type { Clock } from './sandbox/clock-types.js';
import type { JsonSchema, SchemaHandle } from './schema-handle.js';
import type { QueryResult, StoreQuery, VersionedItem } from './stores/store.js';

/** The types of the operations of an API, as `types.ts` of the generated output exports them (`SigningOperations`). */
export type OperationTypes = Readonly<
  Record<
    string,
    {
      readonly request: object;
      readonly response: { readonly status: number; readonly data: unknown };
      readonly failure: { readonly status: number; readonly body: unknown };
    }
  >
>;

/** One collection of a sandbox's state. Values are copies: change one and `put` it back, or use `update`. */
export interface Collection<T> {
  get(id: string): Promise<T | undefined>;
  getVersioned(id: string): Promise<VersionedItem<T> | undefined>;
  put(id: string, value: T): Promise<void>;
  delete(id: string): Promise<boolean>;
  /**
   * Reads, changes and writes atomically. `change` reruns if another write came between; returning `undefined` deletes.
   */
  update(id: string, change: (value: T | undefined) => T | undefined): Promise<T | undefined>;
  query(query?: StoreQuery): Promise<QueryResult<T>>;
}

export type { Caller };

/** The context of handlers, jobs, actions and seeds. */
export interface HandlerContext {
  readonly api: Api;
  /** The mock's URL without a trailing slash; in a call, the one that the caller used. */
  readonly baseUrl: string;
  /** Opens the collection of that name, which is per account if the definition's `stateBy` says so. */
  readonly collection: <T>(name: string) => Collection<T>;
  readonly clock: Clock;
  /** Deterministic: the values depend on the sandbox's seed and on earlier calls only. */
  readonly random: {
    uuid(): string;
    number(): number;
    integer(min: number, max: number): number;
    bytes(length: number): Uint8Array;
  };
  /** Increments the named counter and returns it, from 1. Counters are state, so snapshots contain them. */
  readonly next: (counter: string) => Promise<number>;
  /** Returns an object that is not state, such as an open connection. Made on first use, dropped by a reset. */
  readonly memory: <T extends object>(key: string, make: () => T) => T;
  /** Opens a named schema of the API, or any schema; it may refer to named ones as `#/$defs/<name>`. */
  readonly schema: (schema: string | JsonSchema) => SchemaHandle;
  /** Values of options such as `seed`, `words` and `engineConfig`. */
  readonly options: Readonly<Record<string, unknown>>;
  /** The `config` returned by the definition's `prepare`. */
  readonly config: unknown;
  /**
   * Replaces `vendor` or `engine` in a name by the real name from `--vendor`, in the same case style. The name may be
   * that of a member (`vendorSearch`), header or media type, a path, or an enum value. Without a vendor, returns the
   * name unchanged.
   */
  readonly realName: (word: string) => string;
  /** Sends a callback of the API. Each `queue` is delivered in order, with retries by the clock. Never throws. */
  readonly sendCallback: (callback: {
    readonly url: string;
    readonly queue: string;
    readonly body: unknown;
    readonly headers?: HeaderMap;
  }) => Promise<void>;
}

/** A response of a handler, made by {@link Call.respond}, {@link Call.default} or {@link RequestContext.refuse}. */
export interface HandlerResponse {
  readonly status: number;
  readonly body: ResponseBody | undefined;
  readonly headers: HeaderMap;
  /** Whether this is an error that the mock itself writes; it is not checked against the spec. */
  readonly refusal: boolean;
  /** The reason of a refusal whose body cannot say it, for the journal. */
  readonly reason?: string;
}

type Details = Readonly<Record<string, unknown>>;

/** Any request, whether or not it matches an operation. */
export interface RequestContext extends HandlerContext {
  /** `undefined` if no operation has this method and path. */
  readonly operation: Operation | undefined;
  readonly request: MockRequest;
  /** `anonymous` if the request has no accepted credential. */
  readonly caller: Caller;
  /** Makes an error response in the API's error format. `details` are merged into the error object. */
  refuse(status: number, message: string, details?: Details): HandlerResponse;
}

type InputOf<Request> = Request extends unknown
  ? {
      readonly [K in keyof Request]-?:
        | Exclude<Request[K], undefined>
        | (undefined extends Request[K] ? undefined : never);
    }
  : never;

/** The data of a response. A handler may give the items of a stream as a list. */
type DataOf<Types extends OperationTypes[string], Status> = WithLists<
  // Without generated types, any status may have any data.
  number extends Types['response']['status']
    ? Types['response']['data']
    : Extract<Responded<Types>, { status: Status }>['data']
>;
/** A documented 3xx. A client throws it, but a handler responds with it. */
type Redirected<Failure> = Failure extends {
  readonly status: 300 | 301 | 302 | 303 | 304 | 305 | 307 | 308;
  readonly body: infer Body;
}
  ? { readonly status: Failure['status']; readonly data: Body }
  : never;
/** The responses of a handler that refuses nothing. */
type Responded<Types extends OperationTypes[string]> = Types['response'] | Redirected<Types['failure']>;
type WithLists<Data> = Data extends AsyncIterable<infer Item> ? Data | readonly Item[] : Data;

/** A call of one operation, with its validated input and the ways to respond. */
export interface Call<Types extends OperationTypes[string]> extends Omit<RequestContext, 'refuse'> {
  readonly operation: Operation;
  /** Decoded and validated parameters and body, in the shape of the client's request type. */
  readonly input: InputOf<Types['request']>;
  /** Makes a response with a documented status. Its body is checked against the spec. */
  respond<Status extends Responded<Types>['status']>(
    status: Status,
    body: DataOf<Types, Status> | ResponseBody,
    headers?: HeaderMap,
  ): HandlerResponse;
  /** Like {@link RequestContext.refuse}, with a documented status. Functions without the call throw an `HttpError`. */
  refuse(status: Types['failure']['status'], message: string, details?: Details): HandlerResponse;
  /**
   * Responds as the mock would without this handler: from the inferred state, or else with an example.
   *
   * @param members - override the request's members in the item that the call writes; the spec need not define them
   * @throws HttpError if the request is refused
   */
  default(members?: Readonly<Record<string, unknown>>): Promise<HandlerResponse>;
}

export type Awaitable<T> = T | Promise<T>;

/** Handles the calls of an operation. @throws HttpError to refuse a request */
export type Handler<Types extends OperationTypes[string]> = (call: Call<Types>) => Awaitable<HandlerResponse>;

/** Runs around every request, including faults and unknown operations. `next` never throws: errors are responses. */
export type Middleware = (call: RequestContext, next: () => Promise<HandlerResponse>) => Promise<HandlerResponse>;

/** Something that the outside world does to the API, offered under `/__specmill/actions/{name}`. */
export interface Action<Input = unknown, Output = unknown> {
  readonly description: string;
  /** JSON Schema (2020-12) of the input. */
  readonly input: JsonSchema;
  /**
   * @throws HttpError to refuse the action; the response is 422. Status 404 means that the input names something that
   *   does not exist: with state per account, the next account is tried.
   */
  readonly run: (context: HandlerContext, input: Input) => Awaitable<Output>;
}

/** A live connection of a WebSocket operation. */
export interface Socket {
  readonly messages: AsyncIterable<string | Uint8Array>;
  send(message: string | Uint8Array): Promise<void>;
  close(code: number, reason: string): void;
}

export type SocketHandler<Types extends OperationTypes[string]> = (call: Call<Types>, socket: Socket) => Promise<void>;

/** Refuses an action that the state does not allow, or (`isUnknown`) whose target does not exist. */
export class ActionRefusedError extends HttpError {
  constructor(message: string, { isUnknown }: { readonly isUnknown: boolean } = { isUnknown: false }) {
    super(isUnknown ? 404 : 422, message);
  }
}
