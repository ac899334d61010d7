import { ANONYMOUS } from '../../http/credentials/authenticate.js';
import type { Api, Operation } from '../../model/api.js';
import type { Caller, HandlerResponse, Middleware } from '../handler-api.js';
import { createRequestContext } from './call-handler.js';
import type { Outcome, PipelineCall } from './pipeline-call.js';
import type { PipelineOptions } from './pipeline-options.js';
import { createRefuse } from './refuse.js';

/** Runs the steps after it by calling `respond`. */
export type MiddlewareStep = (call: PipelineCall, respond: Respond) => Promise<Outcome>;
type Respond = (call: PipelineCall) => Promise<Outcome>;

/** The response that middleware sees if a fault closes the connection without a response. */
const NO_RESPONSE: HandlerResponse = { status: 500, body: undefined, headers: {}, refusal: true };

/** Creates the step that runs the middleware of a mock around the steps after it. */
export function createMiddlewareStep(options: PipelineOptions, middleware: Middleware): MiddlewareStep {
  const { api, identify, renderError } = options;
  const refuse = createRefuse(options);
  const anywhere = { security: everyScheme(api) };

  const findCaller = (call: PipelineCall, operation: Operation | undefined): Caller => {
    const identity = identify(operation ?? anywhere, call.request, new URLSearchParams(call.target.query));
    if (operation !== undefined) call.identity = identity;
    return identity.caller ?? ANONYMOUS;
  };

  return async (call, respond) => {
    const operation = call.compiled?.operation;
    try {
      const caller = findCaller(call, operation);
      const context = await call.sandbox.contextFor(caller);
      const argument = createRequestContext({ context, operation, request: call.request, caller, renderError });
      let outcome: Outcome | undefined;
      const response = await middleware(argument, async () => {
        outcome = await respond(call);
        return outcome === 'abort' ? NO_RESPONSE : outcome;
      });
      return outcome === 'abort' ? outcome : { ...response, exempt: true };
    } catch (error) {
      return refuse(error, call);
    }
  };
}

/** Accepts every scheme of the API, for requests without an operation. */
function everyScheme({ securitySchemes }: Api): Operation['security'] {
  return [...securitySchemes.keys()].map((name) => ({ [name]: [] }));
}
