import type { InferredHandler } from '../infer/infer-behaviour.js';
import type { Api, Operation } from '../../model/api.js';
import type { Diagnostic } from '../../model/diagnostics/diagnostic.js';
import type { HeaderMap } from '../../http/messages.js';
import type { MockDefinition } from '../mock-definition.js';
import type { FindRecorded } from '../replay/index-recording.js';
import type { HandlerSource, IdentifyCaller, RenderError } from '../sandbox/sandbox.js';

export interface PipelineOptions {
  readonly api: Api;
  /** The handler of an operation; without one, Prism's mocker responds. */
  readonly handlerOf: HandlerSource;
  readonly identify: IdentifyCaller;
  readonly renderError: RenderError;
  /** The inferred handler of an operation, for written handlers that call it. */
  readonly inferred?: (operation: Operation) => InferredHandler | undefined;
  readonly middleware?: MockDefinition['middleware'];
  /** Names of operations that read their body themselves. */
  readonly streamed?: MockDefinition['streamed'];
  /** Decide on requests that would open a WebSocket. */
  readonly handshakes?: MockDefinition['handshakes'];
  /** Called for schemas that cannot be checked exactly, when they are first used. */
  readonly report?: (diagnostic: Diagnostic) => void;
  /** Whether the callback addresses of a request may be on this machine. Default: they may. */
  readonly trusts?: (headers: HeaderMap) => boolean;
  /** Recorded responses, which go before behaviour and state. */
  readonly findRecorded?: FindRecorded;
  readonly options: PipelineSettings;
}

export interface PipelineSettings {
  /** `error` refuses what breaks the spec, in both directions; `warn` only keeps it in the journal; `off` does not look. */
  readonly validate: 'off' | 'warn' | 'error';
  /** No handler is called: every response is selected from the spec. */
  readonly stateless: boolean;
  /** The greatest size of a body, as sent and expanded, in bytes. */
  readonly maxBodyBytes: number;
  /** Added to every response, in milliseconds of real time. */
  readonly latencyMs: number;
  /** The same seed gives the same dynamic responses of Prism. Without one they differ from call to call. */
  readonly seed?: number;
}
