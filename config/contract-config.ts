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
export interface ContractConfig {
  /** Sent with each request, such as a credential. */
  readonly headers?: Readonly<Record<string, string>>;
  /**
   * Values for parameters, such as ids of existing items, by `name` or `operationId.name`. Without an operation id,
   * items that the run has created come first. `body.name` and `operationId.body.name` stand for members of bodies;
   * further names lead to members inside them. A function is called for each request.
   */
  readonly parameters?: Readonly<Record<string, unknown>>;
  /** Gets a token with the credentials of a client, and again when it has expired. */
  readonly oauth2?: ContractOAuth;
  /** Operations that are never sent, and findings that are ignored. */
  readonly skip?: readonly ContractSkip[];
  /** Runs once, before the first request. Its result is added to `headers` and `parameters`. */
  readonly before?: (run: ContractHookRun) => ContractSetUp | void | Promise<ContractSetUp | void>;
  /** Runs before each request and may change it: returned members override those of the request. */
  readonly beforeEach?: (
    request: ContractHookRequest,
    run: ContractHookRun,
  ) => ContractRequestChange | void | Promise<ContractRequestChange | void>;
  /** Runs once after the last request, even if the run ended early. */
  readonly after?: (run: ContractHookRun) => void | Promise<void>;
}

/** An OAuth 2.0 client, which gets tokens with its own credentials or a refresh token. */
export interface ContractOAuth {
  readonly clientId: string;
  readonly clientSecret: string;
  /** Default: the URL of the flow `clientCredentials` in the spec. Relative to the server. */
  readonly tokenUrl?: string;
  readonly scopes?: readonly string[];
  /** Tried before the client's credentials. */
  readonly refreshToken?: string;
}

/** An operation (with all checks), a check (of all operations), or one check of one operation. */
export interface ContractSkip {
  /** An operation id; `*` matches any text. */
  readonly operation?: string;
  /** The name of a check in reports, such as `conditional requests`. */
  readonly check?: string;
}

/** The result of the hook `before`. */
export type ContractSetUp = Pick<ContractConfig, 'headers' | 'parameters'>;

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
