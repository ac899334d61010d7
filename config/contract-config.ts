import type { ContractConfiguration, ContractSkip as GeneratedSkip } from '../generated/options/types.js';
import type { ReadOnly } from '../model/read-only.js';
import type { Given } from './given.js';

/**
 * How the contract tests of an API run, for servers that need some set-up. `runContract` accepts the same members.
 *
 * @example
 * contract: {
 *   parameters: { projectId: 'demo' },
 *   skip: [{ operation: 'deleteProject' }],
 *   before: async ({ url }) => ({ headers: { authorization: `Bearer ${await logIn(url)}` } }),
 * }
 */
export type ContractConfig = Given<ContractConfiguration, ContractHooks>;

interface ContractHooks {
  /** Runs once, before the first request. Its result is added to `headers`, `headersFor` and `parameters`. */
  readonly before?: (run: ContractHookRun) => ContractSetUp | void | Promise<ContractSetUp | void>;
  /** Runs before each request and may change it: returned members override those of the request. */
  readonly beforeEach?: (
    request: ContractHookRequest,
    run: ContractHookRun,
  ) => ContractRequestChange | void | Promise<ContractRequestChange | void>;
  /** Runs once after the last request, even if the run ended early. */
  readonly after?: (run: ContractHookRun) => void | Promise<void>;
}

export type ContractOAuth = NonNullable<ContractConfig['oauth2']>;
export type ContractSkip = ReadOnly<GeneratedSkip>;

/** The result of the hook `before`. */
export type ContractSetUp = ReadOnly<Pick<ContractConfiguration, 'headers' | 'headersFor' | 'parameters'>>;

/** The run that a hook belongs to. */
export interface ContractHookRun {
  /** The name of the API. */
  readonly api: string;
  /** The URL of the server, as given. */
  readonly url: string;
  readonly seed: number;
  /** The run's own `fetch` if it was given one, else the platform's. */
  readonly fetch: typeof fetch;
}

/** A request before it is sent. */
export interface ContractHookRequest {
  readonly operationId: string;
  readonly phase: string;
  readonly method: string;
  readonly url: string;
  /** Names in lower case. */
  readonly headers: Readonly<Record<string, string>>;
  readonly body?: string;
}

/** Headers are added to those of the request. The host of the URL must stay the same. */
export type ContractRequestChange = Partial<Pick<ContractHookRequest, 'url' | 'headers' | 'body'>>;
