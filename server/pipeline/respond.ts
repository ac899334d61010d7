import type { Violation } from '../../http/messages.js';
import { HttpError } from '../../http/http-error.js';
import { limitViolations } from '../../http/errors/limit-violations.js';
import { type RequestViolation, credentialViolation, refusalOf } from '../../http/request/refuse-request.js';
import { findResponseViolations, isUndescribedSuccess } from '../../http/response/response-violations.js';
import { refuseUnrouted } from '../../http/routing/refuse-unrouted.js';
import { createCallHandler } from './call-handler.js';
import { createExampleResponder } from './example-response.js';
import { createFallBack } from './fall-back.js';
import { type CompiledOperation, type PipelineCall, type PipelineResponse, preferenceOf } from './pipeline-call.js';
import type { PipelineOptions } from './pipeline-options.js';

/**
 * Creates the step that responds: it checks the request, runs the handler or makes a response from the spec, and checks
 * the response. The order is that of prism-core's `factory`; a test compares the two.
 */
export function createRespondStep(options: PipelineOptions): (call: PipelineCall) => Promise<PipelineResponse> {
  const { refuseViolations = refusalOf } = options;
  const { validate } = options.options;
  const respondByExample = createExampleResponder(options);
  const callHandler = createCallHandler(options, respondByExample);
  const fallBack = createFallBack({ api: options.api, respondByExample, findProblems: findResponseProblems });
  return async (call) => {
    if (call.match.kind === 'options') return respondToOptions(call.match.allow);
    const compiled = operationOf(call);
    const insecure = identifyCaller(call, compiled, options);
    const invalid = readInput(call, compiled, options);
    if (insecure.length > 0 || invalid.length > 0) {
      throw refuseViolations([...insecure, ...invalid], compiled.operation);
    }
    refuseSocket(compiled);
    // A request with `Prefer` bypasses handlers and state.
    const hasHandler = (compiled.handler ?? compiled.inferred) !== undefined && preferenceOf(call) === undefined;
    const response = await (hasHandler ? callHandler(compiled, call) : respondByExample(compiled, call));
    if (response.exempt || validate === 'off') return response;
    const violations = findResponseProblems(response, compiled);
    if (violations.length === 0) return response;
    if (validate === 'warn') {
      call.violations = [...call.violations, ...violations];
      return response;
    }
    const isInferred = hasHandler && compiled.handler === undefined;
    const instead = isInferred ? await fallBack(compiled, call, { response, violations }) : undefined;
    if (instead !== undefined) return instead;
    throw new HttpError(500, 'The response of the mock does not match the specification.', { violations });
  };
}

function respondToOptions(allow: string): PipelineResponse {
  return { status: 204, headers: { allow }, body: undefined, refusal: true, exempt: true };
}

function operationOf({ compiled, match, target, request }: PipelineCall): CompiledOperation {
  if (compiled !== undefined) return compiled;
  throw refuseUnrouted(match, { method: request.method, path: target.path });
}

const NONE: readonly never[] = [];
const NO_QUERY = new URLSearchParams();

function identifyCaller(
  call: PipelineCall,
  { operation }: CompiledOperation,
  { identify }: PipelineOptions,
): readonly RequestViolation[] {
  const { query } = call.target;
  const found =
    call.identity ?? identify(operation, call.request, query === '' ? NO_QUERY : new URLSearchParams(query));
  call.caller = found.caller;
  return found.ok ? NONE : [credentialViolation(found)];
}

/** Decodes the request, and returns the violations for which it is refused. */
function readInput(
  call: PipelineCall,
  { readRequest }: CompiledOperation,
  { options: { validate }, trusts }: PipelineOptions,
): readonly RequestViolation[] {
  const { match, target, request, bytes } = call;
  const path = match.kind === 'operation' ? match.values : new Map<string, string>();
  const read = readRequest({ path, query: target.query, headers: request.headers, bytes });
  call.input = read.input;
  call.json = read.json;
  if (request.headers['origin'] !== undefined && trusts?.(request.headers) === false)
    call.sandbox.distrust(findUrls(read.input));
  if (read.violations.length === 0 || validate === 'off') return NONE;
  call.violations = limitViolations(read.violations);
  if (validate === 'warn') return NONE;
  const { status } = read;
  return call.violations.map((violation) => (status === undefined ? { violation } : { violation, status }));
}

/** Returns all HTTP URLs in a parsed request. */
function findUrls(value: unknown): string[] {
  if (typeof value === 'string') {
    const url = URL.canParse(value) ? new URL(value) : undefined;
    return url !== undefined && /^https?:$/.test(url.protocol) ? [url.href] : [];
  }
  return typeof value === 'object' && value !== null && !ArrayBuffer.isView(value)
    ? Object.values(value).flatMap(findUrls)
    : [];
}

function refuseSocket({ operation }: CompiledOperation): void {
  if (operation.extensions['x-websocket'] === undefined) return;
  throw new HttpError(426, 'This address opens a WebSocket.', {
    headers: { upgrade: 'websocket', connection: 'upgrade' },
  });
}

function findResponseProblems(
  response: PipelineResponse,
  { findResponseSpec, operation }: CompiledOperation,
): readonly Violation[] {
  const rule = findResponseSpec(response.status);
  if (rule === undefined && isUndescribedSuccess(operation, response.status)) return NONE;
  const violations = findResponseViolations(response, rule, { withBody: operation.method !== 'head' });
  return violations.length === 0 ? NONE : limitViolations(violations);
}
