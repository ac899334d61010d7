/**
 * How the contract tests of an API run, for servers that need some set-up. All of it can also be given to `runContract`.
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
   * Known values of parameters, by their name or by `operationId.name`: ids of items that are there. Without an operation,
   * what the run itself has created is taken first. `body.name` and `operationId.body.name` are members of bodies, with more
   * names for what is inside of them. A function gives a value for each request.
   */
  readonly parameters?: Readonly<Record<string, unknown>>;
  /** The run logs in with the credentials of a client, and again when its token has expired. */
  readonly oauth2?: ContractOAuth;
  /** Operations that are never sent, and findings that are ignored. */
  readonly skip?: readonly ContractSkip[];
  /** Runs once, before the first request. Its result is added to `headers` and `parameters`. */
  readonly before?: (run: ContractHookRun) => ContractSetUp | void | Promise<ContractSetUp | void>;
  /** Runs before each request, and may change it: members that it returns override those of the request. */
  readonly beforeEach?: (
    request: ContractHookRequest,
    run: ContractHookRun,
  ) => ContractRequestChange | void | Promise<ContractRequestChange | void>;
  /** Runs once, after the last request, however the run ended. */
  readonly after?: (run: ContractHookRun) => void | Promise<void>;
}

/** A client of OAuth 2.0 that gets tokens in its own name, or by a refresh token. */
export interface ContractOAuth {
  readonly clientId: string;
  readonly clientSecret: string;
  /** Default: that of the flow `clientCredentials` in the spec. Relative to the server. */
  readonly tokenUrl?: string;
  readonly scopes?: readonly string[];
  /** Tried before the credentials of the client. */
  readonly refreshToken?: string;
}

/** An operation (all of its checks), a check (of all operations), or one check of one operation. */
export interface ContractSkip {
  /** An operation id; `*` matches any text. */
  readonly operation?: string;
  /** A check as reports name it, such as `conditional requests`. */
  readonly check?: string;
}

/** The result of a set-up. */
export type ContractSetUp = Pick<ContractConfig, 'headers' | 'parameters'>;

/** The run that a hook belongs to. */
export interface ContractHookRun {
  /** The name of the API. */
  readonly api: string;
  /** The server, as it was named. */
  readonly url: string;
  readonly seed: number;
  /** Reaches the server as the run does, where the run was given a `fetch`; else the platform's. */
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

/** Headers are added to those of the request; the host of the url must stay. */
export type ContractRequestChange = Partial<Pick<ContractHookRequest, 'url' | 'headers' | 'body'>>;
