import path from 'node:path';

import type { ObservedWork } from '../sandbox/sandbox-host.js';
import type { Diagnostic } from '../../model/diagnostics/diagnostic.js';
import { withoutUndefined } from '../../model/document/records.js';
import { type Credential, checkCredentials, readCredentials } from '../../http/credentials/credential-file.js';
import { type StateLocation, locateState } from '../stores/replicated/open-backend.js';
import type { PipelineSettings } from '../pipeline/pipeline-options.js';
import type { JournalEntry } from '../sandbox/sandbox.js';
import type { CallbackPolicy } from '../sandbox/webhook-post.js';
import { readBytes, readHostNames, readMilliseconds, resolveLoading, resolvePath } from '../../config/option-checks.js';
import { type Mount, readMount } from '../../config/mounts.js';
import { readOptions } from '../../config/read-options.js';
import type { Given } from '../../config/given.js';
import type { MockOptions as GeneratedOptions } from '../../generated/options/types.js';
import type { LoadOptions } from '../../model/load-api.js';
import type { TlsFiles } from '../transport/http-server.js';
import { readTls } from './read-tls.js';
import type { StateLimits } from '../sandbox/state-budget.js';
import { type OriginPolicy, createOriginPolicy } from '../transport/origins.js';

/** Options of `startMock`. The names are those of the flags of `specmill mock`. */
export interface MockOptions extends Given<
  GeneratedOptions,
  {
    /** The accepted credentials: a YAML file or a list. Default: every well-formed credential is accepted. */
    readonly credentials?: string | readonly Credential[];
    /** The configuration of the engine's mock: a JSON or YAML file, or its content. */
    readonly engineConfig?: string | object;
    /** The tables of the engine's mock: a file of SQL, JSON or YAML, or a map from their names to JSON Schemas. */
    readonly engineSchema?: string | object;
    /** Called for schemas that cannot be checked exactly: soon after the start, or for large specs on their first use. */
    readonly onDiagnostic?: (diagnostic: Diagnostic) => void;
    /** Called after each response, for all sandboxes. */
    readonly onCall?: (call: MockCall) => void;
    /** Called after each job and each attempt to deliver a callback. */
    readonly onWork?: (work: MockWork) => void;
  }
> {}

/** A call of a mock, for logs. Credentials are redacted. */
export interface MockCall extends Pick<
  JournalEntry,
  'method' | 'path' | 'status' | 'operationId' | 'violations' | 'notes'
> {
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
  readonly mounts: readonly Mount[];
  /** `undefined` for HTTP. */
  readonly tls: TlsFiles | undefined;
  readonly spec: readonly string[] | undefined;
  /** How the spec is read. */
  readonly load: LoadOptions;
  readonly seed: number;
  readonly items: number;
  /** Files of start data, as absolute paths; `undefined` for those of the configuration. */
  readonly data: readonly string[] | undefined;
  /** Files of scenarios, likewise. */
  readonly scenarios: readonly string[] | undefined;
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
  readonly stateLimits: StateLimits;
  readonly pipeline: PipelineSettings;
  readonly behaviour: Readonly<Record<string, unknown>>;
}

/** The most bytes of a request body. Larger uploads need an operation that reads a stream. */
const MAX_BODY_BYTES = 100 * 1_024 * 1_024;

/**
 * Applies every default.
 *
 * @throws InputError if an option is invalid or the list of credentials cannot be read.
 */
export async function resolveMockOptions(given: MockOptions): Promise<ResolvedMockOptions> {
  const options = readOptions('MockOptions', given);
  const {
    cwd,
    host,
    seed,
    items,
    callbacks,
    cors,
    validate,
    stateless,
    onDiagnostic = () => {},
    engineConfig,
    engineSchema,
  } = options;
  const latencyMs = readMilliseconds('latency', options.latency);
  return {
    port: options.port,
    host,
    mounts: [options.mount].flat().map(readMount),
    tls: await readTls(resolvePath(cwd, options.tlsCert), resolvePath(cwd, options.tlsKey)),
    spec: options.spec === undefined ? undefined : [options.spec].flat(),
    load: resolveLoading(options, cwd),
    seed,
    items,
    data: resolveFiles(cwd, given.data),
    scenarios: resolveFiles(cwd, given.scenarios),
    callbacks,
    origins: createOriginPolicy([cors].flat()),
    hasOrigins: given.cors !== undefined,
    allowedHosts: readHostNames(options.allowedHost),
    credentials: await readList(options.credentials, cwd),
    configFile: options.config,
    cwd,
    onDiagnostic,
    onCall: options.onCall,
    onWork: options.onWork,
    vendor: options.vendor,
    keep: locateState(options, cwd),
    stateLimits: readStateLimits(options.maxState),
    replay: resolvePath(cwd, options.replay),
    pipeline: { validate, stateless, maxBodyBytes: MAX_BODY_BYTES, latencyMs, seed },
    behaviour: {
      seed,
      latencyMs,
      rateLimit: !options.noRateLimit,
      strictCredentials: options.credentials !== undefined,
      ...withoutUndefined({
        words: resolvePath(cwd, options.words),
        engineConfig: typeof engineConfig === 'string' ? resolvePath(cwd, engineConfig) : engineConfig,
        engineSchema: typeof engineSchema === 'string' ? resolvePath(cwd, engineSchema) : engineSchema,
      }),
    },
  };
}

function resolveFiles(cwd: string, given: string | readonly string[] | undefined): readonly string[] | undefined {
  return given === undefined ? undefined : [given].flat().map((file) => path.resolve(cwd, file));
}

async function readList(
  credentials: MockOptions['credentials'],
  cwd: string,
): Promise<readonly Credential[] | undefined> {
  if (credentials === undefined) return undefined;
  return typeof credentials === 'string'
    ? readCredentials(path.resolve(cwd, credentials))
    : checkCredentials(credentials);
}

/** @throws InputError if it is neither a size nor two of them. */
function readStateLimits(given: string): StateLimits {
  const [own = '', all, ...more] = given.split(',');
  const perSandbox = readBytes('max-state', more.length === 0 ? own : given);
  return { perSandbox, together: all === undefined ? 3 * perSandbox : readBytes('max-state', all) };
}
