import { ANONYMOUS } from '../../http/credentials/authenticate.js';
import type { HandlerResponse } from '../handler-api.js';
import type { HeaderMap } from '../../http/messages.js';
import type { RequestViolation } from '../../http/request/refuse-request.js';
import { chooseMedia } from '../../http/response/content-negotiation.js';
import { guardEvents } from '../../http/response/check-event-stream.js';
import type { CompiledOperation } from './compiled-operation.js';
import { type Exchange, type ExchangeResponse, headerText } from './exchange.js';
import { type ExampleStep, preferenceOf } from './example-response.js';
import { OperationCall } from './operation-call.js';
import type { PipelineOptions } from './pipeline-options.js';
import { createRefuse } from './refuse.js';
import { refusalOf } from '../../http/request/refuse-request.js';
import { NO_HEADERS } from './request-visit.js';
import { BY_EXAMPLE } from '../infer/infer-behaviour.js';
import { HttpError } from '../../http/http-error.js';

/** Our answer to a call, or nothing where Prism's mocker is to answer. @throws HttpError at once, for violations */
type AnswerStep = (
  compiled: CompiledOperation,
  exchange: Exchange,
  violations: readonly RequestViolation[],
) => Promise<ExchangeResponse | undefined>;

export function createAnswerStep(options: PipelineOptions, examples: ExampleStep): AnswerStep {
  const { around, renderError } = options;
  const refuse = createRefuse(options);

  const createCall = async (
    { operation }: CompiledOperation,
    { sandbox, request, caller = ANONYMOUS, input }: Exchange,
  ): Promise<OperationCall> => {
    const context = await sandbox.contextFor(caller);
    return new OperationCall({ context, operation, request, caller, input, renderError });
  };

  const callHandler = async (
    compiled: CompiledOperation,
    exchange: Exchange,
    call: OperationCall,
  ): Promise<ExchangeResponse> => {
    const reply = await compiled.handler?.(call);
    if (reply === undefined) throw new Error(`The handler of ${compiled.operation.id} gave no reply.`);
    if (reply === BY_EXAMPLE) {
      await examples.load();
      return examples.select(compiled, exchange);
    }
    return readyReply(reply, compiled, exchange);
  };

  /** As {@link callHandler}, but also for refusals (of callers who are nobody yet, too) and for what Prism answers. */
  const callAround = async (
    compiled: CompiledOperation,
    exchange: Exchange,
    violations: readonly RequestViolation[],
  ): Promise<ExchangeResponse> => {
    const call = await createCall(compiled, exchange);
    const answer = async (): Promise<ExchangeResponse> => {
      refuseEarly(compiled, violations);
      if (usesHandler(compiled, exchange)) return await callHandler(compiled, exchange, call);
      await examples.load();
      return examples.select(compiled, exchange);
    };
    const next = (): Promise<ExchangeResponse> => answer().catch((error: unknown) => refuse(error, exchange));
    return readyReply(await (around ?? (async (_call, run) => await run()))(call, next), compiled, exchange);
  };

  return async (compiled, exchange, violations) => {
    if (around !== undefined) return callAround(compiled, exchange, violations);
    refuseEarly(compiled, violations);
    if (usesHandler(compiled, exchange)) return callHandler(compiled, exchange, await createCall(compiled, exchange));
    await examples.load();
    return undefined;
  };
}

/** `Prefer` goes past all state. */
function usesHandler({ handler }: CompiledOperation, exchange: Exchange): boolean {
  return handler !== undefined && preferenceOf(exchange) === undefined;
}

function refuseEarly({ operation }: CompiledOperation, violations: readonly RequestViolation[]): void {
  if (violations.length > 0) throw refusalOf(violations, operation);
  if (operation.extensions['x-websocket'] === undefined) return;
  throw new HttpError(426, 'This address opens a WebSocket.', {
    headers: { upgrade: 'websocket', connection: 'upgrade' },
  });
}

const typeHeaders = new Map<string, HeaderMap>();
const MOST_TYPES = 500;

/** Most answers have no other header: they share one object, which the journal keeps. */
function withType(headers: HeaderMap, contentType: string): HeaderMap {
  if (headers !== NO_HEADERS) return { ...headers, 'content-type': contentType };
  const known = typeHeaders.get(contentType);
  if (known !== undefined) return known;
  const made: HeaderMap = Object.freeze({ 'content-type': contentType });
  if (typeHeaders.size < MOST_TYPES) typeHeaders.set(contentType, made);
  return made;
}

/** Gives a reply its media type. One that passes through a second time stays as it is. */
function readyReply(
  reply: HandlerResponse & { readonly exempt?: boolean },
  compiled: CompiledOperation,
  exchange: Exchange,
): ExchangeResponse {
  const { status, headers: given, refusal } = reply;
  const exempt = reply.exempt ?? refusal;
  if (exempt) return { status, headers: given, body: reply.body, refusal, exempt };
  const rule = compiled.findAnswerRule(status);
  const { body, contentType } = chooseMedia(reply, rule, headerText(exchange.request, 'accept'));
  const headers = contentType === undefined ? given : withType(given, contentType);
  return guardEvents({ status, headers, body, refusal, exempt }, rule, compiled.operation);
}
