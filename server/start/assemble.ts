import { createDiagnostic } from '../../model/diagnostics/create-diagnostic.js';
import { withoutUndefined } from '../../model/document/records.js';
import { createIdentifyCaller } from '../../http/credentials/authenticate.js';
import { createRenderError } from '../../http/errors/render-error.js';
import { createPipeline } from '../pipeline/create-pipeline.js';
import { type OpenSocket, createSocketPipeline } from '../pipeline/create-socket-pipeline.js';
import { findHandler } from '../pipeline/pipeline-call.js';
import type { PipelineOptions } from '../pipeline/pipeline-options.js';
import type { BytesVault } from '../sandbox/bytes-vault.js';
import type { SandboxHost } from '../sandbox/sandbox-host.js';
import { createRedact } from '../../http/secrets/redaction.js';
import type { HandleRequest } from '../sandbox/sandbox.js';
import type { StateBackend } from '../stores/replicated/state-backend.js';
import { type Report, isSmall } from '../../http/startup-diagnostics.js';
import { type OriginPolicy, createRulePolicy } from '../transport/origins.js';
import type { MockCall, ResolvedMockOptions } from './mock-options.js';
import type { LoadedSource } from './load-source.js';

/** One version of a served API. A reload creates the next. */
export interface Served extends LoadedSource {
  readonly handle: HandleRequest;
  readonly openSocket: OpenSocket;
  /** The web pages that may read responses. */
  readonly origins: OriginPolicy;
  /** Called for schemas that cannot be checked exactly. */
  readonly report: Report;
  readonly host: SandboxHost;
}

interface ServedParts {
  readonly report: Report;
  readonly vault: BytesVault;
  readonly backend: StateBackend | undefined;
}

export function createServed(
  loaded: LoadedSource,
  options: ResolvedMockOptions,
  { report, vault, backend }: ServedParts,
): Served {
  const { api, definition, realName } = loaded;
  const { middleware, sockets = {}, streamed, handshakes } = definition;
  const pipeline: PipelineOptions = {
    api,
    handlerOf: (operation) => findHandler(definition.operations, operation),
    inferredOf: (operation) =>
      findHandler(loaded.inferred.operations, operation) ?? loaded.inferred.givenHandlerOf?.(operation),
    identify: createIdentifyCaller(api, options.credentials),
    renderError: createRenderError(api),
    report,
    trusts: options.origins.trusts,
    options: options.pipeline,
    ...createReplayStep(loaded, options),
    ...withoutUndefined({ middleware, streamed, handshakes }),
  };
  const { cors } = loaded.prepared;
  return {
    ...loaded,
    report,
    origins: options.hasOrigins || cors === undefined ? options.origins : createRulePolicy(cors, options.origins),
    handle: createPipeline(pipeline),
    openSocket: createSocketPipeline(pipeline, sockets),
    host: {
      api,
      definition,
      vault,
      stateLimits: {
        ...options.stateLimits,
        warn: (sentence) => {
          const [file = { path: loaded.name }] = api.files;
          options.onDiagnostic(createDiagnostic('state-nearly-full', { file: file.path, pointer: '' }, sentence));
        },
      },
      seed: options.seed,
      callbacks: options.callbacks,
      onWork: (work) => options.onWork?.({ at: new Date().toISOString(), api: loaded.name, ...work }),
      options: options.behaviour,
      config: loaded.prepared.config,
      realName,
      redact: createRedact(api),
      fill: fillerOf(loaded),
      checkInferred: loaded.inferred.checkItem ?? (() => undefined),
      ...withoutUndefined({
        startData: loaded.startData,
        scenarios: loaded.scenarios,
        backend,
        onCall: options.onCall && reportCall(loaded.name, options.onCall),
      }),
    },
  };
}

/** Warns if the recording has no call of this API, because the replay then has no effect. */
function createReplayStep(
  { api, recording }: LoadedSource,
  { replay: file = '', onDiagnostic }: ResolvedMockOptions,
): Pick<PipelineOptions, 'findRecorded'> {
  if (recording === undefined) return {};
  const { find, count, all } = recording;
  const message = `None of the ${all} recorded calls is a call of ${api.title}.`;
  if (count === 0) onDiagnostic(createDiagnostic('recording-unused', { file, pointer: '' }, message));
  return { findRecorded: find };
}

/** Large specs fill only the collections in use: reading all examples would take seconds. */
function fillerOf({ api, definition, inferred }: LoadedSource): SandboxHost['fill'] {
  return async (context) => {
    if (!isSmall(api)) return;
    await inferred.fill?.(context, (operation) => findHandler(definition.operations, operation) === undefined);
  };
}

/** Turns journal entries into the calls that the option `onCall` receives. */
function reportCall(api: string, onCall: (call: MockCall) => void): NonNullable<SandboxHost['onCall']> {
  return ({ sandbox, draft, entry }) => {
    const { method, path, status, operationId, violations, notes } = entry();
    onCall({
      at: new Date().toISOString(),
      api,
      sandbox,
      method,
      path,
      status,
      durationMs: draft.startedAt === undefined ? 0 : Math.round(10 * (performance.now() - draft.startedAt)) / 10,
      violations,
      ...withoutUndefined({ operationId, notes, error: draft.failure }),
    });
  };
}
