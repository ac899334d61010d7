import type { Operation } from '../model/api.js';
import { writeOverlay } from '../http/observations/overlay-document.js';
import { describeOverlay } from '../reports/written-overlay.js';
import { findUnparsed, findUnsendable } from '../http/routing/find-unreachable.js';
import { MOST_CASES } from './plan/choose-cases.js';
import { boundaryCases } from './plan/boundary-cases.js';
import { exampleCalls } from './plan/build-request-values.js';
import { negativeCases } from './plan/negative-cases.js';
import type { ContractRun } from './execute/contract-run.js';
import { TestRun } from './execute/test-run.js';
import { runFuzz } from './execute/fuzz.js';
import { type PhaseInput, runStateful } from './stateful/run-stateful.js';
import { demandsCredential } from './execute/http/made-up-credentials.js';
import { MockClock } from './execute/http/control-clock.js';
import { checkReachable } from './execute/http/check-reachable.js';
import { RunStopped } from './execute/http/request-sender.js';
import { type ResolvedOptions, resolveOptions, setUpRun } from './resolve-options.js';
import { RefusedBounds } from './execute/check-refused-bounds.js';
import { type CleanedUp, cleanUp } from './execute/clean-up.js';
import { endsSession } from './execute/harm/ends-session.js';
import { FirstCalls, isPlainRead } from './execute/first-calls.js';
import { sendCases } from './execute/case-executor.js';
import { checkExpiry, findEndings } from './stateful/check-expiry.js';
import { checkSession } from './stateful/live-session.js';
import { snapshotExistingItems } from './stateful/check-read-consistency.js';
import { describeUnreached, explainedOperations } from './findings/describe-unreached.js';
import { rerunCommand } from './findings/rerun-command.js';
import type { Case, ContractOptions, ContractReport, Phase } from './types.js';
import { noteStep } from '../schema/sample/watched-work.js';

/**
 * Tests a server against its spec.
 *
 * @throws InputError if an option is invalid, or the server does not respond.
 * @throws SpecError if the spec cannot be used.
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
  const run = new TestRun(options);
  const startedAt = new Date().toISOString();
  const started = performance.now();
  let stopped: ContractReport['stopped'];
  const notes = [...unreachableNotes(options), ...caseNotes(options)];
  const clock = findEndings(run).length === 0 ? undefined : await MockClock.find(options);
  try {
    const isLast = (operation: Operation): boolean =>
      run.context.pool.roles.usesUp(operation) || endsSession(operation);
    const [first, last] = [run.operations.filter((one) => !isLast(one)), run.operations.filter(isLast)];
    const firstCalls = new FirstCalls(run, options.phases[0] ?? 'examples');
    await firstCalls.send(first.filter((operation) => isPlainRead(operation)));
    const seen = options.phases.includes('stateful') ? await snapshotExistingItems(run) : new Map<never, never>();
    if (!options.keep) await run.unnamed.look();
    await firstCalls.send(first);
    await firstCalls.recordProblems();
    const turns = [
      ...options.phases.map((phase) => ({ phase, operations: first })),
      // Deletes of items that cannot be created again run last: the other cases need them.
      ...options.phases.filter((phase) => phase !== 'stateful').map((phase) => ({ phase, operations: last })),
    ];
    for (const { phase, operations } of turns) {
      await PHASE_RUNNERS[phase](run, { operations, seen });
      await run.restoreThings();
    }
    await run.aside.finish();
    const { operations } = run;
    if (operations.length > 0 && operations.every(({ id }) => run.client.isLimited(id)))
      throw new RunStopped('rate-limit');
    // Deleting this item may delete others with it, but no case needs them any more.
    if (options.phases.includes('stateful')) {
      await checkSessions(run, notes);
      await run.delayedReads.finish();
      await checkExpiries(run, { clock, notes });
    }
  } catch (error) {
    if (!(error instanceof RunStopped)) throw error;
    stopped = error.reason;
  }
  // Comes last, so that it takes no time from the search for more findings.
  await run.findings.shrink().finally(() => clock?.restore());
  const cleanedUp = await finish(run);
  const overlay = await finishOverlay(run);
  const nothingTested = run.coverage.nothingTested(stopped === 'rate-limit');
  const serverEnded = run.findings.serverEnded();
  const unreached = describeUnreached(run, (operation) => untouchedReason(run, operation));
  const credentialRefused = nothingTested === undefined ? refusedCredential(run) : undefined;
  return {
    api: options.name,
    url: options.url.href,
    startedAt,
    seed: options.seed,
    repeat: rerunCommand(options),
    phases: options.phases,
    operations: run.operations.length,
    requests: run.client.count,
    durationMs: Math.round(performance.now() - started),
    ...(stopped === undefined ? {} : { stopped }),
    ...(serverEnded === undefined ? {} : { serverEnded }),
    findings: run.findings.list(),
    failOn: options.failOn,
    unreached,
    ...(run.tries === undefined ? {} : { tries: run.tries.of(explainedOperations(run, unreached)) }),
    changed: run.harm.changed,
    ...cleanedUp,
    ...(nothingTested === undefined ? {} : { nothingTested }),
    ...(credentialRefused === undefined ? {} : { credentialRefused }),
    reach: run.coverage.reach(run.operations, (operation) => whyNotSent(run, operation, stopped)),
    ...(overlay === undefined ? {} : { overlay }),
    notes: [
      ...notes,
      ...limitNotes(run),
      ...run.findings.notes.values(),
      ...run.coverage.describeInvalidSuccesses(),
      ...(overlay === undefined ? [] : describeOverlay(overlay)),
    ],
    coverage: run.coverage.report(options.api),
  };
}

/** Writes the overlay of a run, if it was asked for. */
async function finishOverlay({ options, observations }: ContractRun): Promise<ContractReport['overlay']> {
  if (options.writeOverlay === undefined || observations === undefined) return undefined;
  return writeOverlay(options.writeOverlay, observations.log);
}

/** The time that the end of a run may take beyond its own to restore things, and to delete items, in milliseconds. */
const RESTORE_MS = 3_000;
const CLEAN_UP_MS = 30_000;

/** Leaves the server as it was before the run. */
async function finish(run: TestRun): Promise<CleanedUp> {
  run.client.grantTime(RESTORE_MS);
  try {
    await run.restoreThings();
  } catch (error) {
    if (!(error instanceof RunStopped)) throw error;
  }
  if (run.options.keep) return { deleted: 0, notDeleted: [] };
  run.client.grantTime(CLEAN_UP_MS);
  return cleanUp(run);
}

/** Returns why an operation could not change any item: the run has created none and may not touch others. */
function untouchedReason(run: ContractRun, operation: Operation): string | undefined {
  if (run.options.touchExisting || !run.context.pool.lacksOwnItem(operation)) return undefined;
  return 'the run has created no item to call it on; --touch-existing allows it on items that were there before';
}

/** Why operations were not sent, by the reason why the run ended early. */
const NOT_SENT: Readonly<Record<NonNullable<ContractReport['stopped']>, string>> = {
  'max-time': 'the time of the run was up',
  'rate-limit': 'rate limit',
  'server-gone': 'the server stopped responding',
  interrupted: 'the run was interrupted',
};

/** Names the operations that the server limited, with the limit and its reset. */
function limitNotes({ operations, client }: ContractRun): string[] {
  return operations.flatMap(({ id }) => {
    const limit = client.limitOf(id);
    return limit === undefined ? [] : [`${id} was put aside for a while: the server limits it (${limit}).`];
  });
}

function whyNotSent(run: ContractRun, operation: Operation, stopped: ContractReport['stopped']): string {
  const limit = run.client.limitOf(operation.id);
  if (limit !== undefined) return `rate limit: ${limit}`;
  const known = run.notSent.get(operation.id) ?? untouchedReason(run, operation);
  return known ?? (stopped === undefined ? 'no valid request could be made up' : NOT_SENT[stopped]);
}

/** Says so if every operation that demands a credential refused the given one. */
function refusedCredential({ options, operations, coverage, client }: ContractRun): string | undefined {
  if (!client.hasCredential) return undefined;
  return coverage.credentialRefused(operations.filter((operation) => demandsCredential(operation, options.api)));
}

/** Explains which operations the run leaves out, and which a Node client cannot call. */
function unreachableNotes({ api, operations, openSocket }: ResolvedOptions): string[] {
  const found = [...findUnsendable(api.operations), ...(openSocket === undefined ? [] : findUnparsed(operations))];
  return found.map(({ sentence }) => sentence);
}

/** Says so if the run tries fewer cases because it tests many operations. */
function caseNotes({ given, maxExamples, phases }: ResolvedOptions): string[] {
  const hasFewer = given.maxExamples === undefined && maxExamples < MOST_CASES;
  if (!hasFewer || phases.every((phase) => phase === 'examples')) return [];
  return [
    `The run tests many operations, so it tried at most ${maxExamples} cases of each in a phase, and all examples of the spec; --max-examples ${MOST_CASES} tries more.`,
  ];
}

async function checkSessions(run: TestRun, notes: string[]): Promise<void> {
  const { operations, openSocket } = run.options;
  const live = operations.filter(({ extensions }) => extensions['x-live-session'] !== undefined);
  if (live.length === 0) return;
  if (openSocket === undefined) {
    notes.push('WebSocket sessions were skipped: pass `webSocket` together with `fetch`.');
    return;
  }
  const sockets = await openSocket();
  for (const operation of live) await checkSession(run, operation, sockets);
}

interface ExpiryRun {
  readonly clock: MockClock | undefined;
  readonly notes: string[];
}

async function checkExpiries(run: TestRun, { clock, notes }: ExpiryRun): Promise<void> {
  for (const ending of findEndings(run)) {
    if (clock !== undefined) await checkExpiry(run, ending, clock);
    else notes.push(`Expiry of ${ending.resource.name} was not tested: it needs a mock's virtual clock.`);
  }
}

const PHASE_RUNNERS: Readonly<Record<Phase, (run: TestRun, turn: PhaseInput) => Promise<void>>> = {
  examples: runExamples,
  stateful: runStateful,
  boundary: (run, turn) => runCases(run, turn, { phase: 'boundary', makeCases: boundaryCases }),
  negative: (run, turn) => runCases(run, turn, { phase: 'negative', makeCases: negativeCases }),
  fuzz: runFuzz,
};

async function runExamples(run: TestRun, { operations }: PhaseInput): Promise<void> {
  for (const operation of operations) await run.aside.attempt(async () => sendExamples(run, operation));
}

async function sendExamples(run: TestRun, operation: Operation): Promise<void> {
  await run.items.validCall(operation, 'examples');
  const most = run.options.given.maxExamples ?? MOST_CASES;
  for (const { judged, ...call } of exampleCalls(operation, run.context).slice(0, most))
    await run.client.send({
      phase: 'examples',
      call,
      expectation: { kind: 'valid', about: 'an example of the spec', ...(judged === undefined ? {} : { judged }) },
    });
}

interface CasesOptions {
  readonly phase: Phase;
  readonly makeCases: typeof boundaryCases;
}

/** Sends the cases of a phase. Deletions come last. */
async function runCases(run: TestRun, { operations }: PhaseInput, { phase, makeCases }: CasesOptions): Promise<void> {
  const ordered = [...operations].sort(
    (one, other) => Number(one.method === 'delete') - Number(other.method === 'delete'),
  );
  for (const operation of ordered) {
    const edges = new RefusedBounds(run);
    let left: Case[] | undefined;
    // If a limit puts the operation aside, the work goes on with the cases that are left.
    await run.aside.attempt(async () => {
      const cases = left ?? (await planCases(run, operation, { phase, makeCases }));
      left = cases === undefined ? undefined : [];
      for await (const { tried, outcome } of sendCases(run, cases ?? [], (source) => left?.push(source))) {
        await run.findings.recordProblems(tried, outcome);
        edges.note(tried, outcome);
      }
      if (left?.length === 0) await edges.compare();
    });
  }
}

async function planCases(
  run: TestRun,
  operation: Operation,
  { phase, makeCases }: CasesOptions,
): Promise<Case[] | undefined> {
  const base = await run.items.validCall(operation, phase);
  if (base === undefined) return undefined;
  const { context, options } = run;
  const isAllowed = ({ call }: Case): boolean =>
    context.sparesExisting(call) && (call.method === undefined || options.maySend(call.method));
  const known = context.inTime(() =>
    makeCases(base, context).filter((one) => {
      noteStep();
      return isAllowed(one);
    }),
  );
  run.coverage.plan(known);
  return run.chooser.choose(known, options.maxExamples);
}
