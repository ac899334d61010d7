import { setTimeout as wait } from 'node:timers/promises';

import { type MockRequest, type MockResponse, readHeader } from '../../http/messages.js';
import { decompressBody } from '../../http/request/decompress.js';
import { findResponseViolations } from '../../http/response/response-violations.js';
import { tooLarge } from '../../http/wire/request-body.js';
import type { PipelineSandbox } from '../sandbox/sandbox.js';
import { hasResponse, respondToFault } from './fault-response.js';
import { noteFault, renderFault, takeFault } from './fault-step.js';
import { finishResponse } from './finish-response.js';
import { type MiddlewareStep, createMiddlewareStep } from './middleware-step.js';
import {
  type Outcome,
  type PipelineCall,
  type PipelineResponse,
  createRouteStep,
  mayHaveBody,
  preferenceOf,
} from './pipeline-call.js';
import type { PipelineOptions } from './pipeline-options.js';
import { createRefuse } from './refuse.js';
import { createRespondStep } from './respond.js';

/** Handles a request. Transports call it with a whole sandbox. */
export type HandleInSandbox = (request: MockRequest, sandbox: PipelineSandbox) => Promise<MockResponse>;

/**
 * Creates the pipeline of an API: the steps of each request, in order. It never throws: a bug in a handler gives a 500
 * with its message.
 *
 * @example
 * const handle = createPipeline({ api, handlerOf, identify, renderError, options });
 * const response = await handle(request, sandbox);
 */
export function createPipeline(options: PipelineOptions): HandleInSandbox {
  const route = createRouteStep(options);
  const delay = createDelayStep();
  const middleware = options.middleware === undefined ? passOn : createMiddlewareStep(options, options.middleware);
  const fault = createFaultStep(options);
  const read = createReadStep(options);
  const replay = createReplayStep(options);
  const respond = createRespondStep(options);
  const refuse = createRefuse(options);

  const respondOrRefuse = async (call: PipelineCall): Promise<Outcome> => {
    try {
      const faulty = await fault(call);
      if (faulty !== undefined) return faulty;
      await read(call);
      return replay(call) ?? (await respond(call));
    } catch (error) {
      return refuse(error, call);
    }
  };

  return async (request, sandbox) => {
    const call = route(request, sandbox);
    // The delay comes before the state is read, so that the response is up to date when it is sent.
    await delay(call, options.options.latencyMs);
    const outcome = await middleware(call, respondOrRefuse);
    try {
      return finishResponse(call, outcome);
    } catch (error) {
      return finishResponse(call, refuse(error, call));
    }
  };
}

/** The step of a mock without middleware. */
const passOn: MiddlewareStep = (call, respond) => respond(call);

/** A request on shared state may run again, but is delayed only once. */
function createDelayStep(): (call: PipelineCall, latencyMs?: number, signal?: AbortSignal) => Promise<void> {
  const delayed = new WeakSet<MockRequest>();
  return async ({ request }, latencyMs = 0, signal) => {
    if (latencyMs <= 0 || delayed.has(request)) return;
    delayed.add(request);
    await wait(latencyMs, undefined, signal && { signal }).catch(() => undefined);
  };
}

/** The header that selects a scenario for one request. */
const SCENARIO_HEADER = 'x-specmill-scenario';

/** Returns the response of the first fault that happens; `undefined` if there is none or it only delays. */
function createFaultStep(options: PipelineOptions): (call: PipelineCall) => Promise<Outcome | undefined> {
  const delay = createDelayStep();
  const read = createReadStep(options);
  return async (call) => {
    const scenario = readHeader(call.request, SCENARIO_HEADER) || undefined;
    const candidates = call.sandbox.faults.candidates(scenario);
    if (candidates.length === 0) return undefined;
    const chosen = await takeFault(call, read, { scenario, candidates });
    if (chosen === undefined) return undefined;
    const { fault } = chosen;
    if (fault.latencyMs !== undefined) await delay(call, fault.latencyMs, call.request.signal);
    // The body is read for templates and the journal, and to keep the connection usable. A failure changes nothing.
    if (hasResponse(fault)) await read(call).catch(() => undefined);
    const response = respondToFault(renderFault(fault, call), call.compiled?.operation);
    noteFault(call, chosen, response);
    return response;
  };
}

/** Up to this many bytes, a compressed body is as fast to read as an uncompressed one. */
const SMALL = 1_000_000;
const MOST_EXPANDED = 2_000_000;

/** Reads the body, unless the handler reads it by itself. */
function createReadStep({ options }: PipelineOptions): (call: PipelineCall) => Promise<void> {
  return async (call) => {
    const { request, compiled } = call;
    if (call.isRead || compiled === undefined || compiled.isStreamed || !mayHaveBody(request)) return;
    call.isRead = true;
    call.bytes = await receiveBody(request, options.maxBodyBytes);
  };
}

/** Reads the body of a request and decompresses it. @throws HttpError 413, 415 or 400 */
async function receiveBody(request: MockRequest, limit: number): Promise<Uint8Array> {
  if (Number(request.headers['content-length'] ?? 0) > limit) throw tooLarge(limit);
  const bytes = await request.bytes(limit);
  if (bytes.length > limit) throw tooLarge(limit);
  const encodings = readHeader(request, 'content-encoding');
  if (encodings === undefined || bytes.length === 0) return bytes;
  return decompressBody(bytes, encodings, bytes.length < SMALL ? Math.min(limit, MOST_EXPANDED) : limit);
}

/**
 * Returns the recorded response to a request; `undefined` if there is none or the request has `Prefer`. A response that
 * violates the spec is still sent, because a real server sent it; the journal notes the violations.
 */
function createReplayStep({
  findRecorded,
  options: { validate },
}: PipelineOptions): (call: PipelineCall) => PipelineResponse | undefined {
  return (call) => {
    const { compiled, request } = call;
    if (findRecorded === undefined || compiled === undefined || compiled.isStreamed) return undefined;
    const recorded = preferenceOf(call) === undefined ? findRecorded(call) : undefined;
    if (recorded === undefined) return undefined;
    const spec = compiled.findResponseSpec(recorded.status);
    const drift =
      validate === 'off' ? [] : findResponseViolations(recorded, spec, { withBody: request.method !== 'HEAD' });
    call.violations = [
      ...call.violations,
      ...drift.map((violation) => ({ ...violation, message: `${violation.message} (replayed)` })),
    ];
    return { ...recorded, refusal: false, exempt: true };
  };
}
