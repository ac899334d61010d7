import type { LimitAnswer } from '../../../generated/rate-limits/types.js';
import type { MockDefinition, HandlerResponse, Visit } from '../../../server/handler-api.js';
import type { HeaderMap } from '../../../http/messages.js';
import { countersOf } from './counters-of.js';
import { readPolicy } from './policy.js';
import type { Budget, BudgetState, RateCounters } from './rate-counters.js';
import { type RatedCaller, lowerBudgets, primaryBudgets, rateCaller } from './rated-caller.js';
import { WAIT_WITHOUT_WINDOW, admit, mostConcurrent, secondaryCharges } from './secondary-limits.js';

/** What every route of this mock counts against. */
const RESOURCE = 'core';

/** One request under the limits. */
interface LimitedVisit {
  readonly visit: Visit;
  readonly counters: RateCounters;
  readonly caller: RatedCaller;
  readonly budget: Budget & { readonly resource: string };
}

/** Holds a request against the limits of the platform, and puts their headers on its answer, whatever that is. */
export const limitVisits: NonNullable<MockDefinition['aroundAll']> = async (visit, next) => {
  const caller = rateCaller(visit);
  const budget = primaryBudgets(caller.kind).find(({ resource }) => resource === RESOURCE);
  if (visit.options['rateLimit'] === false || budget === undefined) return next();
  const limited: LimitedVisit = { visit, counters: countersOf(visit), caller, budget };
  if (!limited.counters.enter(caller.who, mostConcurrent())) return refuseSecondary(limited, WAIT_WITHOUT_WINDOW);
  try {
    return await answer(limited, next);
  } finally {
    limited.counters.leave(caller.who);
  }
};

async function answer(limited: LimitedVisit, next: () => Promise<HandlerResponse>): Promise<HandlerResponse> {
  const { visit, counters, caller, budget } = limited;
  const isFree = isExempt(visit, undefined);
  const { costOfRequest } = readPolicy().primary;
  const primary = isFree ? { ok: true } : await counters.spend(budget, caller.who, costOfRequest);
  if (!primary.ok) return refusePrimary(limited);
  const admission = await admit(counters, secondaryCharges(visit, caller.who));
  if (!admission.ok) {
    if (!isFree) await counters.giveBack(budget, caller.who, costOfRequest);
    return refuseSecondary(limited, admission.waitMs);
  }
  const reply = await next();
  if (isFree) return withHeaders(limited, reply);
  if (isExempt(visit, reply.status)) await counters.giveBack(budget, caller.who, costOfRequest);
  else for (const lower of lowerBudgets(caller, budget)) await counters.charge(lower, caller.who, costOfRequest);
  return withHeaders(limited, reply);
}

/** Whether a request does not count: by its operation alone, or also by how it was answered. */
function isExempt({ operation, request }: Visit, status: number | undefined): boolean {
  return readPolicy().exemptions.some(({ when, countsAgainstPrimary }) => {
    if (countsAgainstPrimary || (when.status !== undefined && when.status !== status)) return false;
    if (when.operation !== undefined && when.operation !== operation?.id) return false;
    return when.requestHeader === undefined || request.headers[when.requestHeader] !== undefined;
  });
}

async function refusePrimary(limited: LimitedVisit): Promise<HandlerResponse> {
  const { primary } = readPolicy().answers;
  return withHeaders(limited, refuse(limited, primary));
}

async function refuseSecondary(limited: LimitedVisit, waitMs: number): Promise<HandlerResponse> {
  const { secondary } = readPolicy().answers;
  const reply = refuse(limited, secondary);
  const seconds = String(Math.max(1, Math.ceil(waitMs / 1_000)));
  return withHeaders(limited, { ...reply, headers: { ...reply.headers, 'retry-after': seconds } });
}

function refuse(
  { visit, caller }: LimitedVisit,
  { defaultStatus, message, documentationUrl }: LimitAnswer,
): HandlerResponse {
  const words = message.replace('{caller}', caller.name);
  return visit.refuse(defaultStatus, words, { documentation_url: documentationUrl, status: String(defaultStatus) });
}

/** An answer that a fault gives may say something else of the limits: that stays. */
async function withHeaders(
  { visit, counters, caller, budget }: LimitedVisit,
  reply: HandlerResponse,
): Promise<HandlerResponse> {
  const state = await counters.read(budget, caller.who);
  const values = { ...describeState(state, visit.clock.now()), resource: budget.resource };
  const headers: Record<string, HeaderMap[string]> = {};
  for (const { name, value, on } of readPolicy().headers) {
    if (on === 'every-answer' && value !== 'retry-after') headers[name] = String(values[value]);
  }
  return { ...reply, headers: { ...headers, ...reply.headers } };
}

/** A budget in the four numbers that headers and overview tell. */
export function describeState(
  { limit, used, remaining, endsInMs }: BudgetState,
  now: number,
): { limit: number; remaining: number; reset: number; used: number } {
  return { limit, remaining, reset: Math.ceil((now + endsInMs) / 1_000), used };
}
