import { ANONYMOUS } from '../../http/credentials/authenticate.js';
import type { Call, HandlerContext, HandlerResponse, OperationTypes } from '../handler-api.js';
import { type HeaderMap, readHeader } from '../../http/messages.js';
import { type RequestViolation, refusalOf } from '../../http/request/refuse-request.js';
import { negotiateContent } from '../../http/response/content-negotiation.js';
import { checkItems } from '../../http/response/check-items.js';
import type { CompiledOperation } from './compiled-operation.js';
import type { Exchange, ExchangeResponse } from './exchange.js';
import { type ExampleStep, preferenceOf } from './example-response.js';
import { NO_HEADERS, createCall } from './handler-call.js';
import type { PipelineOptions } from './pipeline-options.js';
import { BY_EXAMPLE } from '../infer/infer-behaviour.js';
import type { Item } from '../infer/json-path.js';
import { HttpError } from '../../http/http-error.js';
import { isRecord } from '../../model/document/records.js';

/** Returns our own response; `undefined` if Prism's mocker responds. @throws HttpError synchronously, for violations */
type ResponseStep = (
  compiled: CompiledOperation,
  exchange: Exchange,
  violations: readonly RequestViolation[],
) => Promise<ExchangeResponse | undefined>;

export function createResponseStep({ renderError, inferred }: PipelineOptions, examples: ExampleStep): ResponseStep {
  /** Responds as the mock would without a defined handler. */
  const runDefault = async (
    compiled: CompiledOperation,
    exchange: Exchange,
    { call, members }: { readonly call: Call<OperationTypes[string]>; readonly members: Item | undefined },
  ): Promise<HandlerResponse> => {
    const response = await inferred?.(compiled.operation)?.(call, members);
    if (response !== undefined && response !== BY_EXAMPLE) return response;
    await examples.prepare(compiled, exchange);
    const { status, headers, body, refusal } = examples.select(compiled, exchange);
    return { status, headers, body, refusal };
  };

  const createHandlerCall = (
    compiled: CompiledOperation,
    exchange: Exchange,
    context: HandlerContext,
  ): Call<OperationTypes[string]> => {
    const { request, caller = ANONYMOUS, input } = exchange;
    const { operation } = compiled;
    const call: Call<OperationTypes[string]> = createCall({
      context,
      operation,
      request,
      caller,
      input,
      renderError,
      runDefault: (members) => runDefault(compiled, exchange, { call, members }),
    });
    return call;
  };

  const callHandler = async (compiled: CompiledOperation, exchange: Exchange): Promise<ExchangeResponse> => {
    const context = await exchange.sandbox.contextFor(exchange.caller ?? ANONYMOUS);
    const response = await compiled.handler?.(createHandlerCall(compiled, exchange, context));
    if (response === BY_EXAMPLE) {
      await examples.prepare(compiled, exchange);
      return examples.select(compiled, exchange);
    }
    // JavaScript lets a handler return anything, such as an object without headers.
    if (!isRecord(response) || !isRecord(response.headers))
      throw new Error(
        `The handler of ${compiled.operation.id} returned no response; call.respond, call.refuse and call.default make one.`,
      );
    return toExchangeResponse(response, compiled, exchange);
  };

  return (compiled, exchange, violations) => {
    refuseEarly(compiled, violations);
    return usesHandler(compiled, exchange)
      ? callHandler(compiled, exchange)
      : examples.prepare(compiled, exchange).then(() => undefined);
  };
}

/** A request with `Prefer` bypasses handlers and state. */
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

/** Responses with no other header, which are most, share one object for each type; the journal keeps it. */
function withType(headers: HeaderMap, contentType: string): HeaderMap {
  if (headers !== NO_HEADERS) return { ...headers, 'content-type': contentType };
  const known = typeHeaders.get(contentType);
  if (known !== undefined) return known;
  const made: HeaderMap = Object.freeze({ 'content-type': contentType });
  if (typeHeaders.size < MOST_TYPES) typeHeaders.set(contentType, made);
  return made;
}

function toExchangeResponse(
  response: HandlerResponse,
  compiled: CompiledOperation,
  exchange: Exchange,
): ExchangeResponse {
  const { status, headers: given, refusal } = response;
  if (refusal) return { status, headers: given, body: response.body, refusal, exempt: true };
  const rule = compiled.findResponseSpec(status);
  const { body, contentType } = negotiateContent(response, rule, readHeader(exchange.request, 'accept'));
  const headers = contentType === undefined ? given : withType(given, contentType);
  return checkItems({ status, headers, body, refusal, exempt: false }, rule, compiled.operation);
}
