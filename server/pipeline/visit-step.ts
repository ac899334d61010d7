import type { Api, Operation } from '../../model/api.js';
import { ANONYMOUS } from '../../http/credentials/authenticate.js';
import type { Caller, HandlerResponse } from '../handler-api.js';
import type { Exchange, ExchangeResponse } from './exchange.js';
import type { PipelineOptions } from './pipeline-options.js';
import { createRefuse } from './refuse.js';
import { RequestVisit } from './request-visit.js';

type Answer = ExchangeResponse | 'abort';

/** Lets behaviour stand around a whole exchange. */
type VisitStep = (exchange: Exchange, answer: () => Promise<Answer>) => Promise<Answer>;

/** What behaviour sees of an answer that is none: the connection ends. */
const NO_ANSWER: HandlerResponse = { status: 500, body: undefined, headers: {}, refusal: true };

/** The step of {@link PipelineOptions.aroundAll}; nothing where there is none, so that it costs nothing. */
export function createVisitStep({ api, aroundAll, identify, renderError }: PipelineOptions): VisitStep | undefined {
  if (aroundAll === undefined) return undefined;
  const refuse = createRefuse({ renderError });
  const anywhere = { security: everyScheme(api) };

  const findCaller = (exchange: Exchange, operation: Operation | undefined): Caller => {
    const query = new URLSearchParams(exchange.target.query);
    const identity = identify(operation ?? anywhere, exchange.request, query);
    if (operation !== undefined) exchange.identity = identity;
    return identity.caller ?? ANONYMOUS;
  };

  return async (exchange, answer) => {
    const operation = exchange.compiled?.operation;
    try {
      const caller = findCaller(exchange, operation);
      const context = await exchange.sandbox.contextFor(caller);
      const visit = new RequestVisit({ context, operation, request: exchange.request, caller, renderError });
      let given: Answer | undefined;
      const reply = await aroundAll(visit, async () => {
        given = await answer();
        return given === 'abort' ? NO_ANSWER : given;
      });
      return given === 'abort' ? given : { ...reply, exempt: true };
    } catch (error) {
      return refuse(error, exchange);
    }
  };
}

/** Where no operation says how to authenticate, every way of the API does. */
function everyScheme({ securitySchemes }: Api): Operation['security'] {
  return [...securitySchemes.keys()].map((name) => ({ [name]: [] }));
}
