import type { Caller, HandlerResponse } from '../handler-api.js';
import type { MockRequest, Violation } from '../../http/messages.js';
import type { IdentifyCaller, Sandbox } from '../sandbox/sandbox.js';
import type { CompiledOperation } from './compiled-operation.js';
import type { RouteMatch } from '../../http/routing/router.js';
import type { SplitTarget } from '../../http/routing/request-target.js';

/** A response inside the pipeline. */
export interface ExchangeResponse extends HandlerResponse {
  /** Whether the response is not checked, such as a refusal or one requested by `Prefer`. */
  readonly exempt: boolean;
}

export interface Exchange {
  readonly request: MockRequest;
  readonly sandbox: Sandbox;
  readonly target: SplitTarget;
  readonly match: RouteMatch;
  readonly compiled: CompiledOperation | undefined;
  /** The decompressed body. */
  bytes: Uint8Array;
  input: Readonly<Record<string, unknown>>;
  /** Part of the seed of a generated response; different for each creation. */
  draw: string;
  /** The body's text if it is valid JSON. */
  json: string | undefined;
  caller: Caller | undefined;
  /** The caller, if middleware needed it before the operation. */
  identity: ReturnType<IdentifyCaller> | undefined;
  /** By `performance.now()`. */
  readonly startedAt: number;
  /** An unexpected exception: a bug in a handler, or our own. */
  failure: unknown;
  /** The violations of request and response, for the journal. */
  violations: readonly Violation[];
}

const NO_BYTES = new Uint8Array();
const NO_INPUT = {};
const NO_VIOLATIONS: readonly Violation[] = [];

export function createExchange(
  known: Pick<Exchange, 'request' | 'sandbox' | 'target' | 'match' | 'compiled'>,
): Exchange {
  const { request, sandbox, target, match, compiled } = known;
  // Copied member by member, because a spread would take a tenth of the time of a whole call.
  return {
    request,
    sandbox,
    target,
    match,
    compiled,
    bytes: NO_BYTES,
    input: NO_INPUT,
    draw: '',
    json: undefined,
    caller: undefined,
    identity: undefined,
    startedAt: performance.now(),
    failure: undefined,
    violations: NO_VIOLATIONS,
  };
}
