import { lowerCaseNames } from '../http/messages.js';
import { isSafeMethod } from '../model/http-method.js';
import type { Api, HttpMethod, Operation } from '../model/api.js';
import { isHeader } from '../config/check-config.js';
import type { ContractConfig, ContractOAuth } from '../config/contract-config.js';
import { checkOptionNames, readMilliseconds } from '../config/option-checks.js';
import { OAuthToken } from './execute/http/oauth-token.js';
import { OPTION_NAMES } from './option-names.js';
import { selectOperations } from '../config/select-operations.js';
import { hasUnsendablePath } from '../http/routing/find-unreachable.js';
import { InputError } from '../model/diagnostics/input-error.js';
import { findTarget } from './load-api-under-test.js';
import { type GivenHooks, Hooks } from './execute/hooks.js';
import { checkParameters } from './validate-overrides.js';
import { type OpenSocket, networkSockets } from './execute/http/websocket-session.js';
import { createSocketTransport } from './execute/http/socket-transport.js';
import { type Transport, createFetchTransport } from './execute/http/transport.js';
import { allowsMethod, chooseOperations, shardOperations, SkipRules } from './plan/choose-operations.js';
import { type AcceptedFinding, type ContractOptions, PHASES, type Phase, type SpecSource } from './types.js';

/** Options that are repeated only if they were given. */
export type RepeatedOption =
  | 'timeLimit'
  | 'maxTime'
  | 'concurrency'
  | 'vendor'
  | 'config'
  | 'includeOperations'
  | 'excludeOperations'
  | 'shard'
  | 'insecure'
  | 'readOnly'
  | 'touchExisting';

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
  /** Options as given that a command needs to repeat the run. */
  readonly given: Pick<ContractOptions, RepeatedOption>;
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
  readonly waitMs: number;
  readonly signal: AbortSignal | undefined;
  readonly skip: SkipRules;
  readonly headers: Readonly<Record<string, string>>;
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
export async function resolveOptions(options: ContractOptions): Promise<ResolvedOptions> {
  checkOptionNames(options, OPTION_NAMES, 'A contract run');
  const { seed = 1, maxExamples = 60, maxTime = 60_000, timeLimit = 10_000, concurrency = 4 } = options;
  if (!Number.isSafeInteger(seed)) throw new InputError('The seed must be a whole number.');
  const url = readUrl(options.url);
  const resolved = {
    url,
    seed,
    phases: readPhases(options.phases ?? PHASES),
    maxExamples: readCount('max-examples', maxExamples),
    touchExisting: options.touchExisting ?? false,
    given: options,
    otherHeaders: lowerCaseNames(options.otherHeaders ?? {}),
    concurrency: readCount('concurrency', concurrency),
    maxTimeMs: readTime('max-time', maxTime),
    timeLimitMs: readTime('time-limit', timeLimit),
    onProgress: options.onProgress ?? (() => {}),
  };
  const { name, api, source, configured } = await findTarget(options);
  const setUp = mergeSetUp(configured?.contract ?? {}, options);
  const { headers, parameters, beforeEach, after } = setUp;
  const before = withToken(setUp, api, url);
  const chosen = new Set(selectOperations(api, configured ?? ALL).operations.map(({ id }) => id));
  const skip = new SkipRules(setUp.skip, api.operations);
  const choice = { include: options.includeOperations, exclude: options.excludeOperations };
  const asked = chooseOperations(api.operations, choice);
  const isSafeEnough = (method: HttpMethod): boolean => options.readOnly !== true || isSafeMethod(method);
  const operations = asked.filter(
    (operation) =>
      chosen.has(operation.id) &&
      !skip.hasOperation(operation) &&
      !hasUnsendablePath(operation) &&
      isSafeEnough(operation.method),
  );
  if (operations.length === 0) throw new InputError('There is nothing to send: no operation is left to be called.');
  const hooks = { api: name, url: url.href.replace(/\/$/, ''), seed, fetch: options.fetch ?? fetch };
  return {
    ...resolved,
    name,
    api,
    source,
    operations,
    maySend: (method) => isSafeEnough(method) && allowsMethod(method, choice),
    shard: shardOperations(operations, options.shard),
    requestBudget: options.maxExamples === undefined ? Math.max(MIN_BUDGET, BUDGET_EACH * operations.length) : Infinity,
    baseline: options.baseline ?? [],
    waitMs: options.wait === undefined ? 0 : readTime('wait', options.wait),
    signal: options.signal,
    skip,
    headers,
    parameters,
    hooks: new Hooks({ before, beforeEach, after }, hooks),
    openSocket: findSockets(options),
    transport:
      options.fetch === undefined
        ? createSocketTransport(url, { ca: options.ca, insecure: options.insecure === true })
        : createFetchTransport(options.fetch),
  };
}

function findSockets({ fetch: send, webSocket }: ContractOptions): ResolvedOptions['openSocket'] {
  if (webSocket !== undefined) return async () => (url) => webSocket(url);
  return send === undefined ? networkSockets : undefined;
}

/** The default budget of requests: for the run, or for each operation if that is more. */
const MIN_BUDGET = 2_900;
const BUDGET_EACH = 120;

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
  const bad = Object.entries(headers).find(([name, value]) => !isHeader(name, value));
  if (bad !== undefined) throw new InputError(`HTTP cannot carry the header ${JSON.stringify(bad[0])}.`);
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
  const { headers = {}, parameters = {} } = await options.hooks.before();
  const known = { ...options.parameters, ...parameters };
  checkParameters(known, options.operations, options.api);
  return {
    ...options,
    headers: { ...options.headers, ...headers, ...lowerCaseNames(given.headers ?? {}) },
    parameters: known,
  };
}

function readPhases(phases: readonly Phase[]): readonly Phase[] {
  const unknown = phases.find((phase) => !PHASES.includes(phase));
  if (unknown !== undefined || phases.length === 0)
    throw new InputError(`There is no phase ${JSON.stringify(unknown ?? '')}; the phases are ${PHASES.join(', ')}.`);
  return PHASES.filter((phase) => phases.includes(phase));
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

function readCount(name: string, count: number): number {
  if (Number.isSafeInteger(count) && count > 0) return count;
  throw new InputError(`The option ${name} must be a whole number above 0.`);
}

/** Reads a duration above 0 in milliseconds. A number without a unit counts as milliseconds. */
function readTime(option: string, given: number | string): number {
  const milliseconds = readMilliseconds(`option ${option}`, given);
  if (milliseconds > 0) return milliseconds;
  throw new InputError(`The option ${option} must be a duration such as 60s.`);
}
