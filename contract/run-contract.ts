import { InputError } from '../model/diagnostics/input-error.js';
import { boundaryCases } from './cases/boundary-cases.js';
import { exampleCalls } from './cases/make-call.js';
import { negativeCases } from './cases/negative-cases.js';
import { ContractRun } from './contract-run.js';
import { runFuzz } from './phases/fuzz.js';
import { runStateful } from './phases/stateful.js';
import { RunStopped } from './requests/send.js';
import { resolveOptions } from './resolve-options.js';
import type { Case, ContractOptions, ContractReport, Phase } from './types.js';

/**
 * Holds a server against its spec.
 *
 * @throws InputError where an option makes no sense, or the server does not answer at all.
 * @throws SpecError where the spec cannot be used.
 * @example
 * const report = await runContract({ api: 'signing', url: mock.url, seed: 1 });
 * expect(report.findings).toEqual([]);
 */
export async function runContract(options: ContractOptions): Promise<ContractReport> {
  const resolved = await resolveOptions(options);
  const run = new ContractRun(resolved);
  const started = performance.now();
  await checkReachable(run);
  let stopped: ContractReport['stopped'];
  try {
    for (const phase of resolved.phases) await PHASE_RUNNERS[phase](run);
  } catch (error) {
    if (!(error instanceof RunStopped)) throw error;
    stopped = error.reason;
  }
  return {
    api: resolved.name,
    url: resolved.url.href,
    seed: resolved.seed,
    phases: resolved.phases,
    operations: run.operations.length,
    requests: run.sender.count,
    durationMs: Math.round(performance.now() - started),
    ...(stopped === undefined ? {} : { stopped }),
    findings: run.findings,
    coverage: run.coverage.report(resolved.api),
  };
}

const PHASE_RUNNERS: Readonly<Record<Phase, (run: ContractRun) => Promise<void>>> = {
  examples: runExamples,
  stateful: runStateful,
  boundary: (run) => runCases(run, 'boundary', boundaryCases),
  negative: (run) => runCases(run, 'negative', negativeCases),
  fuzz: runFuzz,
};

/** Any answer will do: what it is worth is seen later. */
async function checkReachable({ options }: ContractRun): Promise<void> {
  const signal = AbortSignal.timeout(options.timeLimitMs);
  try {
    const response = await options.fetch(options.url.href, { method: 'GET', redirect: 'manual', signal });
    await response.body?.cancel();
  } catch (error) {
    throw new InputError(`The server at ${options.url.origin} does not answer.`, {}, { cause: error });
  }
}

async function runExamples(run: ContractRun): Promise<void> {
  for (const operation of run.operations) {
    await run.base(operation, 'examples');
    for (const { judged, ...call } of exampleCalls(operation, run.context).slice(0, run.options.maxExamples))
      await run.try({
        phase: 'examples',
        call,
        expectation: { kind: 'valid', about: 'an example of the spec', ...(judged === undefined ? {} : { judged }) },
      });
  }
}

/** The order in which operations are broken: what takes items away comes last. */
async function runCases(run: ContractRun, phase: Phase, makeCases: typeof boundaryCases): Promise<void> {
  const ordered = [...run.operations].sort(
    (one, other) => Number(one.method === 'delete') - Number(other.method === 'delete'),
  );
  for (const operation of ordered) {
    const base = await run.base(operation, phase);
    if (base === undefined) continue;
    for (const tried of spread(makeCases(base, run.context), run.options.maxExamples))
      await run.try(await withLiveIds(tried, run));
  }
}

/** A case before this one may have taken the item away. */
async function withLiveIds(tried: Case, run: ContractRun): Promise<Case> {
  const { operation } = tried.call;
  if (run.context.pool.missing(operation).length === 0) return tried;
  const fresh = await run.base(operation, tried.phase);
  if (fresh === undefined || tried.expectation.kind !== 'valid') return tried;
  const ids = [...fresh.parameters].filter(([parameter]) => parameter.in === 'path');
  return { ...tried, call: { ...tried.call, parameters: new Map([...tried.call.parameters, ...ids]) } };
}

/** Some of each kind, and the others evenly: always the same ones. */
function spread(items: readonly Case[], most: number): Case[] {
  if (items.length <= most) return [...items];
  const kinds = new Map(items.toReversed().map((item) => [kindOf(item), item]));
  const first = [...kinds.values()].toReversed().slice(0, most);
  const rest = items.filter((item) => !first.includes(item));
  const left = most - first.length;
  const others = Array.from({ length: left }, (_, index) => rest[Math.floor((index * rest.length) / left)]);
  return [...first, ...others.filter((item) => item !== undefined)];
}

function kindOf({ expectation }: Case): string {
  if (expectation.kind === 'invalid') return expectation.keyword;
  return expectation.kind === 'valid' ? (expectation.about?.split(': ').at(-1) ?? '') : expectation.kind;
}
