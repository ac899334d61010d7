import type { ContractRun } from '../execute/contract-run.js';
import type { Outcome } from '../types.js';
import { shrinkRequest, meansTheSame } from '../findings/shrink-request.js';
import type { Call, Case, Exchange } from '../types.js';
import { scalarText } from '../execute/http/serialize-parameter.js';
import { itemsAround } from './build-reproduction.js';
import { readSource } from './capture.js';
import { isBroken } from './evaluate-assertion.js';
import { type Reproduction, type Step, fillCall, readPlace } from './reproduction.js';

/** How many requests may be spent on making one reproduction smaller. */
const MAX_REQUESTS = 80;
/** Bodies are made smaller in so many steps. */
const MAX_SHRINKS = 12;

/**
 * Repeats a reproduction, and leaves out what it does not need to show the same: requests, then members of their bodies. One that
 * does not show it again is marked.
 *
 * @throws RunStopped if the time of the run is up.
 */
export async function minimizeReproduction(
  run: ContractRun,
  reproduction: Reproduction,
  total: Budget,
): Promise<Reproduction> {
  if (reproduction.steps.length < 2 || total.left < reproduction.steps.length) return reproduction;
  const most = Math.min(MAX_REQUESTS, total.left);
  const budget = { left: most - reproduction.steps.length };
  const { about: _others, ...general } = reproduction;
  const exact = (await repeatProper(run, reproduction, budget)) ?? (await repeat(run, reproduction));
  const first = exact ?? (reproduction.about && (await repeat(run, general)));
  if (first === undefined) {
    total.left -= reproduction.steps.length;
    return { ...reproduction, isUncertain: true };
  }
  const shorter = await dropSteps(run, first, budget);
  // Without the item itself in sight, a member of it may seem idle only because other items are wrong as well.
  const smallest = exact === undefined ? shorter : await shrinkBodies(run, shorter, budget);
  total.left -= most - budget.left;
  return smallest;
}

/** With valid requests before the last one: a server that is right refuses others, and the last one is never sent. */
async function repeatProper(
  run: ContractRun,
  reproduction: Reproduction,
  budget: Budget,
): Promise<Reproduction | undefined> {
  const { steps } = reproduction;
  if (steps.every(({ proper }) => proper === undefined) || budget.left < steps.length) return undefined;
  budget.left -= steps.length;
  const valid = steps.map(({ proper, ...step }): Step => ({ ...step, ...proper }));
  return repeat(run, { ...reproduction, steps: valid });
}

/** Requests that may be spent. */
export interface Budget {
  left: number;
}

/** The reproduction as it was repeated, or `undefined` where it did not show the same. */
async function repeat(run: ContractRun, reproduction: Reproduction): Promise<Reproduction | undefined> {
  const { steps, claim } = reproduction;
  const made: Step[] = [];
  let outcome: Outcome | undefined;
  for (const step of steps) {
    const filled = fillCall(step.sent.call, step.fills, (key) => made.find((one) => one.key === key)?.exchange);
    if (filled === undefined) return undefined;
    const sent = { ...step.sent, call: run.context.pool.withFreshIds(filled) };
    outcome = await run.send(sent);
    if (outcome === undefined) return undefined;
    const isLast = step === steps.at(-1);
    if (!isLast && isGood(step.exchange) !== isGood(outcome.exchange) && !isGone(run, outcome, sent)) return undefined;
    made.push({ ...step, sent, exchange: outcome.exchange });
  }
  if (outcome === undefined || !isBroken(claim, made, outcome) || !isAbout(run, reproduction, made, outcome))
    return undefined;
  const { exchange, problems } = outcome;
  const shown =
    claim.expects === 'response'
      ? problems.find((problem) => claim.matches({ exchange, problems: [problem] }))
      : undefined;
  return { ...reproduction, steps: made, ...(shown === undefined ? {} : { shown }) };
}

/** Whether the item that is wrong is the one that the reproduction has created. */
function isAbout(
  run: ContractRun,
  { claim, about }: Reproduction,
  made: readonly Step[],
  { exchange, problems }: Outcome,
): boolean {
  const last = made.at(-1);
  const origin = made.find(({ key }) => key === about?.from);
  const id = about === undefined || origin === undefined ? undefined : readSource(about.source, origin.exchange);
  if (claim.expects !== 'response' || id === undefined || last === undefined) return true;
  return problems.some(
    (problem) =>
      claim.matches({ exchange, problems: [problem] }) &&
      itemsAround(run, { sent: last.sent, exchange }, problem.pointer).some(
        (one) => scalarText(one.id) === scalarText(id),
      ),
  );
}

/** Parts that were removed before count as removed. */
function isGone(run: ContractRun, { exchange }: Outcome, { call }: Case): boolean {
  return (exchange.status === 404 || exchange.status === 410) && run.context.pool.roles.isRemoval(call.operation);
}

function isGood({ status }: Exchange): boolean {
  return status >= 200 && status < 300;
}

/** Without one spare request after the other, the last first; those that give ids stay. */
async function dropSteps(run: ContractRun, reproduction: Reproduction, budget: Budget): Promise<Reproduction> {
  // Mostly none of them is needed.
  const bare = { ...reproduction, steps: reproduction.steps.filter(({ isSpare }) => isSpare !== true) };
  if (bare.steps.length < reproduction.steps.length && budget.left >= bare.steps.length) {
    budget.left -= bare.steps.length;
    const repeated = await repeat(run, bare);
    if (repeated !== undefined) return repeated;
  }
  let smallest = reproduction;
  for (const { key } of reproduction.steps.filter(({ isSpare }) => isSpare === true).toReversed()) {
    const steps = smallest.steps.filter((step) => step.key !== key);
    const isGiver = steps.some(({ fills }) => fills.some(({ from }) => from === key));
    if (isGiver || budget.left < steps.length) continue;
    budget.left -= steps.length;
    smallest = (await repeat(run, { ...smallest, steps })) ?? smallest;
  }
  return smallest;
}

async function shrinkBodies(run: ContractRun, reproduction: Reproduction, budget: Budget): Promise<Reproduction> {
  let smallest = reproduction;
  for (const { key } of reproduction.steps) {
    const step = smallest.steps.find((one) => one.key === key);
    if (step?.sent.call.body === undefined) continue;
    await shrinkRequest(step.sent.call, MAX_SHRINKS, async (call) => {
      if (budget.left < smallest.steps.length || !isSmallerOf(step, call, run)) return false;
      budget.left -= smallest.steps.length;
      const steps = smallest.steps.map((one) => (one.key === key ? { ...one, sent: { ...one.sent, call } } : one));
      const repeated = await repeat(run, { ...smallest, steps });
      smallest = repeated ?? smallest;
      return repeated !== undefined;
    });
  }
  return smallest;
}

/** Parameters may be what the claim is about, and what a call takes from earlier responses stays in it. */
function isSmallerOf({ sent, fills }: Step, call: Call, { options }: ContractRun): boolean {
  return (
    call.parameters === sent.call.parameters &&
    meansTheSame(sent, call, options.api) &&
    fills.every(({ place }) => readPlace(call, place) !== undefined)
  );
}
