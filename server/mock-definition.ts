import type { Api } from '../model/api.js';
import type { CompressionLevel } from '../http/wire/compress-response.js';
import type {
  Action,
  Awaitable,
  Call,
  Handler,
  HandlerContext,
  HandlerResponse,
  Middleware,
  OperationTypes,
  SocketHandler,
} from './handler-api.js';
import type { ResourceHooks } from './resource-hooks.js';
import type { JsonSchema } from './schema-handle.js';
import type { StoreIndex } from './stores/store.js';
import type { CorsRule } from './transport/origins.js';

/** The input of {@link MockDefinition.prepare} beside the options. */
export interface MockSetup extends Pick<HandlerContext, 'realName'> {
  /** The API as its spec describes it. */
  readonly api: Api;
}

/** The result of preparing a mock before it serves. */
export interface PreparedMock {
  /** The API as this mock serves it, such as at other paths. Default: as its spec describes it. */
  readonly api?: Api;
  /** Handed to behaviour as `context.config`. */
  readonly config?: unknown;
  /** Files that were read: absolute paths. A change of one of them makes another mock. */
  readonly files?: readonly string[];
  /** Origins whose pages may read responses, where the option `cors` is not given. */
  readonly cors?: CorsRule;
  /** How hard responses are compressed for clients that take it. Default: `none`. */
  readonly compression?: CompressionLevel;
}

/** The behaviour of an API, above what inference gives: whatever is not defined here is inferred from the spec. */
export interface MockDefinition<Types extends OperationTypes = OperationTypes> {
  /** Runs once before the mock serves: reads the files that options name. @throws InputError for one that is not usable */
  readonly prepare?: (options: Readonly<Record<string, unknown>>, setup: MockSetup) => Awaitable<PreparedMock | void>;
  /** Fills the state at the start and at each reset; where state is kept by account, once for each new account. */
  readonly seed?: (context: HandlerContext) => Awaitable<void>;
  readonly operations?: { readonly [Name in keyof Types]?: Handler<Types[Name]> };
  /** Hooks on inferred resources, by the name of the schema of their items. */
  readonly resources?: Readonly<Record<string, ResourceHooks<never>>>;
  readonly middleware?: Middleware;
  readonly sockets?: { readonly [Name in keyof Types]?: SocketHandler<Types[Name]> };
  /** Decides on a request that would open a WebSocket, before it opens: a refusal, or `undefined` to let it open. */
  readonly handshakes?: {
    readonly [Name in keyof Types]?: (call: Call<Types[Name]>) => Awaitable<HandlerResponse | undefined>;
  };
  /** Operations that read their body themselves, by `call.request.stream()`: it may be of any size. */
  readonly streamed?: readonly (keyof Types & string)[];
  readonly actions?: Readonly<Record<string, Action<never>>>;
  /** Handlers of the jobs that `clock.schedule` plans, by name. */
  readonly jobs?: Readonly<Record<string, (context: HandlerContext, payload: never) => Awaitable<void>>>;
  readonly indexes?: readonly StoreIndex[];
  /**
   * JSON Schemas of the items of collections: a snapshot whose items break them is refused. Inferred collections have the
   * schema of their resource; others may hold anything.
   */
  readonly items?: Readonly<Record<string, JsonSchema>>;
  /**
   * `account`: each account has its own collections. A function also separates accounts, and returns one name for all
   * names of the same account; its result must map to itself. Default: all callers of a sandbox share the state.
   */
  readonly stateBy?: 'account' | 'sandbox' | ((account: string) => string);
}
