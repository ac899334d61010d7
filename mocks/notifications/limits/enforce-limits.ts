import type { Handler, HandlerResponse, HeaderMap, Middleware, RequestContext } from 'specmill/mock';

import type { LimitAnswer, RateLimit, RateLimitsOperations } from '../../../generated/rate-limits/types.js';
import { type Budget, type BudgetState, RateCounters } from './rate-counters.js';
import {
  type RatedCaller,
  type ResourceBudget,
  lowerBudgets,
  primaryBudgets,
  rateCaller,
  readPolicy,
} from './rated-caller.js';

/** The limits that every route of this mock counts against. */
const RESOURCE = 'core';
/** Unknown paths share one bucket. */
const NO_ENDPOINT = 'none';
/** A limit without a window ends when another request does; a client is asked to wait a minute. Milliseconds. */
const WAIT_WITHOUT_WINDOW = 60_000;

interface LimitedRequest {
  readonly call: RequestContext;
  readonly counters: RateCounters;
  readonly caller: RatedCaller;
  readonly budget: ResourceBudget;
}

export const enforceLimits: Middleware = async (call, next) => {
  const caller = rateCaller(call);
  const budget = primaryBudgets(caller).find(({ resource }) => resource === RESOURCE);
  if (call.options['rateLimit'] === false || budget === undefined) return next();
  const limited: LimitedRequest = { call, counters: new RateCounters(call), caller, budget };
  if (!arrive(limited).isAdmitted) return refuseSecondary(limited, WAIT_WITHOUT_WINDOW);
  limited.counters.enter(caller.who);
  try {
    return await respond(limited, next);
  } finally {
    limited.counters.leave(caller.who);
  }
};

/** The limits when a request came. On a shared state the call may be begun again; these limits stay as they were. */
interface Arrival {
  /** Whether few enough requests were under way. */
  readonly isAdmitted: boolean;
  /** By `performance.now()`. */
  readonly startedAt: number;
  /** Whether CPU time was left, once that was looked at. */
  hadComputeTime?: boolean;
}

const arrivals = new WeakMap<RequestContext['request'], Arrival>();

function arrive({ call: { request }, counters, caller }: LimitedRequest): Arrival {
  const isAdmitted = counters.countUnderWay(caller.who) < mostConcurrent();
  const arrival = arrivals.get(request) ?? { isAdmitted, startedAt: performance.now() };
  arrivals.set(request, arrival);
  return arrival;
}

async function respond(limited: LimitedRequest, next: () => Promise<HandlerResponse>): Promise<HandlerResponse> {
  const { call, counters, caller, budget } = limited;
  const isFree = isExempt(call, undefined);
  const { costOfRequest } = readPolicy().primary;
  const primary = isFree ? { ok: true } : await counters.spend(budget, caller.who, costOfRequest);
  if (!primary.ok) return refusePrimary(limited);
  const waitMs = (await waitOnArrival(limited)) ?? (await admit(counters, secondaryCharges(call, caller.who)));
  if (waitMs !== undefined) {
    if (!isFree) await counters.giveBack(budget, caller.who, costOfRequest);
    return refuseSecondary(limited, waitMs);
  }
  const response = await next();
  await chargeCompute(limited, performance.now() - arrive(limited).startedAt);
  if (isFree) return withHeaders(limited, response);
  if (isExempt(call, response.status)) await counters.giveBack(budget, caller.who, costOfRequest);
  else for (const lower of lowerBudgets(caller, budget)) await counters.charge(lower, caller.who, costOfRequest);
  return withHeaders(limited, response);
}

/** Whether a request does not count: by its operation alone, or also by the status of its response. */
function isExempt({ operation, request }: RequestContext, status: number | undefined): boolean {
  return readPolicy().exemptions.some(({ when, countsAgainstPrimary }) => {
    if (countsAgainstPrimary || (when.status !== undefined && when.status !== status)) return false;
    if (when.operation !== undefined && when.operation !== operation?.id) return false;
    return when.requestHeader === undefined || request.headers[when.requestHeader] !== undefined;
  });
}

interface Charge {
  readonly budget: Budget;
  readonly who: string;
  readonly points: number;
}

/** The secondary limits that count requests. Those of GraphQL, OAuth and of undocumented size have nothing to count here. */
function secondaryCharges({ operation, request }: RequestContext, who: string): readonly Charge[] {
  const { limits, points, contentGenerating } = readPolicy().secondary;
  const method = request.method.toUpperCase();
  const endpoint = operation?.id ?? NO_ENDPOINT;
  const isContent =
    operation !== undefined &&
    (contentGenerating.methods.some((one) => one === method) || contentGenerating.operations.includes(operation.id));
  const cost = points.find((rule) => rule.interface === 'rest' && rule.methods?.some((one) => one === method) === true);
  return limits.flatMap(({ id, measure, interfaces, per, limit, windowSeconds }): Charge[] => {
    if (limit === null || windowSeconds === null || !interfaces.includes('rest')) return [];
    const budget = { id, limit, windowSeconds };
    const counted = per === 'caller-and-endpoint' ? `${who} ${endpoint}` : who;
    if (measure === 'points' && cost !== undefined) return [{ budget, who: counted, points: cost.points }];
    return measure === 'content-requests' && isContent ? [{ budget, who: counted, points: 1 }] : [];
  });
}

function computeBudgets(): readonly Budget[] {
  return readPolicy().secondary.limits.flatMap(({ id, measure, interfaces, limit, windowSeconds }): Budget[] => {
    if (measure !== 'cpu-seconds' || limit === null || windowSeconds === null || !interfaces.includes('rest'))
      return [];
    return [{ id, limit, windowSeconds }];
  });
}

/** The processing time of a request is charged when it ends, so only requests count that had ended when this one came. */
async function waitOnArrival(limited: LimitedRequest): Promise<number | undefined> {
  const arrival = arrive(limited);
  if (arrival.hadComputeTime === true) return undefined;
  const waitMs = await waitForCompute(limited);
  arrival.hadComputeTime = waitMs === undefined;
  return waitMs;
}

/** The wait if no CPU time is left, in milliseconds. The cost of a request is known only after it. */
async function waitForCompute({ counters, caller }: LimitedRequest): Promise<number | undefined> {
  for (const budget of computeBudgets()) {
    const { remaining, endsInMs } = await counters.read(budget, caller.who);
    if (remaining <= 0) return endsInMs;
  }
  return undefined;
}

/** CPU time is estimated by the time of the response, in tenths of a second: most responses of a mock cost nothing. */
async function chargeCompute({ counters, caller }: LimitedRequest, elapsedMs: number): Promise<void> {
  const seconds = Math.round(elapsedMs / 100) / 10;
  if (seconds === 0) return;
  for (const budget of computeBudgets()) await counters.charge(budget, caller.who, seconds);
}

function mostConcurrent(): number {
  const limit = readPolicy().secondary.limits.find(({ measure }) => measure === 'concurrent-requests')?.limit;
  return limit ?? Infinity;
}

/** Spends all charges or none. Returns the wait in milliseconds if one exceeds its limit. */
async function admit(counters: RateCounters, charges: readonly Charge[]): Promise<number | undefined> {
  for (const [index, { budget, who, points }] of charges.entries()) {
    const { ok, endsInMs } = await counters.spend(budget, who, points);
    if (ok) continue;
    for (const spent of charges.slice(0, index)) await counters.giveBack(spent.budget, spent.who, spent.points);
    return endsInMs;
  }
  return undefined;
}

async function refusePrimary(limited: LimitedRequest): Promise<HandlerResponse> {
  return withHeaders(limited, refuse(limited, readPolicy().answers.primary));
}

async function refuseSecondary(limited: LimitedRequest, waitMs: number): Promise<HandlerResponse> {
  const response = refuse(limited, readPolicy().answers.secondary);
  const seconds = String(Math.max(1, Math.ceil(waitMs / 1_000)));
  return withHeaders(limited, { ...response, headers: { ...response.headers, 'retry-after': seconds } });
}

function refuse(
  { call, caller }: LimitedRequest,
  { defaultStatus, message, documentationUrl }: LimitAnswer,
): HandlerResponse {
  const text = message.replace('{caller}', caller.name);
  return call.refuse(defaultStatus, text, { documentation_url: documentationUrl, status: String(defaultStatus) });
}

/** Headers that a fault sets stay. */
async function withHeaders(
  { call, counters, caller, budget }: LimitedRequest,
  response: HandlerResponse,
): Promise<HandlerResponse> {
  const state = await counters.read(budget, caller.who);
  const values = { ...describeState(state, call.clock.now()), resource: budget.resource };
  const headers: Record<string, HeaderMap[string]> = {};
  for (const { name, value, on } of readPolicy().headers) {
    if (on === 'every-answer' && value !== 'retry-after') headers[name] = String(values[value]);
  }
  return { ...response, headers: { ...headers, ...response.headers } };
}

/** A budget in the four numbers of the headers and the overview. */
function describeState(
  { limit, used, remaining, endsInMs }: BudgetState,
  now: number,
): { limit: number; remaining: number; reset: number; used: number } {
  return { limit, remaining, reset: Math.ceil((now + endsInMs) / 1_000), used };
}

/** The remaining primary limits of the caller, for every resource family; without limits, the whole ones. */
export const getRateLimit: Handler<RateLimitsOperations['getRateLimit']> = async (call) => {
  const caller = rateCaller(call);
  const isRefused = caller.kind === 'unauthenticated' && call.request.headers['authorization'] !== undefined;
  if (isRefused) return call.refuse(401, 'Bad credentials');
  const counters = new RateCounters(call);
  const now = call.clock.now();
  const resources: Record<string, RateLimit> = {};
  for (const budget of primaryBudgets(caller))
    resources[budget.resource] = describeState(await counters.read(budget, caller.who), now);
  const { core, search, graphql } = resources;
  if (core === undefined || search === undefined || graphql === undefined)
    throw new Error(`The policy has no limits for ${caller.kind}.`);
  return call.respond(200, { resources: { ...resources, core, search, graphql }, rate: core });
};
