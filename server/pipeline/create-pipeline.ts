import { setTimeout as wait } from 'node:timers/promises';

import type { MockResponse, MockRequest } from '../../http/messages.js';
import type { Fault, HandleRequest, Sandbox } from '../sandbox/sandbox.js';
import { createResponder } from './handle-operation.js';
import { applyFault, delayFault } from './faults.js';
import { type CompiledOperation, createCompiler } from './compiled-operation.js';
import { createExchange, type Exchange, type ExchangeResponse } from './exchange.js';
import { finishResponse } from './finalize-response.js';
import type { PipelineOptions } from './pipeline-options.js';
import { mayHaveBody, readBody } from './read-body.js';
import { replayResponse } from './replay-response.js';
import { createRefuse } from './refuse.js';
import { createRouter } from '../../http/routing/router.js';
import { splitTarget } from '../../http/routing/request-target.js';
import { createMiddleware } from './middleware.js';

/**
 * One API, served: routes a call, checks it against the spec, responds by behaviour, inference or Prism's mocker, checks
 * the response, and keeps it all in the journal of the sandbox. It never throws: a bug of a handler is a 500 in words.
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
  const readWhole = async (exchange: Exchange): Promise<void> => {
    exchange.bytes = await readBody(exchange.request, maxBodyBytes);
  };

  const { findRecorded } = options;
  const isChecked = options.options.validate !== 'off';
  const respondRead = (exchange: Exchange): Promise<ExchangeResponse> => {
    const { compiled } = exchange;
    if (findRecorded === undefined || compiled === undefined || isStreamed(compiled)) return response(exchange);
    const recorded = replayResponse(exchange, findRecorded, { isChecked });
    return recorded === undefined ? response(exchange) : Promise.resolve(recorded);
  };

  // Without a body there is nothing to wait for, and a wait costs each call.
  const respondWhole = (exchange: Exchange): Promise<ExchangeResponse> =>
    isReadWhole(exchange) ? readWhole(exchange).then(() => respondRead(exchange)) : respondRead(exchange);

  // On a shared state a request may be begun again, and it is late already then.
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
    // The journal shows what was sent, and the connection can go on; a body that cannot be read changes nothing.
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
    // Before anything is read, so that what is read is not old when the response goes out.
    if (latencyMs > 0) await delay(request);
    const responded = (): Promise<ExchangeResponse | 'abort'> => handleExchange(exchange);
    const response = runMiddleware === undefined ? await responded() : await runMiddleware(exchange, responded);
    try {
      return finishResponse(exchange, response);
    } catch (error) {
      return finishResponse(exchange, refuse(error, exchange));
    }
  };
}
