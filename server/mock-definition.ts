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
import type { DataCollection } from './data/data-collection.js';
import type { ResourceHooks } from './resource-hooks.js';
import type { JsonSchema } from './schema-handle.js';
import type { StoreIndex } from './stores/store.js';
import type { CorsRule } from './transport/origins.js';

/** The second argument of {@link MockDefinition.prepare}. */
export interface MockSetup extends Pick<HandlerContext, 'realName'> {
  /** The API as the spec describes it. */
  readonly api: Api;
}

/** The argument of {@link MockDefinition.data}. */
export interface DataSetup {
  /** The API that the mock serves. */
  readonly api: Api;
  /** The `config` returned by `prepare`. */
  readonly config: unknown;
  readonly seed: number;
}

/** The result of {@link MockDefinition.prepare}. */
export interface PreparedMock {
  /** The API that the mock serves, such as one with other paths. Default: as the spec describes it. */
  readonly api?: Api;
  /** Passed to handlers, jobs, actions and seeds as `context.config`. */
  readonly config?: unknown;
  /** Absolute paths of the files that were read. If one changes, the mock is out of date. */
  readonly files?: readonly string[];
  /** Origins whose pages may read responses, unless the option `cors` is given. */
  readonly cors?: CorsRule;
  /** How strongly responses are compressed for clients that accept it. Default: `none`. */
  readonly compression?: CompressionLevel;
}

/** The behaviour of a mock. Everything that is not defined here is inferred from the spec. */
export interface MockDefinition<Types extends OperationTypes = OperationTypes> {
  /** Runs once before the mock serves, to read the files that options name. @throws InputError if one is unusable */
  readonly prepare?: (options: Readonly<Record<string, unknown>>, setup: MockSetup) => Awaitable<PreparedMock | void>;
  /**
   * Checks a document of the spec beyond its schema, for `specmill validate`: what `prepare` would refuse.
   *
   * @throws InputError or SpecError for a file that the mock does not serve
   */
  readonly checkDocument?: (file: string, setup: MockSetup) => Awaitable<void>;
  /** Fills the state at the start and after each reset; with state per account, once for each new account. */
  readonly seed?: (context: HandlerContext) => Awaitable<void>;
  readonly operations?: { readonly [Name in keyof Types]?: Handler<Types[Name]> };
  /** Hooks on inferred resources, by the schema name of their items. */
  readonly resources?: Readonly<Record<string, ResourceHooks<never>>>;
  readonly middleware?: Middleware;
  readonly sockets?: { readonly [Name in keyof Types]?: SocketHandler<Types[Name]> };
  /** Runs before a WebSocket opens. Returns a refusal, or `undefined` to let it open. */
  readonly handshakes?: {
    readonly [Name in keyof Types]?: (call: Call<Types[Name]>) => Awaitable<HandlerResponse | undefined>;
  };
  /** Operations that read their body with `call.request.stream()`. Such bodies may have any size. */
  readonly streamed?: readonly (keyof Types & string)[];
  readonly actions?: Readonly<Record<string, Action<never>>>;
  /** Handlers of the jobs that `clock.schedule` plans, by name. */
  readonly jobs?: Readonly<Record<string, (context: HandlerContext, payload: never) => Awaitable<void>>>;
  /** @deprecated Stores make the indexes that queries need on first use. */
  readonly indexes?: readonly StoreIndex[];
  /**
   * JSON Schemas of items, by collection. A snapshot with invalid items is refused. Inferred collections have the
   * schema of their resource; the items of other collections are not checked.
   */
  readonly items?: Readonly<Record<string, JsonSchema>>;
  /** Collections that start data and the control API can fill, beside the inferred ones: the behaviour stores the items. */
  readonly data?: (setup: DataSetup) => readonly DataCollection[];
  /**
   * `account`: each account has its own collections. A function does the same and maps all names of one account to a
   * single name, which must map to itself. Default: `sandbox`, all callers of a sandbox share the state.
   */
  readonly stateBy?: 'account' | 'sandbox' | ((account: string) => string);
}
