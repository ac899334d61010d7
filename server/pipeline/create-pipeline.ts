import { setTimeout as wait } from 'node:timers/promises';

import { lowerCaseNames, type MockRequest, type MockResponse } from '../../http/messages.js';
import type { Fault, HandleRequest, Sandbox } from '../sandbox/sandbox.js';
import { createResponder } from './handle-operation.js';
import { type CompiledOperation, createCompiler } from './compiled-operation.js';
import { createExchange, type Exchange, type ExchangeResponse } from './exchange.js';
import { finishResponse } from './finalize-response.js';
import type { PipelineOptions } from './pipeline-options.js';
import { mayHaveBody, readBody } from './receive-body.js';
import { createRefuse } from './refuse.js';
import { createRouter } from '../../http/routing/router.js';
import { splitTarget } from '../../http/routing/request-target.js';
import type { Api, Operation } from '../../model/api.js';
import { findResponse } from '../../http/response/response-spec.js';
import { breakOff, toFaultBody } from './fault-body.js';
import { HttpError } from '../../http/http-error.js';
import { createRequestContext } from './handler-call.js';
import { ANONYMOUS } from '../../http/credentials/authenticate.js';
import type { Caller, HandlerResponse } from '../handler-api.js';
import { checkResponse } from '../../http/response/check-response.js';
import type { FindRecorded } from '../replay/index-recording.js';
import { preferenceOf } from './example-response.js';

/**
 * Creates the pipeline of an API. It routes a request, checks it, responds by behaviour, inference or Prism's mocker,
 * checks the response, and writes the call to the sandbox's journal. It never throws: a bug in a handler gives a 500
 * with its message.
 *
 * @example
 * const handle = createPipeline({ api, handlerOf, identify, renderError, options });
 * const response = await handle(request, sandbox);
 */
export function createPipeline(options: PipelineOptions): HandleRequest {
  const findRoute = createRouter(options.api);
  const compile = createCompiler(options);
  const response = createResponder(options);
  const refuse = createRefuse(options);
  const runMiddleware = createMiddleware(options);
  const { latencyMs, maxBodyBytes, stateless } = options.options;
  const streamed = new Set(stateless ? [] : options.streamed);
  const isStreamed = ({ operation }: CompiledOperation): boolean => streamed.has(operation.name);

  const startExchange = (request: MockRequest, sandbox: Sandbox): Exchange => {
    const target = splitTarget(request.target);
    const match = findRoute(request.method, target.path);
    const compiled = match.kind === 'operation' ? compile(match.operation) : undefined;
    return createExchange({ request, sandbox, target, match, compiled });
  };

  const isReadWhole = ({ compiled, request }: Exchange): boolean =>
    compiled !== undefined && !isStreamed(compiled) && mayHaveBody(request);
  const readWhole = (exchange: Exchange): Promise<void> =>
    readBody(exchange.request, maxBodyBytes).then((bytes) => {
      exchange.bytes = bytes;
      return undefined;
    });

  const { findRecorded } = options;
  const isChecked = options.options.validate !== 'off';
  const respondRead = (exchange: Exchange): Promise<ExchangeResponse> => {
    const { compiled } = exchange;
    if (findRecorded === undefined || compiled === undefined || isStreamed(compiled)) return response(exchange);
    const recorded = replayResponse(exchange, findRecorded, { isChecked });
    return recorded === undefined ? response(exchange) : Promise.resolve(recorded);
  };

  // No `await` without a body, because it would slow down every call.
  const respondWhole = (exchange: Exchange): Promise<ExchangeResponse> =>
    isReadWhole(exchange) ? readWhole(exchange).then(() => respondRead(exchange)) : respondRead(exchange);

  // A request on shared state may run again, but must be delayed only once.
  const [delayed, late] = [new WeakSet<MockRequest>(), new WeakSet<MockRequest>()];
  const delay = async (request: MockRequest): Promise<void> => {
    if (delayed.has(request)) return;
    delayed.add(request);
    await wait(latencyMs);
  };

  const applyFaults = async (exchange: Exchange, fault: Fault): Promise<ExchangeResponse | 'abort'> => {
    const { request } = exchange;
    if (!late.has(request)) await delayFault(fault, request.signal);
    late.add(request);
    const faulty = applyFault(fault, exchange.compiled?.operation);
    if (faulty === undefined) return respondWhole(exchange);
    // Reads the body for the journal and to keep the connection usable. A failure changes nothing.
    if (faulty !== 'abort' && isReadWhole(exchange)) await readWhole(exchange).catch(() => undefined);
    return faulty;
  };

  const handleExchange = async (exchange: Exchange): Promise<ExchangeResponse | 'abort'> => {
    try {
      const taken = exchange.sandbox.faults.take(exchange.compiled?.operation.id);
      const fault = taken instanceof Promise ? await taken : taken;
      return await (fault === undefined ? respondWhole(exchange) : applyFaults(exchange, fault));
    } catch (error) {
      return refuse(error, exchange);
    }
  };

  return async (request, sandbox): Promise<MockResponse> => {
    const exchange = startExchange(request, sandbox);
    // Delays before reading state, so that the response is up to date when it is sent.
    if (latencyMs > 0) await delay(request);
    const response = await (runMiddleware === undefined
      ? handleExchange(exchange)
      : runMiddleware(exchange, () => handleExchange(exchange)));
    try {
      return finishResponse(exchange, response);
    } catch (error) {
      return finishResponse(exchange, refuse(error, exchange));
    }
  };
}

/** Waits for the fault's latency, or until the client is gone. */
async function delayFault({ latencyMs = 0 }: Fault, signal: AbortSignal): Promise<void> {
  if (latencyMs <= 0) return;
  await wait(latencyMs, undefined, { signal }).catch(() => undefined);
}

/**
 * Returns the response of a fault; `undefined` if it only delays. With `abort`, the connection breaks after the fault's
 * body, or without a response if it has none.
 *
 * @throws HttpError if the named example does not exist
 */
function applyFault(fault: Fault, operation: Operation | undefined): ExchangeResponse | 'abort' | undefined {
  const { status, headers, body, example, abort = false } = fault;
  if (abort && body === undefined && example === undefined) return 'abort';
  if (status === undefined && headers === undefined && body === undefined && example === undefined) return undefined;
  const given = example === undefined ? undefined : findExample(example, status, operation);
  const all = { ...(given === undefined ? {} : { 'content-type': given.mediaType }), ...lowerCaseNames(headers ?? {}) };
  const text = toFaultBody(body ?? given?.value, all['content-type']);
  return {
    status: status ?? given?.status ?? 200,
    headers: all,
    body: abort && text !== undefined ? breakOff(text) : text,
    refusal: false,
    exempt: true,
  };
}

interface FoundExample {
  readonly status: number;
  readonly mediaType: string;
  readonly value: unknown;
}

/** Finds an example by name in the response with the given status, or in any response. */
function findExample(name: string, status: number | undefined, operation: Operation | undefined): FoundExample {
  const wanted = operation === undefined || status === undefined ? undefined : findResponse(operation, status);
  const responses = wanted === undefined ? (operation?.responses ?? []) : [wanted];
  for (const response of responses) {
    for (const { mediaType, examples } of response.content) {
      const example = examples.find((one) => one.name === name);
      if (example === undefined) continue;
      return { status: status ?? statusOf(response.status), mediaType, value: example.value };
    }
  }
  throw new HttpError(500, `A fault names the example ${JSON.stringify(name)}, which this operation does not have.`);
}

function statusOf(name: string): number {
  const status = Number(name.replace(/XX$/, '00'));
  return Number.isInteger(status) ? status : 200;
}

type Outcome = ExchangeResponse | 'abort';

type RunMiddleware = (exchange: Exchange, respond: () => Promise<Outcome>) => Promise<Outcome>;

/** The response that middleware sees if a fault closes the connection without a response. */
const NO_RESPONSE: HandlerResponse = { status: 500, body: undefined, headers: {}, refusal: true };

/** Returns `undefined` for a mock without middleware, so that it costs nothing. */
function createMiddleware(options: PipelineOptions): RunMiddleware | undefined {
  const { api, middleware, identify, renderError } = options;
  if (middleware === undefined) return undefined;
  const refuse = createRefuse({ renderError });
  const anywhere = { security: everyScheme(api) };

  const findCaller = (exchange: Exchange, operation: Operation | undefined): Caller => {
    const query = new URLSearchParams(exchange.target.query);
    const identity = identify(operation ?? anywhere, exchange.request, query);
    if (operation !== undefined) exchange.identity = identity;
    return identity.caller ?? ANONYMOUS;
  };

  return async (exchange, respond) => {
    const operation = exchange.compiled?.operation;
    try {
      const caller = findCaller(exchange, operation);
      const context = await exchange.sandbox.contextFor(caller);
      const call = createRequestContext({ context, operation, request: exchange.request, caller, renderError });
      let outcome: Outcome | undefined;
      const response = await middleware(call, async () => {
        outcome = await respond();
        return outcome === 'abort' ? NO_RESPONSE : outcome;
      });
      return outcome === 'abort' ? outcome : { ...response, exempt: true };
    } catch (error) {
      return refuse(error, exchange);
    }
  };
}

/** Accepts every scheme of the API, for requests without an operation. */
function everyScheme({ securitySchemes }: Api): Operation['security'] {
  return [...securitySchemes.keys()].map((name) => ({ [name]: [] }));
}

/**
 * Returns the recorded response to a request; `undefined` if there is none or the request has `Prefer`. A response that
 * violates the spec is still sent, because a real server sent it; the journal notes the violations.
 */
function replayResponse(
  exchange: Exchange,
  findRecorded: FindRecorded,
  { isChecked }: { readonly isChecked: boolean },
): ExchangeResponse | undefined {
  const { compiled, request } = exchange;
  if (compiled === undefined || preferenceOf(exchange) !== undefined) return undefined;
  const recorded = findRecorded(exchange);
  if (recorded === undefined) return undefined;
  const spec = compiled.findResponseSpec(recorded.status);
  const drift = isChecked ? checkResponse(recorded, spec, { withBody: request.method !== 'HEAD' }) : [];
  if (drift.length > 0)
    exchange.violations = [
      ...exchange.violations,
      ...drift.map((violation) => ({ ...violation, message: `${violation.message} (replayed)` })),
    ];
  return { ...recorded, refusal: false, exempt: true };
}
