import type { MockDiagnostic } from '../seams/mock-diagnostic.js';
import { createPrismPipeline } from '../prism/prism-pipeline.js';
import { checkAnswer, isUndescribedSuccess } from '../../http/response/check-response.js';
import { createAnswerStep } from './run-handler.js';
import type { CompiledOperation } from './compiled-operation.js';
import { type Exchange, type ExchangeResponse } from './exchange.js';
import { createMockerStep } from './example-response.js';
import type { PipelineOptions } from './pipeline-options.js';
import { HttpError } from '../../http/http-error.js';
import { refuseUnrouted } from '../../http/routing/refuse-unrouted.js';

/** Runs a call through Prism's pipeline. @throws HttpError, or whatever a handler throws */
export type AnswerExchange = (exchange: Exchange) => Promise<ExchangeResponse>;

const NONE: readonly MockDiagnostic[] = [];
const ERROR_SEVERITY = 0;

export function createAnswerer(options: PipelineOptions): AnswerExchange {
  const { validate } = options.options;
  const mocker = createMockerStep(options);
  const run = createPrismPipeline<CompiledOperation, Exchange, ExchangeResponse>({
    route: findOperation,
    validateSecurity: createSecurityStep(options),
    validateInput: createInputStep(options),
    validateOutput: (compiled, reply) => (validate === 'off' ? NONE : checkReply(compiled, reply)),
    answer: createAnswerStep(options, mocker),
    mock: mocker.ask,
  });
  return async (exchange) => {
    if (exchange.match.kind === 'options') return answerOptions(exchange.match.allow);
    const { output, violations } = await run(exchange);
    if (violations.length === 0) return output;
    const found = violations.map(({ violation }) => violation);
    if (validate === 'error')
      throw new HttpError(500, 'The answer of the mock does not match the specification.', { violations: found });
    exchange.violations = [...exchange.violations, ...found];
    return output;
  };
}

function answerOptions(allow: string): ExchangeResponse {
  return { status: 204, headers: { allow }, body: undefined, refusal: true, exempt: true };
}

function findOperation({ compiled, match, target, request }: Exchange): CompiledOperation {
  if (compiled !== undefined) return compiled;
  throw refuseUnrouted(match, { method: request.method, path: target.path });
}

const NO_QUERY = new URLSearchParams();

function createSecurityStep({
  identify,
}: PipelineOptions): (compiled: CompiledOperation, exchange: Exchange) => readonly MockDiagnostic[] {
  return ({ operation }, exchange) => {
    const { query } = exchange.target;
    const found =
      exchange.identity ?? identify(operation, exchange.request, query === '' ? NO_QUERY : new URLSearchParams(query));
    if (found.ok) {
      exchange.caller = found.caller;
      return NONE;
    }
    const { status, message, challenge } = found;
    exchange.caller = found.caller;
    const violation = { in: 'security', pointer: '', message } as const;
    return [
      { severity: ERROR_SEVERITY, message, violation, status, ...(challenge === undefined ? {} : { challenge }) },
    ];
  };
}

function createInputStep({
  options,
}: PipelineOptions): (compiled: CompiledOperation, exchange: Exchange) => readonly MockDiagnostic[] {
  return ({ readRequest }, exchange) => {
    const path = exchange.match.kind === 'operation' ? exchange.match.values : new Map<string, string>();
    const { input, json, violations, status } = readRequest({
      path,
      query: exchange.target.query,
      headers: exchange.request.headers,
      bytes: exchange.bytes,
    });
    exchange.input = input;
    exchange.json = json;
    if (violations.length === 0 || options.validate === 'off') return NONE;
    exchange.violations = violations;
    if (options.validate === 'warn') return NONE;
    return violations.map((violation) => ({
      severity: ERROR_SEVERITY,
      message: violation.message,
      violation,
      ...(status === undefined ? {} : { status }),
    }));
  };
}

function checkReply(
  { findAnswerRule, operation }: CompiledOperation,
  reply: ExchangeResponse,
): readonly MockDiagnostic[] {
  if (reply.exempt) return NONE;
  const rule = findAnswerRule(reply.status);
  if (rule === undefined && isUndescribedSuccess(operation, reply.status)) return NONE;
  const violations = checkAnswer(reply, rule, { withBody: operation.method !== 'head' });
  return violations.length === 0
    ? NONE
    : violations.map((violation) => ({ severity: ERROR_SEVERITY, message: violation.message, violation }));
}
