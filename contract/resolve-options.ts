import { lowerCaseNames } from '../http/messages.js';
import { isSafeMethod } from '../model/http-method.js';
import type { Api, HttpMethod, Operation } from '../model/api.js';
import type { ContractConfig, ContractOAuth } from '../config/contract-config.js';
import { readMilliseconds, resolvePath } from '../config/option-checks.js';
import { readOptions } from '../config/read-options.js';
import { MadeUpCredentials } from './execute/http/made-up-credentials.js';
import { OAuthToken } from './execute/http/oauth-token.js';
import { selectOperations } from '../config/select-operations.js';
import { hasUnsendablePath } from '../http/routing/find-unreachable.js';
import { stringifyExactJson } from '../runtime/json-integers.js';
import { suggestName } from '../model/diagnostics/closest-name.js';
import { InputError } from '../model/diagnostics/input-error.js';
import { findTarget } from './load-api-under-test.js';
import { type GivenHooks, Hooks } from './execute/hooks.js';
import { checkParameters } from './validate-overrides.js';
import { type OpenSocket, networkSockets } from './execute/http/websocket-session.js';
import { createSocketTransport } from './execute/http/socket-transport.js';
import { type Transport, createFetchTransport } from './execute/http/transport.js';
import { OperationHeaders } from './plan/operation-headers.js';
import { defaultCases, defaultRequests } from './plan/choose-cases.js';
import { findSetUp } from './plan/set-up-operations.js';
import { allowsMethod, chooseOperations, shardOperations, SkipRules } from './plan/choose-operations.js';
import type { Severity } from '../reports/contract/contract-report.js';
import { type AcceptedFinding, type ContractOptions, PHASES, type Phase, type SpecSource } from './types.js';

/** The options with every default applied. */
export interface ResolvedOptions {
  readonly name: string;
  readonly api: Api;
  readonly source: SpecSource;
  readonly url: URL;
  readonly phases: readonly Phase[];
  readonly seed: number;
  readonly maxExamples: number;
  readonly maxTimeMs: number;
  readonly timeLimitMs: number;
  readonly concurrency: number;
  readonly touchExisting: boolean;
  readonly keep: boolean;
  /** As given, for the command that repeats the run. */
  readonly given: ContractOptions;
  readonly otherHeaders: Readonly<Record<string, string>>;
  /** The operations that may be called. */
  readonly operations: readonly Operation[];
  /** Whether a method may be sent to a path that does not document it. */
  readonly maySend: (method: HttpMethod) => boolean;
  /** The operations that this run tests; the others only set up preconditions. */
  readonly shard: ReadonlySet<Operation>;
  /** After this many requests, random cases and the search for smaller reproductions end. */
  readonly requestBudget: number;
  readonly baseline: readonly AcceptedFinding[];
  readonly failOn: Severity;
  readonly madeUp: MadeUpCredentials;
  readonly waitMs: number;
  /** A shell command that starts the server again. */
  readonly restart: string | undefined;
  /** The absolute path of an overlay. */
  readonly writeOverlay: string | undefined;
  readonly signal: AbortSignal | undefined;
  readonly skip: SkipRules;
  readonly headers: Readonly<Record<string, string>>;
  readonly headersFor: OperationHeaders;
  readonly parameters: Readonly<Record<string, unknown>>;
  readonly hooks: Hooks;
  readonly transport: Transport;
  /** Absent if the run opens no WebSockets. */
  readonly openSocket: (() => Promise<OpenSocket>) | undefined;
  readonly onProgress: NonNullable<ContractOptions['onProgress']>;
}

/**
 * Applies all defaults. No other code does.
 *
 * @throws InputError if an option is invalid or there is no such API.
 * @throws SpecError if the spec cannot be used.
 */
export async function resolveOptions(given: ContractOptions): Promise<ResolvedOptions> {
  const options = readOptions('ContractOptions', given);
  const { seed, touchExisting, keep, concurrency, baseline, failOn, restart, signal } = options;
  const url = readUrl(options.url);
  const resolved = {
    url,
    seed,
    phases: phasesOf(options, given),
    touchExisting,
    keep,
    given,
    otherHeaders: lowerCaseNames(options.otherHeaders ?? {}),
    concurrency,
    baseline,
    failOn,
    madeUp: new MadeUpCredentials(url, options.noCredentials),
    restart,
    writeOverlay: resolvePath(options.cwd ?? process.cwd(), options.writeOverlay),
    signal,
    maxTimeMs: readTime('maxTime', options.maxTime),
    timeLimitMs: readTime('timeLimit', options.timeLimit),
    waitMs: options.wait === undefined ? 0 : readTime('wait', options.wait),
    onProgress: options.onProgress ?? (() => {}),
  };
  const { name, api, source, configured } = await findTarget(options);
  const setUp = mergeSetUp(configured?.contract ?? {}, options);
  const { headers, parameters, beforeEach, after } = setUp;
  const before = withToken(setUp, api, url);
  const chosen = new Set(selectOperations(api, configured ?? ALL).operations.map(({ id }) => id));
  const skip = new SkipRules(setUp.skip, api.operations);
  const choice = { include: includedBy(options, api), exclude: options.excludeOperations };
  // Matches each pattern against all operations, so that a typing error is found.
  const asked = new Set(chooseOperations(api.operations, choice));
  const isSafeEnough = (method: HttpMethod): boolean => !options.readOnly || isSafeMethod(method);
  const allowed = chooseOperations(api.operations, { exclude: options.excludeOperations }).filter(
    (operation) =>
      chosen.has(operation.id) &&
      !skip.hasOperation(operation) &&
      !hasUnsendablePath(operation) &&
      isSafeEnough(operation.method),
  );
  const tested = allowed.filter((operation) => asked.has(operation));
  const helpers = findSetUp(
    api,
    tested,
    allowed.filter(({ method }) => allowsMethod(method, choice)),
  );
  const operations = allowed.filter((operation) => asked.has(operation) || helpers.has(operation));
  if (tested.length === 0) throw new InputError('There is nothing to send: no operation is left to be called.');
  const hooks = { api: name, url: url.href.replace(/\/$/, ''), seed, fetch: options.fetch ?? fetch };
  return {
    ...resolved,
    name,
    api,
    source,
    operations,
    maySend: (method) => isSafeEnough(method) && allowsMethod(method, choice),
    shard: shardOperations(tested, options.shard),
    maxExamples: given.maxExamples ?? defaultCases(tested.length),
    requestBudget: given.maxExamples === undefined ? defaultRequests(tested.length) : Infinity,
    skip,
    headers,
    headersFor: new OperationHeaders(api.operations)
      .with(configured?.contract?.headersFor, `apis.${name}.contract.headersFor`)
      .with(options.headersFor),
    parameters,
    hooks: new Hooks({ before, beforeEach, after }, hooks),
    openSocket: findSockets(options),
    transport:
      options.fetch === undefined
        ? createSocketTransport(url, { ca: options.ca, insecure: options.insecure })
        : createFetchTransport(options.fetch),
  };
}

/** An operation is explained by the tries to get one success from it: other phases would only add to them. */
function phasesOf(
  { phases, explain }: ContractOptions & { phases: readonly Phase[] },
  given: ContractOptions,
): Phase[] {
  if (explain !== undefined && given.phases === undefined) return ['examples'];
  return PHASES.filter((phase) => phases.includes(phase));
}

function includedBy({ explain, includeOperations }: ContractOptions, api: Api): readonly string[] | undefined {
  if (explain === undefined) return includeOperations;
  if (includeOperations !== undefined)
    throw new InputError(
      'The options explain and includeOperations exclude each other: explain chooses the operation.',
    );
  const ids = new Set(api.operations.map(({ id }) => id));
  if (ids.has(explain)) return [`operation:${explain}`];
  throw new InputError(`There is no operation ${stringifyExactJson(explain)} to explain.${suggestName(explain, ids)}`);
}

function findSockets({ fetch: send, webSocket }: ContractOptions): ResolvedOptions['openSocket'] {
  if (webSocket !== undefined) return async () => (url) => webSocket(url);
  return send === undefined ? networkSockets : undefined;
}

const ALL = { exclude: { tags: [], paths: [], operations: [] } };

interface SetUpToken {
  readonly oauth2: ContractOAuth | undefined;
}

/** Adds a token to the headers of the hook `before`: once, and again after a 401. The hook's headers win. */
function withToken({ before, oauth2 }: GivenHooks & SetUpToken, api: Api, url: URL): GivenHooks['before'] {
  if (oauth2 === undefined) return before;
  const token = new OAuthToken(oauth2, api, url);
  return async (run) => {
    const own = (await before?.(run)) ?? {};
    return { ...own, headers: { ...(await token.header(run)), ...own.headers } };
  };
}

/** Merges the configured and the given set-up. Options of the run win. */
function mergeSetUp(
  configured: ContractConfig,
  given: ContractConfig,
): Required<Pick<ContractConfig, 'headers' | 'parameters' | 'skip'>> & GivenHooks & SetUpToken {
  const headers = lowerCaseNames({ ...configured.headers, ...given.headers });
  return {
    headers,
    parameters: { ...configured.parameters, ...given.parameters },
    skip: [...(configured.skip ?? []), ...(given.skip ?? [])],
    oauth2: given.oauth2 ?? configured.oauth2,
    before: given.before ?? configured.before,
    beforeEach: given.beforeEach ?? configured.beforeEach,
    after: given.after ?? configured.after,
  };
}

/**
 * Returns the options with the headers and parameters of the hook `before`. Headers given for the run win.
 *
 * @throws InputError if the hook fails, or a parameter does not exist.
 */
export async function setUpRun(options: ResolvedOptions, given: ContractOptions): Promise<ResolvedOptions> {
  const { headers = {}, headersFor, parameters = {} } = await options.hooks.before();
  const known = { ...options.parameters, ...parameters };
  checkParameters(known, options.operations, options.api);
  return {
    ...options,
    headers: { ...options.headers, ...headers, ...lowerCaseNames(given.headers ?? {}) },
    headersFor: options.headersFor.with(headersFor),
    parameters: known,
  };
}

function readUrl(text: string): URL {
  if (!URL.canParse(text) || !/^https?:/i.test(text))
    throw new InputError('The url must be the http or https address of the server.');
  const url = new URL(text);
  if (url.username !== '' || url.password !== '')
    throw new InputError('The url must have no credentials in it: give them with --header.');
  if (url.search !== '' || url.hash !== '')
    throw new InputError(
      'The url must have no query and no fragment: "contract.parameters" of the configuration sets a parameter for all requests.',
    );
  return url;
}

/** Reads a duration above 0 in milliseconds. A number without a unit counts as milliseconds. */
function readTime(option: string, given: number | string): number {
  const milliseconds = readMilliseconds(option, given);
  if (milliseconds > 0) return milliseconds;
  throw new InputError(`The option ${option} must be a duration such as 60s.`);
}
