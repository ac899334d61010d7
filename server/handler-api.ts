import type { Api, Operation } from '../model/api.js';
import type { JsonSchema } from './json-schema.js';
import type { Clock } from './sandbox/clock.js';
import type { AnswerBody, HeaderMap, MockRequest } from '../http/messages.js';
import type { QueryResult, StoreQuery, StoreIndex, VersionedItem } from './stores/store.js';

/** The types of the operations of an API, as `types.ts` of the generated output exports them (`SigningOperations`). */
export type OperationTypes = Readonly<
  Record<string, { readonly request: object; readonly response: AnyAnswer; readonly failure: AnyFailure }>
>;
export interface AnyAnswer {
  readonly status: number;
  readonly data: unknown;
}
export interface AnyFailure {
  readonly status: number;
  readonly body: unknown;
}

/** One collection of the state of a sandbox. Values are copies: change them and put them back, or `update`. */
export interface Collection<T> {
  get(id: string): Promise<T | undefined>;
  getVersioned(id: string): Promise<VersionedItem<T> | undefined>;
  put(id: string, value: T): Promise<void>;
  delete(id: string): Promise<boolean>;
  update(id: string, change: (value: T | undefined) => T | undefined): Promise<T | undefined>;
  query(query?: StoreQuery): Promise<QueryResult<T>>;
}

/** Who is calling: what the credential says, resolved against `--credentials` where that is given. */
export interface Caller {
  /** Identity for limits and inboxes: the key or token, `anonymous` without one. */
  readonly id: string;
  /**
   * Whose state it is: the key or token, unless `--credentials` names another account for it; `MASTER\\SUB` where a
   * master key acts on a sub account, with the account of that key as MASTER.
   */
  readonly account: string;
  readonly key?: string;
  readonly token?: string;
  readonly kind: 'anonymous' | 'user' | 'enterprise' | 'app-installation' | 'oauth-app' | 'workflow';
  readonly scopes: readonly string[];
  /** Names of the security schemes that were satisfied. */
  readonly schemes: readonly string[];
}

/** What every piece of behaviour can reach. */
export interface HandlerContext {
  readonly api: Api;
  /** The collection of that name, kept apart for each account where the definition says so. */
  collection<T>(name: string): Collection<T>;
  readonly clock: Clock;
  /** Deterministic by the sandbox's seed and what happened before. */
  readonly random: {
    uuid(): string;
    number(): number;
    integer(min: number, max: number): number;
    bytes(length: number): Uint8Array;
  };
  /** Counts up from 1 for each name; part of the state, so a snapshot keeps it. */
  next(counter: string): Promise<number>;
  /** Something of the sandbox that is no state, such as rate counters: made when it is first asked for, gone after a reset. */
  memory<T extends object>(key: string, make: () => T): T;
  /** Values of `--words`, `--engine-config` and the like. */
  readonly options: Readonly<Record<string, unknown>>;
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

type InputOf<Request> = Request extends unknown
  ? {
      readonly [K in keyof Request]-?:
        | Exclude<Request[K], undefined>
        | (undefined extends Request[K] ? undefined : never);
    }
  : never;

/** A request, whatever becomes of it: a call of an operation, an address that leads to none, the answer of a fault. */
export interface Visit extends HandlerContext {
  /** Absent where method and address lead to none. */
  readonly operation: Operation | undefined;
  readonly request: MockRequest;
  /** `anonymous` where the request has no credential that is accepted. */
  readonly caller: Caller;
  /** A refusal in words, in the error shape of the API. `details` are merged into the error object. */
  refuse(status: number, message: string, details?: Readonly<Record<string, unknown>>): HandlerResponse;
}

/** A call of one operation: validated input, and the ways to answer. */
export interface Call<Types extends OperationTypes[string]> extends Omit<Visit, 'refuse'> {
  readonly operation: Operation;
  /** Decoded and validated parameters and body, in the shape of the client's request type. */
  readonly input: InputOf<Types['request']>;
  /** An answer by a documented status; its body is checked against the spec like any other. */
  respond<Status extends Types['response']['status']>(
    status: Status,
    body: Extract<Types['response'], { status: Status }>['data'] | AnswerBody,
    headers?: HeaderMap,
  ): HandlerResponse;
  /** A refusal in words, in the error shape of the API (docs/writing-a-mock.md). `details` are merged into the error object. */
  refuse(
    status: Types['failure']['status'],
    message: string,
    details?: Readonly<Record<string, unknown>>,
  ): HandlerResponse;
}

/** Made by {@link Call.respond} and {@link Call.refuse} only. */
export interface HandlerResponse {
  readonly status: number;
  readonly body: AnswerBody | undefined;
  readonly headers: HeaderMap;
  /** Refusals of the mock itself are exempt from the check of the mock's own answers. */
  readonly refusal: boolean;
}

export type Handler<Types extends OperationTypes[string]> = (
  call: Call<Types>,
) => HandlerResponse | Promise<HandlerResponse>;

/** Something that the outside world does to the API, offered under `/__specmill/actions/{name}`. */
export interface Action<Input = unknown, Output = unknown> {
  readonly description: string;
  /** JSON Schema (2020-12) of the input. */
  readonly input: JsonSchema;
  /** @throws ActionRefusedError where the input names something unknown or a transition is refused (422). */
  readonly run: (context: HandlerContext, input: Input) => Output | Promise<Output>;
}

/** A live connection of a WebSocket operation. */
export interface Socket {
  readonly messages: AsyncIterable<string | Uint8Array>;
  send(message: string | Uint8Array): Promise<void>;
  close(code: number, reason: string): void;
}

export type SocketHandler<Types extends OperationTypes[string]> = (call: Call<Types>, socket: Socket) => Promise<void>;

/** The behaviour of an API, above what inference gives: whatever is not defined here is inferred from the spec. */
export interface MockDefinition<Types extends OperationTypes = OperationTypes> {
  /** Runs once before the mock serves: reads the files that options name. @throws InputError where one cannot be used. */
  readonly prepare?: (options: Readonly<Record<string, unknown>>) => void | Promise<void>;
  /** Fills the state at the start and at each reset. Runs once for each account that is first seen, where state is kept by account. */
  readonly seed?: (context: HandlerContext) => void | Promise<void>;
  readonly operations?: { readonly [Name in keyof Types]?: Handler<Types[Name]> };
  readonly sockets?: { readonly [Name in keyof Types]?: SocketHandler<Types[Name]> };
  /** Decides on a request that would open a WebSocket, before it opens: a refusal, or nothing to let it. */
  readonly handshakes?: {
    readonly [Name in keyof Types]?: (
      call: Call<Types[Name]>,
    ) => HandlerResponse | undefined | Promise<HandlerResponse | undefined>;
  };
  /** Operations that read their body themselves, by `call.request.stream()`: it may be of any size. */
  readonly streamed?: readonly (keyof Types & string)[];
  readonly actions?: Readonly<Record<string, Action<never>>>;
  /** What is due at a time, by the name under which it was scheduled. */
  readonly jobs?: Readonly<Record<string, (context: HandlerContext, payload: never) => void | Promise<void>>>;
  readonly indexes?: readonly StoreIndex[];
  /**
   * What the items of a collection are, by its name: a snapshot with one that is not is refused. JSON Schema (2020-12),
   * which names the schemas of the API as `#/$defs/Task`. Collections that are not here may hold anything.
   */
  readonly items?: Readonly<Record<string, JsonSchema>>;
  /**
   * `account`: each account has collections of its own. A function does so too, and gives one name for all names that
   * mean the same account; what it gives, it leaves as it is. Default: all callers of a sandbox share them.
   */
  readonly stateBy?: 'account' | 'sandbox' | ((account: string) => string);
  /** Runs around every operation, and around the refusal of a call. */
  readonly around?: (
    call: Call<OperationTypes[string]>,
    next: () => Promise<HandlerResponse>,
  ) => Promise<HandlerResponse>;
  /** Runs around every request, outside of `around` and of faults: limits, headers on every answer. */
  readonly aroundAll?: (visit: Visit, next: () => Promise<HandlerResponse>) => Promise<HandlerResponse>;
}

/** An action that the state does not allow, in words; answered as 422. */
export class ActionRefusedError extends Error {
  override readonly name = 'ActionRefusedError';
  /** What the input names is not there. Where state is kept by account, the action is then tried for the next account. */
  readonly isUnknown: boolean;

  constructor(message: string, options: { readonly isUnknown: boolean } = { isUnknown: false }) {
    super(message);
    this.isUnknown = options.isUnknown;
  }
}
