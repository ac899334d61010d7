import type { Api, Operation } from '../../model/api.js';
import { ANONYMOUS } from '../../http/credentials/authenticate.js';
import type { Caller, HandlerResponse } from '../handler-api.js';
import type { Exchange, ExchangeResponse } from './exchange.js';
import { createRequestContext } from './handler-call.js';
import type { PipelineOptions } from './pipeline-options.js';
import { createRefuse } from './refuse.js';

type Outcome = ExchangeResponse | 'abort';

/** Runs the middleware of a mock around a whole exchange. */
type RunMiddleware = (exchange: Exchange, respond: () => Promise<Outcome>) => Promise<Outcome>;

/** The response that middleware sees if a fault closes the connection without one. */
const NO_RESPONSE: HandlerResponse = { status: 500, body: undefined, headers: {}, refusal: true };

/** `undefined` for a mock without middleware: then it costs nothing. */
export function createMiddleware(options: PipelineOptions): RunMiddleware | undefined {
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

/** Without an operation that says how to authenticate, every scheme of the API is accepted. */
function everyScheme({ securitySchemes }: Api): Operation['security'] {
  return [...securitySchemes.keys()].map((name) => ({ [name]: [] }));
}
