import type { Operation } from '../model/api.js';
import { InputError, systemCode } from '../model/diagnostics/input-error.js';
import { boundaryCases } from './plan/boundary-cases.js';
import { exampleCalls } from './plan/build-request-values.js';
import { negativeCases } from './plan/negative-cases.js';
import { TestRunner } from './execute/test-runner.js';
import { runFuzz } from './execute/fuzz.js';
import { type Turn, runStateful } from './stateful/run-stateful.js';
import { MockClock } from './execute/http/control-clock.js';
import { RunStopped } from './execute/http/request-sender.js';
import { type ResolvedOptions, resolveOptions, setUpRun } from './resolve-options.js';
import { sendCases } from './execute/case-executor.js';
import { checkExpiry, findEndings } from './stateful/check-expiry.js';
import { checkSession } from './stateful/live-session.js';
import { snapshotExistingItems } from './stateful/check-read-consistency.js';
import { rerunCommand } from './findings/rerun-command.js';
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
  try {
    await checkReachable(resolved);
    try {
      return await runPhases(await setUpRun(resolved, options));
    } finally {
      await resolved.hooks.after();
    }
  } finally {
    resolved.transport.close();
  }
}

async function runPhases(options: ResolvedOptions): Promise<ContractReport> {
  const run = new TestRunner(options);
  const startedAt = new Date().toISOString();
  const started = performance.now();
  let stopped: ContractReport['stopped'];
  const notes: string[] = [];
  const clock = findEndings(run).length === 0 ? undefined : await MockClock.find(options);
  try {
    const isLast = (operation: Operation): boolean => run.context.pool.usesUp(operation);
    const [first, last] = [run.operations.filter((one) => !isLast(one)), run.operations.filter(isLast)];
    const seen = options.phases.includes('stateful') ? await snapshotExistingItems(run) : new Map<never, never>();
    const turns = [
      ...options.phases.map((phase) => ({ phase, operations: first })),
      // What takes away items that nobody can make again comes last: everything else needs them.
      ...options.phases.filter((phase) => phase !== 'stateful').map((phase) => ({ phase, operations: last })),
    ];
    for (const { phase, operations } of turns) await PHASE_RUNNERS[phase](run, { operations, seen });
    // Other items may come to their end with the one that is looked at: nothing needs them any more.
    if (options.phases.includes('stateful')) {
      await checkSessions(run, notes);
      await checkExpiries(run, { clock, notes });
    }
  } catch (error) {
    if (!(error instanceof RunStopped)) throw error;
    stopped = error.reason;
  }
  // Last, so that it takes no time from finding more.
  await run.shrinkFindings().finally(() => clock?.restore());
  return {
    api: options.name,
    url: options.url.href,
    startedAt,
    seed: options.seed,
    repeat: rerunCommand(options),
    phases: options.phases,
    operations: run.operations.length,
    requests: run.sender.count,
    durationMs: Math.round(performance.now() - started),
    ...(stopped === undefined ? {} : { stopped }),
    findings: run.findings,
    notes,
    coverage: run.coverage.report(options.api),
  };
}

async function checkSessions(run: TestRunner, notes: string[]): Promise<void> {
  const { operations, openSocket } = run.options;
  const live = operations.filter(({ extensions }) => extensions['x-live-session'] !== undefined);
  if (live.length === 0) return;
  if (openSocket === undefined) {
    notes.push('Sessions over WebSocket were not looked at: a fetch has no sockets, webSocket gives them.');
    return;
  }
  const sockets = await openSocket();
  for (const operation of live) await checkSession(run, operation, sockets);
}

interface ExpiryRun {
  readonly clock: MockClock | undefined;
  readonly notes: string[];
}

async function checkExpiries(run: TestRunner, { clock, notes }: ExpiryRun): Promise<void> {
  for (const ending of findEndings(run)) {
    if (clock !== undefined) await checkExpiry(run, ending, clock);
    else
      notes.push(`Whether ${ending.resource.name} comes to its end was not looked at: that needs the clock of a mock.`);
  }
}

const PHASE_RUNNERS: Readonly<Record<Phase, (run: TestRunner, turn: Turn) => Promise<void>>> = {
  examples: runExamples,
  stateful: runStateful,
  boundary: (run, turn) => runCases(run, turn, { phase: 'boundary', makeCases: boundaryCases }),
  negative: (run, turn) => runCases(run, turn, { phase: 'negative', makeCases: negativeCases }),
  fuzz: runFuzz,
};

/** Any answer will do: what it is worth is seen later. */
async function checkReachable({ transport, url, headers, timeLimitMs }: ResolvedOptions): Promise<void> {
  try {
    await transport.send({ method: 'GET', url: url.href, headers }, timeLimitMs);
  } catch (error) {
    throw new InputError(`The server at ${url.origin} does not answer: ${reasonOf(error)}.`, {}, { cause: error });
  }
}

/** `fetch` hides why it failed in the cause of its error. */
function reasonOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  const { message } = error.cause instanceof Error ? error.cause : error;
  return (message === '' ? (systemCode(error) ?? error.name) : message).replace(/\.$/, '');
}

async function runExamples(run: TestRunner, { operations }: Turn): Promise<void> {
  for (const operation of operations) {
    await run.base(operation, 'examples');
    for (const { judged, ...call } of exampleCalls(operation, run.context).slice(0, run.options.maxExamples))
      await run.try({
        phase: 'examples',
        call,
        expectation: { kind: 'valid', about: 'an example of the spec', ...(judged === undefined ? {} : { judged }) },
      });
  }
}

interface CasesOptions {
  readonly phase: Phase;
  readonly makeCases: typeof boundaryCases;
}

/** The order in which operations are broken: what takes items away comes last. */
async function runCases(run: TestRunner, { operations }: Turn, { phase, makeCases }: CasesOptions): Promise<void> {
  const ordered = [...operations].sort(
    (one, other) => Number(one.method === 'delete') - Number(other.method === 'delete'),
  );
  for (const operation of ordered) {
    const base = await run.base(operation, phase);
    if (base === undefined) continue;
    const known = makeCases(base, run.context);
    run.coverage.plan(known);
    const cases = spread(known, run.options.maxExamples);
    for await (const { tried, outcome } of sendCases(run, cases)) await run.keep(tried, outcome);
  }
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
