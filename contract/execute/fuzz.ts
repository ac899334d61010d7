import fc from 'fast-check';

import { stringifyExactJson } from '../../runtime/json-integers.js';
import type { Api, Parameter } from '../../model/api.js';
import { arbitraryOf } from '../plan/arbitraries.js';
import { type CallContext, fillableParameters } from '../plan/build-request-values.js';
import type { ContractRun } from './contract-run.js';
import { hasForm } from '../../http/request/write-request.js';
import { slotValue, withSlot } from './ids/id-slot.js';
import type { PhaseInput } from '../stateful/run-stateful.js';
import { isTag } from './current-tags.js';
import { isKey } from './ids/unique-ids.js';
import { sendCases } from './case-executor.js';
import type { Call, CallBody, Case } from '../types.js';
import type { Problem } from '../checks/problem.js';

/** Sends random calls made from the schemas; fast-check shrinks those that fail. Deterministic for a seed. */
export async function runFuzz(run: ContractRun, { operations }: PhaseInput): Promise<void> {
  const { seed } = run.options;
  const { inTime } = run.context;
  for (const [index, operation] of operations.entries()) {
    const maxExamples = fuzzCases(run, operations.length - index);
    const base = await run.items.validCall(operation, 'fuzz');
    if (base === undefined) continue;
    const arbitrary = arbitraryCall(base, run);
    const drawn = new Map<Case, number>();
    for await (const { tried, source, outcome } of sendCases(
      run,
      draw(arbitrary, { seed, maxExamples, drawn, inTime }),
    )) {
      const fresh = outcome.problems.filter((one) => !run.findings.isKnown(one, operation, outcome.exchange.status));
      if (fresh.length > 0) await keepSmallest(run, arbitrary, { index: drawn.get(source) ?? 0, fresh });
      await run.findings.recordProblems(tried, outcome);
    }
  }
}

/** Requests that are kept back for reproductions. */
const RESERVE = 300;
const LEAST_CASES = 6;

/** Divides the remaining requests of a run among the remaining operations. */
function fuzzCases({ options, client }: ContractRun, operations: number): number {
  const share = Math.floor((options.requestBudget - RESERVE - client.count) / operations);
  return Math.min(options.maxExamples, Math.max(LEAST_CASES, share));
}

interface Drawing extends Pick<CallContext, 'inTime'> {
  readonly seed: number;
  readonly maxExamples: number;
  /** The index of each call in the sequence of the seed. */
  readonly drawn: Map<Case, number>;
}

/** Calls made per sample: fast-check repeats all earlier ones for each sample. */
const DRAWN_AT_ONCE = 4;

/** The most times that the same call is sent: a repetition may fail where the first did not. */
const MOST_REPEATS = 3;

/** Yields the calls of a seed lazily: making one can take as long as a response of the server. */
function* draw(calls: fc.Arbitrary<Call>, { seed, maxExamples, drawn, inTime }: Drawing): Generator<Case> {
  const counts = new Map<string, number>();
  for (let first = 0; first < maxExamples; first += DRAWN_AT_ONCE) {
    const numRuns = Math.min(DRAWN_AT_ONCE, maxExamples - first);
    for (const [offset, call] of inTime(() => fc.sample(calls, { seed, path: String(first), numRuns })).entries()) {
      const key = contentOf(call);
      const count = (counts.get(key) ?? 0) + 1;
      counts.set(key, count);
      if (count > MOST_REPEATS) continue;
      const made = toCase(call);
      drawn.set(made, first + offset);
      yield made;
    }
  }
}

/** What a call differs in from others of its operation when it is sent. */
function contentOf({ parameters, body }: Call): string {
  const own = [...parameters].filter(([one]) => !isTag(one) && !isKey(one));
  const values = own.map(([{ name, in: place }, value]) => [place, name, value]);
  return stringifyExactJson([values, body?.value]);
}

function toCase(call: Call): Case {
  return { phase: 'fuzz', call, expectation: { kind: 'valid' } };
}

/** Requests that fast-check may spend on shrinking one failure. */
const MAX_SHRINKS = 60;

interface Failure {
  /** The index of the call in the sequence of the seed. */
  readonly index: number;
  readonly fresh: readonly Problem[];
}

/** Has fast-check make the same call again and shrink it. */
async function keepSmallest(
  run: Pick<ContractRun, 'client' | 'items' | 'options'>,
  calls: fc.Arbitrary<Call>,
  { index, fresh }: Failure,
): Promise<void> {
  const wanted = new Set(fresh.map((one) => keyOf(one)));
  let left = MAX_SHRINKS;
  let smallest: Call | undefined;
  let stop: unknown;
  const property = fc.asyncProperty(calls, async (call) => {
    left -= 1;
    if (stop !== undefined || left < 0) return true;
    // fast-check would count an exception as a failure of the property.
    const outcome = await run.items
      .refreshIds(call, 'fuzz')
      .then((ready) => run.client.probe(toCase(ready)))
      .catch((error: unknown) => void (stop = error));
    const isSame = outcome?.problems.some((one) => wanted.has(keyOf(one))) === true;
    if (isSame) smallest = call;
    return !isSame;
  });
  await fc.check(property, { seed: run.options.seed, path: String(index), numRuns: 1 });
  if (stop !== undefined) throw stop as Error;
  if (smallest !== undefined) await run.client.send(toCase(await run.items.refreshIds(smallest, 'fuzz')));
}

function keyOf({ check, cause }: Problem): string {
  return `${check} ${cause}`;
}

/** Values that can be written as the parameter. If its schema has none, an optional parameter is left out. */
function writableValue(parameter: Parameter, api: Api): fc.Arbitrary<unknown> {
  const any = arbitraryOf(parameter.schema, api);
  const isWritable = fc.sample(any, { seed: 1, numRuns: 10 }).some((value) => hasForm(parameter, value));
  if (isWritable) return any.filter((value) => hasForm(parameter, value));
  return parameter.required ? any : fc.constant(undefined);
}

function arbitraryCall(base: Call, run: Pick<ContractRun, 'context'>): fc.Arbitrary<Call> {
  const { api, pool } = run.context;
  const parameters = fillableParameters(base.operation, api).map((parameter) => {
    const known = pool.isKnown(base.operation, parameter) ? base.parameters.get(parameter) : undefined;
    const value = known === undefined ? writableValue(parameter, api) : fc.constant(known);
    const own = parameter.required ? value : fc.option(value, { nil: undefined });
    return own.map((made): [Parameter, unknown] => [parameter, made]);
  });
  const { body } = base;
  const bodies: fc.Arbitrary<CallBody | undefined> =
    body === undefined
      ? fc.constant(undefined)
      : arbitraryOf(body.media.schema ?? { type: 'string' }, api).map((value) => ({ media: body.media, value }));
  return fc.tuple(fc.tuple(...parameters), bodies).map(([entries, made]) => {
    const given = new Map(entries.filter(([, value]) => value !== undefined));
    const bare = { operation: base.operation, parameters: given, ...(made === undefined ? {} : { body: made }) };
    // Uses ids of existing items: a random id would be refused and hide other faults.
    const call = pool.ownIds.withIdsOf(pool.references.withReferencesOf(bare, base), base);
    return pool.bodySlots(base.operation).reduce<Call>((filled, name) => {
      const id = slotValue(base, { in: 'body', name });
      return id === undefined ? filled : withSlot(filled, { in: 'body', name }, id);
    }, call);
  });
}
