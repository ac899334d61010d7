import { HttpError } from '../http/http-error.js';
import type { Caller } from '../http/credentials/caller.js';
import type { ResponseBody, HeaderMap, MockRequest } from '../http/messages.js';
import type { Api, Operation } from '../model/api.js';
import type { Clock } from './sandbox/clock.js';
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

/** One collection of the state of a sandbox. Values are copies: change them and put them back, or `update`. */
export interface Collection<T> {
  get(id: string): Promise<T | undefined>;
  getVersioned(id: string): Promise<VersionedItem<T> | undefined>;
  put(id: string, value: T): Promise<void>;
  delete(id: string): Promise<boolean>;
  /** Reads, changes and writes in one step. The change may run again after another write; `undefined` deletes. */
  update(id: string, change: (value: T | undefined) => T | undefined): Promise<T | undefined>;
  query(query?: StoreQuery): Promise<QueryResult<T>>;
}

export type { Caller };

/** The context of handlers, jobs, actions and seeds. */
export interface HandlerContext {
  readonly api: Api;
  /** Address of this mock without a slash at the end; in a call the one that the caller used. */
  readonly baseUrl: string;
  /** The collection of that name, kept apart for each account where the definition says so. */
  readonly collection: <T>(name: string) => Collection<T>;
  readonly clock: Clock;
  /** Deterministic by the sandbox's seed and what happened before. */
  readonly random: {
    uuid(): string;
    number(): number;
    integer(min: number, max: number): number;
    bytes(length: number): Uint8Array;
  };
  /** Counts up from 1 for each name; part of the state, so a snapshot keeps it. */
  readonly next: (counter: string) => Promise<number>;
  /** An object of the sandbox that is not state, such as an open connection: made on first use, dropped by a reset. */
  readonly memory: <T extends object>(key: string, make: () => T) => T;
  /** A schema of the API by its name, or any schema that refers to those as `#/$defs/<name>`. */
  readonly schema: (schema: string | JsonSchema) => SchemaHandle;
  /** Values of options such as `--seed`, `--words` and `--engine-config`. */
  readonly options: Readonly<Record<string, unknown>>;
  /** The `config` that `prepare` of the definition returned. */
  readonly config: unknown;
  /**
   * The name that `--vendor` gives for a name with the word `vendor` or `engine` in it, in the same case style: a member
   * (`vendorSearch`), a header, a media type, a path or an enum value. The same name where there is no vendor.
   */
  readonly realName: (word: string) => string;
  /** Sends a callback of the API to a URL it was given: in order for each `queue`, with retries by the clock. Never throws. */
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
  /** An error that the mock itself writes: not checked against the spec. */
  readonly refusal: boolean;
}

type Details = Readonly<Record<string, unknown>>;

/** Any request: a call of an operation, or one whose address leads to none. */
export interface RequestContext extends HandlerContext {
  /** Absent where method and address lead to none. */
  readonly operation: Operation | undefined;
  readonly request: MockRequest;
  /** `anonymous` where the request has no credential that is accepted. */
  readonly caller: Caller;
  /** An error response in the error format of the API. `details` are merged into the error object. */
  refuse(status: number, message: string, details?: Details): HandlerResponse;
}

type InputOf<Request> = Request extends unknown
  ? {
      readonly [K in keyof Request]-?:
        | Exclude<Request[K], undefined>
        | (undefined extends Request[K] ? undefined : never);
    }
  : never;

/** The data of a response. The items of a stream can also be a list. */
type DataOf<Types extends OperationTypes[string], Status> = WithLists<
  Extract<Types['response'], { status: Status }>['data']
>;
type WithLists<Data> = Data extends AsyncIterable<infer Item> ? Data | readonly Item[] : Data;

/** A call of one operation: its input, which is valid, and the ways to respond. */
export interface Call<Types extends OperationTypes[string]> extends Omit<RequestContext, 'refuse'> {
  readonly operation: Operation;
  /** Decoded and validated parameters and body, in the shape of the client's request type. */
  readonly input: InputOf<Types['request']>;
  /** A response with a documented status; its body is checked against the spec. */
  respond<Status extends Types['response']['status']>(
    status: Status,
    body: DataOf<Types, Status> | ResponseBody,
    headers?: HeaderMap,
  ): HandlerResponse;
  /** As {@link RequestContext.refuse}, with a documented status. From a helper, throw an `HttpError`. */
  refuse(status: Types['failure']['status'], message: string, details?: Details): HandlerResponse;
  /**
   * Responds as the mock would without this handler: by the state that is inferred from the spec, else by an example.
   *
   * @param members - of the item that the call writes: they go before those of the request, and the spec need not know them
   * @throws HttpError if the request is refused
   */
  default(members?: Readonly<Record<string, unknown>>): Promise<HandlerResponse>;
}

export type Awaitable<T> = T | Promise<T>;

/** @throws HttpError to refuse the request */
export type Handler<Types extends OperationTypes[string]> = (call: Call<Types>) => Awaitable<HandlerResponse>;

/** Runs around every request, also around faults and requests that lead to no operation. Errors of `next` are responses. */
export type Middleware = (call: RequestContext, next: () => Promise<HandlerResponse>) => Promise<HandlerResponse>;

/** Something that the outside world does to the API, offered under `/__specmill/actions/{name}`. */
export interface Action<Input = unknown, Output = unknown> {
  readonly description: string;
  /** JSON Schema (2020-12) of the input. */
  readonly input: JsonSchema;
  /**
   * @throws HttpError to refuse the action, which responds 422. With status 404 what the input names does not exist:
   *   where state is kept by account, the next account is tried.
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

/** An action that the state does not allow. */
export class ActionRefusedError extends HttpError {
  constructor(message: string, { isUnknown }: { readonly isUnknown: boolean } = { isUnknown: false }) {
    super(isUnknown ? 404 : 422, message);
  }
}
