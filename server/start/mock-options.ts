import path from 'node:path';

import type { ObservedWork } from '../sandbox/sandbox-host.js';
import type { Diagnostic } from '../../model/diagnostics/diagnostic.js';
import { InputError } from '../../model/diagnostics/input-error.js';
import { withoutUndefined } from '../../model/document/records.js';
import { parseVendor } from '../../model/rename-vendor.js';
import { type Credential, checkCredentials, readCredentials } from '../../http/credentials/credential-file.js';
import { type StateLocation, locateState } from '../stores/replicated/open-backend.js';
import type { PipelineSettings } from '../pipeline/pipeline-options.js';
import type { JournalEntry } from '../sandbox/sandbox.js';
import type { CallbackPolicy } from '../sandbox/webhook-post.js';
import {
  checkOptionNames,
  checkPort,
  readHostNames,
  readMilliseconds,
  resolveLoading,
  resolvePath,
} from '../../config/option-checks.js';
import type { LoadOptions } from '../../model/load-api.js';
import { type OriginPolicy, createOriginPolicy } from '../transport/origins.js';

/** Options of `startMock`. The names are those of the flags of `specmill mock`. */
export interface MockOptions {
  /**
   * The port to serve on, 0 for any free one. Absent: no server, only the mock's in-process `fetch` and `webSocket`.
   */
  readonly port?: number;
  /** The address to listen on. Default: `127.0.0.1`. */
  readonly host?: string;
  /** Path or URL of the spec, or several. Overrides the spec that the configuration or specmill has for the name. */
  readonly spec?: string | readonly string[];
  /** Request headers for fetching the spec from a URL, added to those of the configuration. */
  readonly headers?: Readonly<Record<string, string>>;
  /** Follow references to hosts other than the spec's. Default: `false`. */
  readonly allowRemote?: boolean;
  /** The folder that references to local files may not leave. Default: the folder of the spec. */
  readonly root?: string;
  /** Any whole number: the same seed and the same calls give the same values. Default: 1. */
  readonly seed?: number;
  /**
   * The number of valid items that each inferred collection starts with, including examples: 0 to 10,000. Default: 0.
   */
  readonly items?: number;
  /** Use no state and no behaviour; Prism's mocker selects every response from the spec. Default: `false`. */
  readonly stateless?: boolean;
  /** `error`: violations are refused; `warn`: only noted in the journal; `off`: not checked. Default: `error`. */
  readonly validate?: 'off' | 'warn' | 'error';
  /** The accepted credentials: a YAML file or a list. Default: every well-formed credential is accepted. */
  readonly credentials?: string | readonly Credential[];
  /** Switches rate limits off. Default: `false`. */
  readonly noRateLimit?: boolean;
  /** Delays every response: milliseconds, or a duration such as `250ms` or `PT0.25S`. Default: 0. */
  readonly latency?: number | string;
  /** Where callbacks may be sent. Default: `loopback`, this machine only. */
  readonly callbacks?: CallbackPolicy;
  /**
   * Real names for the words `vendor` and `engine`: `NAME[,header=NAME][,media=NAME][,engine=NAME]`. Your own behaviour
   * sees only the real names, like the types that are generated for the same vendor. Overrides the vendor of the
   * configuration.
   */
  readonly vendor?: string;
  /**
   * The web pages that may read responses: `loopback` (pages of this machine), `any`, `none`, or origins such as
   * `https://app.example`. Default: `loopback`.
   */
  readonly cors?: string | readonly string[];
  /** More host names, besides the bound address, under which the control API may be called. */
  readonly allowedHost?: string | readonly string[];
  /**
   * A HAR file, recorded by `specmill proxy --record` or a browser. A request with the method, path, query and body
   * shape of a recorded one gets the recorded response; every other request gets the response of behaviour and state.
   */
  readonly replay?: string;
  /** A file with more words for the mock's dictionary. */
  readonly words?: string;
  /** The configuration of the engine's mock: a JSON or YAML file, or its content. */
  readonly engineConfig?: string | object;
  /** A directory that keeps the state across restarts. It is created if missing. */
  readonly state?: string;
  /** A Redis server that keeps the state for any number of processes: `redis://HOST:PORT[/DB][?prefix=P]`. */
  readonly store?: string;
  /** The configuration file. Default: `specmill.config.ts` (or .js, .json, .yaml) in `cwd`, if there is one. */
  readonly config?: string;
  /** Called for schemas that cannot be checked exactly: soon after the start, or for large specs on their first use. */
  readonly onDiagnostic?: (diagnostic: Diagnostic) => void;
  /** Called after each response, for all sandboxes. */
  readonly onCall?: (call: MockCall) => void;
  /** Called after each job and each attempt to deliver a callback. */
  readonly onWork?: (work: MockWork) => void;
  /** The base of relative paths in these options. Default: the working directory of the process. */
  readonly cwd?: string;
}

/** A call of a mock, for logs. Credentials are redacted. */
export interface MockCall extends Pick<JournalEntry, 'method' | 'path' | 'status' | 'operationId' | 'violations'> {
  /** ISO 8601, in real time. */
  readonly at: string;
  readonly api: string;
  readonly sandbox: string;
  readonly durationMs: number;
  /** An unexpected exception of a handler. */
  readonly error?: unknown;
}

/**
 * Work of a mock outside of calls. A job or callback that failed for good is a {@link MockCall} with the method `MOCK`.
 */
export interface MockWork extends ObservedWork {
  /** ISO 8601, in real time. */
  readonly at: string;
  readonly api: string;
}

/** The options with every default applied. */
export interface ResolvedMockOptions {
  readonly port: number | undefined;
  readonly host: string;
  readonly spec: readonly string[] | undefined;
  /** How the spec is read. */
  readonly load: LoadOptions;
  readonly seed: number;
  readonly items: number;
  readonly callbacks: CallbackPolicy;
  readonly origins: OriginPolicy;
  /** Whether the user has set the option `cors`. */
  readonly hasOrigins: boolean;
  readonly allowedHosts: readonly string[];
  readonly credentials: readonly Credential[] | undefined;
  readonly configFile: string | undefined;
  readonly cwd: string;
  readonly vendor: string | undefined;
  /** An absolute path. */
  readonly replay: string | undefined;
  readonly onDiagnostic: (diagnostic: Diagnostic) => void;
  readonly onCall: ((call: MockCall) => void) | undefined;
  readonly onWork: ((work: MockWork) => void) | undefined;
  /** Where the state is kept; `undefined` for the memory of this process. */
  readonly keep: StateLocation | undefined;
  readonly pipeline: PipelineSettings;
  readonly behaviour: Readonly<Record<string, unknown>>;
}

/** The most bytes of a request body. Larger uploads need an operation that reads a stream. */
const MAX_BODY_BYTES = 100 * 1_024 * 1_024;

/** More items would slow down the first call of each collection. */
const MAX_ITEMS = 10_000;

/**
 * Applies every default.
 *
 * @throws InputError if an option is invalid or the list of credentials cannot be read.
 */
export async function resolveMockOptions(options: MockOptions): Promise<ResolvedMockOptions> {
  checkOptionNames(options, NAMES, 'A mock');
  if (options.vendor !== undefined) parseVendor(options.vendor);
  const {
    seed = 1,
    items = 0,
    validate = 'error',
    stateless = false,
    callbacks = 'loopback',
    cors = 'loopback',
    noRateLimit = false,
    cwd = process.cwd(),
    onDiagnostic = () => {},
    engineConfig,
  } = options;
  if (!Number.isSafeInteger(seed)) throw new InputError('The seed must be a whole number.');
  if (!Number.isInteger(items) || items < 0 || items > MAX_ITEMS)
    throw new InputError(`The option items must be a whole number from 0 to ${MAX_ITEMS}.`);
  if (!['off', 'warn', 'error'].includes(validate))
    throw new InputError('The option validate must be off, warn or error.');
  if (!['loopback', 'any'].includes(callbacks)) throw new InputError('The option callbacks must be loopback or any.');
  const latencyMs = readMilliseconds('latency', options.latency ?? 0);
  return {
    port: checkPort(options.port),
    host: options.host ?? '127.0.0.1',
    spec: options.spec === undefined ? undefined : [options.spec].flat(),
    load: resolveLoading(options, cwd),
    seed,
    items,
    callbacks,
    origins: createOriginPolicy([cors].flat()),
    hasOrigins: options.cors !== undefined,
    allowedHosts: readHostNames(options.allowedHost),
    credentials: await readList(options.credentials, cwd),
    configFile: options.config,
    cwd,
    onDiagnostic,
    onCall: options.onCall,
    onWork: options.onWork,
    vendor: options.vendor,
    keep: locateState(options, cwd),
    replay: resolvePath(cwd, options.replay),
    pipeline: { validate, stateless, maxBodyBytes: MAX_BODY_BYTES, latencyMs, seed },
    behaviour: {
      seed,
      latencyMs,
      rateLimit: !noRateLimit,
      strictCredentials: options.credentials !== undefined,
      ...withoutUndefined({
        words: resolvePath(cwd, options.words),
        engineConfig: typeof engineConfig === 'string' ? resolvePath(cwd, engineConfig) : engineConfig,
      }),
    },
  };
}

/** The names of all options; a missing one is a compile error. */
const NAMES: Readonly<Record<keyof MockOptions, true>> = {
  port: true,
  host: true,
  spec: true,
  headers: true,
  allowRemote: true,
  root: true,
  seed: true,
  items: true,
  stateless: true,
  validate: true,
  credentials: true,
  noRateLimit: true,
  latency: true,
  callbacks: true,
  vendor: true,
  cors: true,
  allowedHost: true,
  replay: true,
  words: true,
  engineConfig: true,
  state: true,
  store: true,
  config: true,
  onDiagnostic: true,
  onCall: true,
  onWork: true,
  cwd: true,
};

async function readList(
  credentials: MockOptions['credentials'],
  cwd: string,
): Promise<readonly Credential[] | undefined> {
  if (credentials === undefined) return undefined;
  return typeof credentials === 'string'
    ? readCredentials(path.resolve(cwd, credentials))
    : checkCredentials(credentials);
}
