import fc from 'fast-check';

import type { Parameter } from '../../model/api.js';
import { arbitraryOf } from '../cases/value-arbitrary.js';
import { fillableParameters } from '../cases/make-call.js';
import type { ContractRun } from '../contract-run.js';
import type { Call, CallBody, Problem } from '../types.js';

/** Sends calls made at random from the schemas; what fails is made smaller by fast-check. The seed decides everything. */
export async function runFuzz(run: ContractRun): Promise<void> {
  for (const operation of run.operations) {
    const base = await run.base(operation, 'fuzz');
    if (base === undefined) continue;
    const calls = arbitraryCall(base, run);
    await fuzzCall(calls, run);
  }
}

/** Requests that fast-check may spend on making one failure smaller. */
const MAX_SHRINKS = 60;

async function fuzzCall(calls: fc.Arbitrary<Call>, run: ContractRun): Promise<void> {
  const { seed, maxExamples } = run.options;
  let left = MAX_SHRINKS;
  let wanted: string | undefined;
  let smallest: { readonly problem: Problem; readonly call: Call } | undefined;
  let stop: unknown;
  const property = fc.asyncProperty(calls, async (call) => {
    if (stop !== undefined || (wanted !== undefined && (left -= 1) < 0)) return true;
    // What is thrown would be taken for a failure of the property.
    const outcome = await run
      .send({ phase: 'fuzz', call, expectation: { kind: 'valid' } })
      .catch((error: unknown) => void (stop = error));
    if (outcome === undefined) return true;
    const fresh = outcome.problems.filter((one) => !run.isKnown(one, call.operation, outcome.exchange.status));
    const problem = fresh.find((one) => wanted === undefined || keyOf(one) === wanted);
    if (problem === undefined) return true;
    wanted = keyOf(problem);
    smallest = { problem, call };
    return false;
  });
  await fc.check(property, { seed, numRuns: maxExamples });
  if (stop !== undefined) throw stop;
  if (smallest !== undefined) await run.try({ phase: 'fuzz', call: smallest.call, expectation: { kind: 'valid' } });
}

function keyOf({ check, cause }: Problem): string {
  return `${check} ${cause}`;
}

function arbitraryCall(base: Call, run: ContractRun): fc.Arbitrary<Call> {
  const { api } = run.options;
  const parameters = fillableParameters(base.operation, api).map((parameter) => {
    const known = parameter.in === 'path' ? base.parameters.get(parameter) : undefined;
    const value = known === undefined ? arbitraryOf(parameter.schema, api) : fc.constant(known);
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
    return { operation: base.operation, parameters: given, ...(made === undefined ? {} : { body: made }) };
  });
}
