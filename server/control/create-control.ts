import type { Operation } from '../../model/api.js';
import { ANONYMOUS } from '../../http/credentials/authenticate.js';
import { renderProblem } from '../../http/errors/render-error.js';
import type { HttpError } from '../../http/http-error.js';
import type { MockRequest } from '../../http/messages.js';
import type { RequestViolation } from '../../http/request/refuse-request.js';
import { refuseUnrouted } from '../../http/routing/refuse-unrouted.js';
import { splitTarget } from '../../http/routing/router.js';
import { controlProblem, type HandleControl, loadControlApi } from '../../http/wire/control-api.js';
import { type HandleInSandbox, createPipeline } from '../pipeline/create-pipeline.js';
import { findHandler } from '../pipeline/pipeline-call.js';
import type { ControlOperations } from '../../generated/control/types.js';
import { defineMock } from '../define-mock.js';
import type { HandlerContext } from '../handler-api.js';
import { createPageHandlers } from '../page/page-routes.js';
import type { PipelineSandbox } from '../sandbox/sandbox.js';
import { StateUnavailableError, unreachable } from '../stores/replicated/state-backend.js';
import { ControlError, badInput, refuseInvalid } from './control-error.js';
import type { ControlHost } from './control-host.js';
import { createControlHandlers } from './handlers.js';

/** The most bytes of a request body; a restored state may be large. */
const MAX_BODY_BYTES = 64 * 1_024 * 1_024;

/**
 * Creates the control API of a mock: a mock of specs/control/openapi.yaml. It never throws.
 *
 * @example
 * const control = createControl({ name: 'signing', served, sandboxes });
 * const response = await control(request);
 */
export function createControl(host: ControlHost): HandleControl {
  const control = createOwnControl(host);
  return (request) => control(request).catch(controlProblem);
}

/**
 * Creates the control API for callers in this process. It throws unexpected errors, such as bugs in actions, unchanged.
 */
export function createOwnControl(host: ControlHost): HandleControl {
  let pipeline: Promise<HandleInSandbox> | undefined;
  return async (request) => {
    pipeline ??= createControlPipeline(host);
    const handle = await pipeline;
    let failure: unknown;
    const sandbox: PipelineSandbox = { ...NO_SANDBOX, journal: { add: (call) => void (failure = call.failure) } };
    const response = await handle(toControlRequest(request), sandbox);
    if (failure instanceof StateUnavailableError)
      return controlProblem(new ControlError(failure.status, unreachable(failure)));
    if (failure !== undefined) throw failure;
    const { allow } = response.headers;
    // Web pages of other origins have no access, so there are no preflights.
    if (request.method === 'OPTIONS' && allow !== undefined) {
      const { method, target } = request;
      return controlProblem(
        refuseUnrouted({ kind: 'wrong-method', allow: String(allow) }, { method, path: splitTarget(target).path }),
      );
    }
    return { ...response, headers: { 'cache-control': 'no-store', ...response.headers } };
  };
}

/** The control API has no state, faults or journal of its own. */
const NO_SANDBOX: PipelineSandbox = {
  clock: { now: () => Date.now() },
  journal: { add: () => undefined },
  faults: { candidates: () => [], take: () => undefined },
  random: { number: () => 0, uuid: () => '' },
  distrust: () => undefined,
  // Its handlers use the sandbox that a request names.
  contextFor: () => Promise.resolve({} as HandlerContext),
};

/**
 * Makes the request that the pipeline sees. Its body is JSON regardless of its media type, so that `curl -d` works. The
 * control API has no `Prefer`.
 */
function toControlRequest(request: MockRequest): MockRequest {
  const { 'x-specmill-sandbox': sandbox, ...headers } = request.headers;
  return {
    method: request.method,
    target: request.target,
    base: request.base,
    headers: {
      ...headers,
      ...(sandbox === undefined || sandbox === '' ? {} : { 'x-specmill-sandbox': sandbox }),
      'content-type': 'application/json',
    },
    bytes: (limit) => request.bytes(limit),
    stream: () => request.stream(),
    remoteAddress: request.remoteAddress,
    get signal() {
      return request.signal;
    },
  };
}

async function createControlPipeline(host: ControlHost): Promise<HandleInSandbox> {
  const api = await loadControlApi();
  const { definition } = defineMock<ControlOperations>(api, {
    operations: { ...createControlHandlers(host), ...createPageHandlers(host) },
  });
  return createPipeline({
    api,
    handlerOf: (operation) => findHandler(definition.operations, operation),
    identify: () => ({ ok: true, caller: ANONYMOUS }),
    renderError: renderProblem,
    refuseViolations,
    takesPreferences: false,
    options: { validate: 'error', stateless: false, maxBodyBytes: MAX_BODY_BYTES, latencyMs: 0 },
  });
}

/** The statuses of violations of the parts of a request. That of all others is 422. */
const STATUSES: Readonly<Record<string, number>> = { path: 404, header: 400 };

/** Refuses a request that violates the spec of the control API: each part has its own documented status. */
function refuseViolations(found: readonly RequestViolation[], { responses }: Operation): HttpError {
  const violations = found.map(({ violation }) => violation);
  if (violations.some(({ in: part, pointer }) => part === 'body' && pointer === '/advance'))
    return badInput('The clock goes forward by a duration of ISO 8601, such as PT90S, PT24H or P1D.', '/advance');
  const status = STATUSES[violations[0]?.in ?? 'body'] ?? 422;
  return refuseInvalid(violations, responses.some((one) => one.status === String(status)) ? status : 400);
}
