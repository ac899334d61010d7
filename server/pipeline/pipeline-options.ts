import type { InferredHandler } from '../infer/infer-behaviour.js';
import type { Api, Operation } from '../../model/api.js';
import type { Diagnostic } from '../../model/diagnostics/diagnostic.js';
import type { HeaderMap } from '../../http/messages.js';
import type { refusalOf } from '../../http/request/refuse-request.js';
import type { Handler, OperationTypes } from '../handler-api.js';
import type { MockDefinition } from '../mock-definition.js';
import type { FindRecorded } from '../replay/index-recording.js';
import type { IdentifyCaller, RenderError } from '../sandbox/sandbox.js';

export interface PipelineOptions {
  readonly api: Api;
  /** Returns the defined handler of an operation. Without one, its inferred handler or Prism's mocker responds. */
  readonly handlerOf: (operation: Operation) => Handler<OperationTypes[string]> | undefined;
  readonly inferredOf?: (operation: Operation) => InferredHandler | undefined;
  readonly identify: IdentifyCaller;
  readonly renderError: RenderError;
  readonly middleware?: MockDefinition['middleware'];
  /** Names of operations that read their body themselves. */
  readonly streamed?: MockDefinition['streamed'];
  /** Functions that may refuse a WebSocket before it opens. */
  readonly handshakes?: MockDefinition['handshakes'];
  /** Called for schemas that cannot be checked exactly, on their first use. */
  readonly report?: (diagnostic: Diagnostic) => void;
  /** Whether the callback URLs of a request may be on this machine. Default: always. */
  readonly trusts?: (headers: HeaderMap) => boolean;
  /** Whether clients may choose a documented response by `Prefer`. Default: `true`. */
  readonly takesPreferences?: boolean;
  /** Makes the refusal of a request that violates the spec. Default: the status that the operation documents. */
  readonly refuseViolations?: typeof refusalOf;
  /** Finds a recorded response, which overrides behaviour and state. */
  readonly findRecorded?: FindRecorded;
  readonly options: PipelineSettings;
}

export interface PipelineSettings {
  /** For requests and responses: `error` refuses violations, `warn` notes them in the journal, `off` does not check. */
  readonly validate: 'off' | 'warn' | 'error';
  /** Whether every response is selected from the spec, without calling handlers. */
  readonly stateless: boolean;
  /** The most bytes of a request body, both as sent and decompressed. */
  readonly maxBodyBytes: number;
  /** The delay of every response, in milliseconds of real time. */
  readonly latencyMs: number;
  /** The seed of dynamic responses. Without one, they differ from call to call. */
  readonly seed?: number;
}
