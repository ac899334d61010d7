import type { Violation } from '../../http/messages.js';
import type { RequestViolation } from '../../http/request/refuse-request.js';
import { checkResponse, isUndescribedSuccess } from '../../http/response/check-response.js';
import { limitViolations } from '../../http/errors/limit-violations.js';
import { createResponseStep } from './run-handler.js';
import type { CompiledOperation } from './compiled-operation.js';
import { type Exchange, type ExchangeResponse } from './exchange.js';
import { createExampleStep } from './example-response.js';
import type { PipelineOptions } from './pipeline-options.js';
import { HttpError } from '../../http/http-error.js';
import { refuseUnrouted } from '../../http/routing/refuse-unrouted.js';

/** Handles a call of an operation. @throws HttpError, or whatever a handler throws */
export type ResponseExchange = (exchange: Exchange) => Promise<ExchangeResponse>;

const NO_REQUEST_VIOLATIONS: readonly RequestViolation[] = [];
const NO_VIOLATIONS: readonly Violation[] = [];

export function createResponder(options: PipelineOptions): ResponseExchange {
  const { validate } = options.options;
  const examples = createExampleStep(options);
  const run = createStepRunner<CompiledOperation, Exchange, ExchangeResponse>({
    route: findOperation,
    validateSecurity: createSecurityStep(options),
    validateInput: createInputStep(options),
    validateOutput: (compiled, response) => (validate === 'off' ? NO_VIOLATIONS : checkOwnResponse(compiled, response)),
    respond: createResponseStep(options, examples),
    mock: examples.select,
  });
  return async (exchange) => {
    if (exchange.match.kind === 'options') return handleOptions(exchange.match.allow);
    const { output, violations } = await run(exchange);
    if (violations.length === 0) return output;
    if (validate === 'error')
      throw new HttpError(500, 'The response of the mock does not match the specification.', { violations });
    exchange.violations = [...exchange.violations, ...violations];
    return output;
  };
}

function handleOptions(allow: string): ExchangeResponse {
  return { status: 204, headers: { allow }, body: undefined, refusal: true, exempt: true };
}

function findOperation({ compiled, match, target, request }: Exchange): CompiledOperation {
  if (compiled !== undefined) return compiled;
  throw refuseUnrouted(match, { method: request.method, path: target.path });
}

const NO_QUERY = new URLSearchParams();

function createSecurityStep({
  identify,
}: PipelineOptions): (compiled: CompiledOperation, exchange: Exchange) => readonly RequestViolation[] {
  return ({ operation }, exchange) => {
    const { query } = exchange.target;
    const found =
      exchange.identity ?? identify(operation, exchange.request, query === '' ? NO_QUERY : new URLSearchParams(query));
    if (found.ok) {
      exchange.caller = found.caller;
      return NO_REQUEST_VIOLATIONS;
    }
    const { status, message, challenge } = found;
    exchange.caller = found.caller;
    const violation = { in: 'security', pointer: '', message } as const;
    return [{ violation, status, ...(challenge === undefined ? {} : { challenge }) }];
  };
}

function createInputStep({
  options,
  trusts = () => true,
}: PipelineOptions): (compiled: CompiledOperation, exchange: Exchange) => readonly RequestViolation[] {
  return ({ readRequest }, exchange) => {
    const path = exchange.match.kind === 'operation' ? exchange.match.values : new Map<string, string>();
    const {
      input,
      json,
      violations: all,
      status,
    } = readRequest({
      path,
      query: exchange.target.query,
      headers: exchange.request.headers,
      bytes: exchange.bytes,
    });
    exchange.input = input;
    if (!trusts(exchange.request.headers)) exchange.sandbox.distrust(findUrls(input));
    exchange.json = json;
    const violations = limitViolations(all);
    if (violations.length === 0 || options.validate === 'off') return NO_REQUEST_VIOLATIONS;
    exchange.violations = violations;
    if (options.validate === 'warn') return NO_REQUEST_VIOLATIONS;
    return violations.map((violation) => (status === undefined ? { violation } : { violation, status }));
  };
}

function checkOwnResponse(
  { findResponseSpec, operation }: CompiledOperation,
  response: ExchangeResponse,
): readonly Violation[] {
  if (response.exempt) return NO_VIOLATIONS;
  const rule = findResponseSpec(response.status);
  if (rule === undefined && isUndescribedSuccess(operation, response.status)) return NO_VIOLATIONS;
  return limitViolations(checkResponse(response, rule, { withBody: operation.method !== 'head' }));
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

/** The steps of a request. Violations are returned, other errors are thrown. */
export interface PipelineSteps<Resource, Input, Output> {
  readonly route: (input: Input) => Resource;
  readonly validateSecurity: (resource: Resource, input: Input) => readonly RequestViolation[];
  readonly validateInput: (resource: Resource, input: Input) => readonly RequestViolation[];
  readonly validateOutput: (resource: Resource, output: Output) => readonly Violation[];
  /** Returns our own response, or throws a refusal of the violations; `undefined` if Prism selects the response. */
  readonly respond: (
    resource: Resource,
    input: Input,
    violations: readonly RequestViolation[],
  ) => Promise<Output | undefined>;
  readonly mock: (resource: Resource, input: Input) => Output;
}

export interface StepsResult<Output> {
  readonly output: Output;
  readonly violations: readonly Violation[];
}

/**
 * Runs the steps in the order of prism-core's `factory`, which forwards to an upstream instead of calling `respond`.
 * This version avoids its ten promises for each call (docs/adr/0006-mock-speed.md); a test compares the two.
 */
export function createStepRunner<Resource, Input, Output>(
  steps: PipelineSteps<Resource, Input, Output>,
): (input: Input) => Promise<StepsResult<Output>> {
  return async (input) => {
    const resource = steps.route(input);
    const insecure = steps.validateSecurity(resource, input);
    const invalid = steps.validateInput(resource, input);
    const violations = insecure.length === 0 ? invalid : [...insecure, ...invalid];
    const output = (await steps.respond(resource, input, violations)) ?? steps.mock(resource, input);
    return { output, violations: steps.validateOutput(resource, output) };
  };
}
