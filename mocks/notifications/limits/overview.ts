import type { RateLimit, RateLimitsOperations } from '../../../generated/rate-limits/types.js';
import type { Handler } from '../../../server/handler-api.js';
import { countersOf } from './counters-of.js';
import { describeState } from './limit-visits.js';
import { primaryBudgets, rateCaller } from './rated-caller.js';

/** What is left of the primary limits of the caller, for every resource family. Without limits, all of it is. */
export const getRateLimit: Handler<RateLimitsOperations['getRateLimit']> = async (call) => {
  const { kind, who } = rateCaller(call);
  const isRefused = kind === 'unauthenticated' && call.request.headers['authorization'] !== undefined;
  if (isRefused) return call.refuse(401, 'Bad credentials');
  const counters = countersOf(call);
  const now = call.clock.now();
  const resources: Record<string, RateLimit> = {};
  for (const budget of primaryBudgets(kind)) {
    resources[budget.resource] = describeState(await counters.read(budget, who), now);
  }
  const { core, search, graphql } = resources;
  if (core === undefined || search === undefined || graphql === undefined)
    throw new Error(`The policy has no limits for ${kind}.`);
  return call.respond(200, { resources: { ...resources, core, search, graphql }, rate: core });
};
