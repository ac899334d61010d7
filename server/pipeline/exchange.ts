import type { Caller, HandlerResponse } from '../handler-api.js';
import type { MockRequest, Violation } from '../../http/messages.js';
import type { IdentifyCaller, Sandbox } from '../sandbox/sandbox.js';
import type { CompiledOperation } from './compiled-operation.js';
import type { RouteMatch } from '../../http/routing/router.js';
import type { SplitTarget } from '../../http/routing/request-target.js';

/** A response on its way, with what the pipeline must know of it. */
export interface ExchangeResponse extends HandlerResponse {
  /** Not checked: refusals, and what the client asked for by `Prefer`. */
  readonly exempt: boolean;
}

export interface Exchange {
  readonly request: MockRequest;
  readonly sandbox: Sandbox;
  readonly target: SplitTarget;
  readonly match: RouteMatch;
  readonly compiled: CompiledOperation | undefined;
  /** The body, expanded. */
  bytes: Uint8Array;
  input: Readonly<Record<string, unknown>>;
  /** Part of the seed of a made-up response: other for each creation. */
  draw: string;
  /** The body's text, where it was JSON that could be read. */
  json: string | undefined;
  caller: Caller | undefined;
  /** The caller, if it was needed before the operation. */
  identity: ReturnType<IdentifyCaller> | undefined;
  /** By `performance.now()`. */
  readonly startedAt: number;
  /** An exception that is not a refusal: a bug of a handler, or of ours. */
  failure: unknown;
  /** Of request and response; kept in the journal. */
  violations: readonly Violation[];
}

const NO_BYTES = new Uint8Array();
const NO_INPUT = {};
const NO_VIOLATIONS: readonly Violation[] = [];

export function createExchange(
  known: Pick<Exchange, 'request' | 'sandbox' | 'target' | 'match' | 'compiled'>,
): Exchange {
  const { request, sandbox, target, match, compiled } = known;
  // Written out: a spread here costs a tenth of a whole call.
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
