import type { Call, OperationTypes, Socket } from '../handler-api.js';
import type { MockDefinition } from '../mock-definition.js';
import type { MockResponse, MockRequest } from '../../http/messages.js';
import type { Sandbox } from '../sandbox/sandbox.js';
import { createCall } from './call-handler.js';
import { finishResponse } from './finish-response.js';
import { type CompiledOperation, type PipelineCall, createRouteStep, findHandler } from './pipeline-call.js';
import type { PipelineOptions } from './pipeline-options.js';
import { HttpError } from '../../http/http-error.js';
import { describeViolations } from '../../http/request/refuse-request.js';
import { createRefuse } from './refuse.js';

/** Decides whether a WebSocket opens. Returns a function that serves it, or the response that refuses it. */
export type OpenSocket = (request: MockRequest, sandbox: Sandbox) => Promise<OpenedSocket>;
export type OpenedSocket =
  | {
      readonly ok: true;
      /** Serves the connection; a bug in the handler closes it with 1011. */
      readonly serve: (socket: Socket) => Promise<void>;
    }
  | { readonly ok: false; readonly response: MockResponse };

/** Creates the pipeline for WebSockets. Their requests are routed and checked like others before they are accepted. */
export function createSocketPipeline(
  options: PipelineOptions,
  sockets: NonNullable<MockDefinition['sockets']>,
): OpenSocket {
  const route = createRouteStep(options);
  const refuse = createRefuse(options);
  return async (request, sandbox) => {
    const call = route(request, sandbox, 'GET');
    try {
      return await openSocket(call, options, sockets);
    } catch (error) {
      return { ok: false, response: finishResponse(call, refuse(error, call)) };
    }
  };
}

async function openSocket(
  call: PipelineCall,
  options: PipelineOptions,
  sockets: NonNullable<MockDefinition['sockets']>,
): Promise<OpenedSocket> {
  const { compiled, match, target } = call;
  if (compiled === undefined || match.kind !== 'operation')
    throw new HttpError(404, `There is no operation at ${target.path}.`);
  const { operation } = compiled;
  const handler = findHandler(sockets, operation);
  if (handler === undefined) throw new HttpError(400, `${target.path} opens no WebSocket.`);
  const argument = await createSocketCall(call, compiled, options);
  // A refusal must be sent as a response now: an open socket can only be closed.
  const refusal = await findHandler(options.handshakes, operation)?.(argument);
  if (refusal !== undefined) return { ok: false, response: finishResponse(call, { ...refusal, exempt: true }) };
  finishResponse(call, { status: 101, headers: {}, body: undefined, refusal: true, exempt: true });
  const serve = async (socket: Socket): Promise<void> => {
    try {
      await handler(argument, socket);
    } catch (error) {
      const message = error instanceof Error ? error.message : String(error);
      call.violations = [{ in: 'response', pointer: '', message: `the mock failed: ${message}` }];
      finishResponse(call, { status: 1011, headers: {}, body: undefined, refusal: true, exempt: true });
      // A reason has at most 123 bytes (RFC 6455, section 5.5).
      socket.close(1011, `The mock failed: ${message}`.replace(/[^\x20-\x7e]/g, '?').slice(0, 120));
    }
  };
  return { ok: true, serve };
}

async function createSocketCall(
  { match, request, sandbox, target }: PipelineCall,
  { operation, readRequest }: CompiledOperation,
  options: PipelineOptions,
): Promise<Call<OperationTypes[string]>> {
  const found = options.identify(operation, request, new URLSearchParams(target.query));
  if (!found.ok)
    throw new HttpError(found.status, found.message, {
      violations: [{ in: 'security', pointer: '', message: found.message }],
      headers: found.challenge === undefined ? {} : { 'www-authenticate': found.challenge },
    });
  const { input, violations } = readRequest({
    path: match.kind === 'operation' ? match.values : new Map(),
    query: target.query,
    headers: request.headers,
    bytes: new Uint8Array(),
  });
  if (violations.length > 0 && options.options.validate === 'error')
    throw new HttpError(400, describeViolations(violations), { violations });
  const context = await sandbox.contextFor(found.caller);
  return createCall({
    ...{ context, operation, request, caller: found.caller, input, renderError: options.renderError },
    runDefault: () => Promise.reject(new Error('A WebSocket has no default behaviour.')),
  });
}
