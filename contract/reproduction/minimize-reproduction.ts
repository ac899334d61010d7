import { setTimeout as wait } from 'node:timers/promises';

import { listPathOf } from '../../resources/envelope.js';
import { isSuccess } from '../../http/messages.js';
import type { ContractRun } from '../execute/contract-run.js';
import { withoutUndefined } from '../../model/document/records.js';
import type { Call, Case, Exchange } from '../types.js';
import { shrinkRequest, meansTheSame } from '../findings/shrink-request.js';
import { resolvePointer } from '../../model/document/pointer.js';
import { holds, isAboutMany } from '../expectations/kinds.js';
import { evidenceOf } from '../expectations/printer.js';
import { isSame } from '../expectations/is-same.js';
import { scalarText } from '../../http/request/write-request.js';
import { itemsAround } from './build-reproduction.js';
import { readSource } from './capture.js';
import { withEqualValues } from './equal-values.js';
import { enoughReadings, withManyReadings } from './job-readings.js';
import { withSmallerPages } from './smaller-pages.js';
import { withLiterals } from './try-literals.js';
import {
  READ_AFTER_MS,
  type Readings,
  type Reproduction,
  type Step,
  fillCall,
  readPlace,
  sentTogether,
} from './reproduction.js';
import type { Outcome } from '../checks/problem.js';

/** The most requests spent on minimizing one reproduction. */
const MAX_REQUESTS = 80;
/** The most steps of shrinking a body. */
const MAX_SHRINKS = 12;

/**
 * Repeats a reproduction, then removes what it does not need to show the same problem: requests, then members of their
 * bodies. Marks a reproduction that does not show the problem again.
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
  const literal = withLiterals(run, reproduction);
  const alone = literal === undefined ? undefined : await repeat(run, literal);
  if (alone !== undefined) {
    total.left -= 1;
    return alone;
  }
  const exact = (await repeatValid(run, reproduction, budget)) ?? (await repeat(run, reproduction));
  const first =
    exact ??
    (reproduction.about && (await repeat(run, general))) ??
    // The printed lines have the values of the first time.
    (await repeat(run, reproduction, 'as printed')) ??
    (await repeatReadings(run, reproduction));
  if (first === undefined) {
    total.left -= reproduction.steps.length;
    const last = reproduction.steps.at(-1)?.sent.call.operation;
    const isList = last !== undefined && listPathOf(last, run.options.api) !== undefined;
    return { ...withoutReads(reproduction), uncertain: isList ? 'list' : 'requests' };
  }
  if (first.readings !== undefined) {
    total.left -= most - budget.left;
    return (await repeat(run, { ...first, steps: withProviders(first.steps, new Set()) })) ?? first;
  }
  const paged = withSmallerPages(run, first);
  const small = paged === undefined || budget.left < paged.steps.length ? undefined : await repeat(run, paged);
  if (small !== undefined) budget.left -= small.steps.length;
  const shorter = await dropSteps(run, small ?? first, budget);
  // Unless the reproduction shows its own item, a member may seem irrelevant only because other items are wrong as
  // well.
  const showsOwnItem = exact !== undefined && (first.assertion.expects === 'response' || !isAboutMany(first.assertion));
  const smallest = showsOwnItem ? await shrinkBodies(run, shorter, budget) : shorter;
  total.left -= most - budget.left;
  return smallest;
}

/**
 * Repeats a reproduction with valid requests before the last one: a correct server refuses invalid ones, and the last
 * one would never be sent.
 */
async function repeatValid(
  run: ContractRun,
  reproduction: Reproduction,
  budget: Budget,
): Promise<Reproduction | undefined> {
  const { steps } = reproduction;
  if (steps.every(({ validTwin }) => validTwin === undefined) || budget.left < steps.length) return undefined;
  budget.left -= steps.length;
  const valid = steps.map(({ validTwin, ...step }): Step => ({ ...step, ...validTwin }));
  return repeat(run, { ...reproduction, steps: valid });
}

/**
 * Repeats a reproduction whose last request reads a job, until the job shows the problem. A spare request that is refused
 * this time ends a repetition, so the job is then read without them.
 */
async function repeatReadings(run: ContractRun, reproduction: Reproduction): Promise<Reproduction | undefined> {
  const read = withManyReadings(reproduction);
  if (read === undefined) return undefined;
  return (await repeat(run, read)) ?? repeat(run, { ...read, steps: withProviders(read.steps, new Set()) });
}

/** Remaining requests. */
export interface Budget {
  left: number;
}

/**
 * The reproduction as repeated, or `undefined` if it did not show the problem. Unique values are new ones, and those that
 * were equal stay equal, unless the requests are repeated as they are printed.
 */
async function repeat(
  run: ContractRun,
  reproduction: Reproduction,
  how: 'renewed' | 'as printed' = 'renewed',
): Promise<Reproduction | undefined> {
  const { steps, assertion } = reproduction;
  const made: Step[] = [];
  let last: Sent | undefined;
  for (const group of sentTogether(steps)) {
    const start = made.length;
    for (const step of group) {
      const filled = fillCall(step.sent.call, step.fills, (key) => made.find((one) => one.key === key)?.exchange);
      if (filled === undefined) return undefined;
      const call =
        how === 'renewed' ? withEqualValues(run.context.pool.withFreshIds(filled), step, { steps, made }) : filled;
      made.push({ ...step, sent: { ...step.sent, call } });
    }
    const cases = made.slice(start).map(({ sent }) => sent);
    const outcomes = await sendGroup(run, cases, made.length === steps.length ? reproduction : undefined);
    if (outcomes.length < group.length) return undefined;
    for (const [index, { outcome }] of outcomes.entries()) {
      const step = made[start + index];
      if (step === undefined) return undefined;
      const isLast = start + index === steps.length - 1;
      if (!isLast && !isAsBefore(run, step, outcome.exchange)) return undefined;
      made[start + index] = { ...step, exchange: outcome.exchange };
    }
    last = outcomes.at(-1);
  }
  if (last === undefined) return undefined;
  const { outcome, readings } = last;
  const isShown = assertion.expects === 'response' ? assertion.matches(outcome) : !holds(assertion, evidenceOf(made));
  if (!isShown || !isAbout(run, reproduction, made, outcome)) return undefined;
  const { exchange, problems } = outcome;
  const shown =
    assertion.expects === 'response'
      ? problems.find((problem) => assertion.matches({ exchange, problems: [problem] }))
      : undefined;
  return { ...reproduction, steps: made, ...withoutUndefined({ shown, readings }) };
}

interface Sent {
  readonly outcome: Outcome;
  readonly readings: Readings | undefined;
}

/** Whether a repeated request succeeded, or was refused, as before. */
function isAsBefore(run: ContractRun, { sent, exchange: before }: Step, exchange: Exchange): boolean {
  return isSuccess(before) === isSuccess(exchange) || isGone(run, exchange, sent);
}

/** Sends requests at the same time, a single one as {@link send} does. Fewer outcomes than cases: some were not sent. */
async function sendGroup(
  run: ContractRun,
  cases: readonly Case[],
  reproduction: Reproduction | undefined,
): Promise<readonly Sent[]> {
  const [only] = cases;
  if (cases.length === 1 && only !== undefined) {
    const sent = await send(run, only, reproduction);
    return sent === undefined ? [] : [sent];
  }
  return (await run.client.sendTogether(cases)).map(({ outcome }) => ({ outcome, readings: undefined }));
}

/** Sends a request once, or as often as a job must be read to show the problem. `undefined` if it was not sent. */
async function send(run: ContractRun, sent: Case, reproduction: Reproduction | undefined): Promise<Sent | undefined> {
  const readings = reproduction?.readings;
  for (let count = 1; ; count += 1) {
    if (readings !== undefined) await wait(READ_AFTER_MS);
    const outcome = await run.client.probe(sent);
    if (outcome === undefined) return undefined;
    if (readings?.judged === 'each' && isShownBy(outcome, reproduction))
      return { outcome, readings: { ...readings, count: enoughReadings(count) } };
    if (count >= (readings?.count ?? 1)) return { outcome, readings };
  }
}

function isShownBy(outcome: Outcome, reproduction: Reproduction | undefined): boolean {
  return reproduction?.assertion.expects === 'response' && reproduction.assertion.matches(outcome);
}

/** Whether the wrong item is the one that the reproduction has created. */
function isAbout(
  run: ContractRun,
  { assertion, about }: Reproduction,
  made: readonly Step[],
  { exchange, problems }: Outcome,
): boolean {
  const last = made.at(-1);
  const origin = made.find(({ key }) => key === about?.from);
  const id = about === undefined || origin === undefined ? undefined : readSource(about.source, origin.exchange);
  if (assertion.expects !== 'response' || id === undefined || last === undefined) return true;
  return problems.some(
    (problem) =>
      assertion.matches({ exchange, problems: [problem] }) &&
      itemsAround(run, { sent: last.sent, exchange }, problem.pointer).some(
        (one) => scalarText(one.id) === scalarText(id),
      ),
  );
}

/** Whether a removal found its item removed already, which counts as success. */
function isGone(run: Pick<ContractRun, 'context'>, { status }: Exchange, { call }: Case): boolean {
  return (status === 404 || status === 410) && run.context.pool.roles.isRemoval(call.operation);
}

/**
 * Drops the spare requests that are not needed: first keeps none of the changes, then the last one, two, four and so
 * on, then tries to drop each remaining request, the last first. Those that give ids stay.
 */
async function dropSteps(run: ContractRun, reproduction: Reproduction, budget: Budget): Promise<Reproduction> {
  let smallest = (await keepLast(run, reproduction, budget)) ?? reproduction;
  for (const { key } of smallest.steps.filter(({ isSpare }) => isSpare === true).toReversed()) {
    const steps = smallest.steps.filter((step) => step.key !== key);
    const isProvider = steps.some(({ fills }) => fills.some(({ from }) => from === key));
    if (isProvider || budget.left < steps.length) continue;
    budget.left -= steps.length;
    smallest = (await repeat(run, { ...smallest, steps })) ?? smallest;
  }
  return smallest;
}

/**
 * Keeps as few of the last spare changes as show the problem, at first none. Drops spare reads, which seldom matter.
 */
async function keepLast(
  run: ContractRun,
  reproduction: Reproduction,
  budget: Budget,
): Promise<Reproduction | undefined> {
  const { steps } = reproduction;
  const changes = steps.filter(({ isSpare, sent }) => isSpare === true && sent.call.operation.method !== 'get');
  for (let count = 0; ; count = Math.max(1, count * 2)) {
    const kept = withProviders(steps, new Set(count === 0 ? [] : changes.slice(-count)));
    if (kept.length === steps.length || budget.left < kept.length) return undefined;
    budget.left -= kept.length;
    const repeated = await repeat(run, { ...reproduction, steps: kept });
    if (repeated !== undefined) return repeated;
    if (count >= changes.length) return undefined;
  }
}

/** Removes the spare reads: they seldom matter, and may show less on another server. */
function withoutReads(reproduction: Reproduction): Reproduction {
  const { steps } = reproduction;
  const changes = steps.filter(({ isSpare, sent }) => isSpare === true && sent.call.operation.method !== 'get');
  return { ...reproduction, steps: withProviders(steps, new Set(changes)) };
}

/** The needed steps, the given spare ones, and the steps that give them values. */
function withProviders(steps: readonly Step[], spare: ReadonlySet<Step>): Step[] {
  const kept = new Set(steps.filter((step) => step.isSpare !== true || spare.has(step)));
  for (const step of kept)
    for (const { from } of step.fills) {
      const provider = steps.find(({ key }) => key === from);
      if (provider !== undefined) kept.add(provider);
    }
  return steps.filter((step) => kept.has(step));
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

/**
 * Whether a call is smaller and keeps what the assertion may need: the parameters, and the values from earlier
 * responses.
 */
function isSmallerOf({ sent, fills, keeps }: Step, call: Call, { options }: ContractRun): boolean {
  return (
    call.parameters === sent.call.parameters &&
    (keeps === undefined ||
      isSame(resolvePointer(call.body?.value, keeps), resolvePointer(sent.call.body?.value, keeps))) &&
    meansTheSame(sent, call, options.api) &&
    fills.every(({ place }) => readPlace(call, place) !== undefined)
  );
}
