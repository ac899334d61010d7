import { randomUUID } from 'node:crypto';

import { type ChosenFault, faultsFor, chooseFault, listScenarios } from '../faults/choose-fault.js';
import type { FaultQuery, FaultState, ScenarioRecord, Scenarios } from '../faults/fault.js';
import { isSafeMethod } from '../../model/http-method.js';
import { HttpError } from '../../http/http-error.js';
import type { MockRequest, MockResponse } from '../../http/messages.js';
import type { HandlerContext } from '../handler-api.js';
import type { StoredItem } from '../stores/item-index.js';
import { type CommitExtras, Replica, storeOf } from '../stores/replicated/replica.js';
import type { Changed } from '../stores/replicated/replica-copy.js';
import {
  DamagedStateError,
  type StateBackend,
  StateUnavailableError,
  unreachable,
} from '../stores/replicated/state-backend.js';
import type { Transaction } from '../stores/replicated/transaction.js';
import type { Store } from '../stores/store.js';
import type { Job } from './clock-types.js';
import { REAL_TIME, type SandboxState, type StateOwner, type StateStep } from './sandbox-state.js';
import { reportError } from './handler-context.js';
import { type Leases, ReplicatedLeases } from './leases.js';
import { repeatRequest } from './repeat-request.js';
import { findStoredProblem } from './own-records.js';
import { ReplicatedJournal } from './replicated-journal.js';
import { type RequestStore, ReplicatedRequest, createRequestStore } from './replicated-request.js';
import { findMismatches } from './report-mismatches.js';
import { CALLBACKS, CLOCK, EPOCH, FAULTS, FOREIGN, JOBS, META, SCENARIOS } from './reserved-collections.js';
import type { Fault, Faults, HandleRequest, Journal, JournalDraft, Sandbox } from './sandbox.js';
import type { ClockTime } from './sandbox-clock.js';
import type { SandboxHost } from './sandbox-host.js';
import { SandboxView } from './sandbox-view.js';
import { SeededRandom } from './seeded-random.js';
import { type WaitingCallback, limitForeign } from './webhook-queue.js';

/** A state in an engine that several processes share: a local copy, and transactions on it. */
export class ReplicatedState implements SandboxState {
  /** Runs each call as its own transaction. */
  readonly store: RequestStore;
  readonly leases: Leases;
  readonly journal: ReplicatedJournal;
  readonly #owner: StateOwner;
  readonly #backend: StateBackend;
  readonly #memory = new Map<string, object>();
  #host: SandboxHost;
  #replica: Replica;
  #plainStore: Store;
  #epoch: unknown;

  constructor(owner: StateOwner, backend: StateBackend) {
    this.#owner = owner;
    this.#backend = backend;
    this.#host = owner.host;
    this.#replica = this.#openReplica();
    this.#plainStore = storeOf(this.#replica);
    this.store = createRequestStore(this.#plainStore);
    this.leases = new ReplicatedLeases(() => this.#replica);
    const { name, journal: ring } = owner;
    this.journal = new ReplicatedJournal({ name, ring, journals: backend.journals, sync: () => this.sync() });
  }

  get time(): ClockTime {
    return (this.#meta(CLOCK) ?? REAL_TIME) as ClockTime;
  }

  /** The faults for one request, which takes one fault once, however often it is run again. */
  get faults(): Faults {
    let taken: Promise<ChosenFault | undefined> | undefined;
    const { scenarios } = this.#host;
    const read = (): FaultState => readFaults((id) => this.#meta(id));
    return {
      list: () => read().faults,
      replace: (faults) => void this.transact(async ({ setFaults }) => setFaults(faults)).catch(() => {}),
      scenarios: () => listScenarios(read(), scenarios),
      candidates: (scenario) => faultsFor(read(), scenarios, scenario),
      take: (query) => {
        const found = taken === undefined ? chooseFault(read(), scenarios, query) : undefined;
        if (found !== undefined && found.next === undefined) return found;
        if (found !== undefined) taken = this.#replica.transact(async (one) => takeFault(one, scenarios, query));
        return taken;
      },
    };
  }

  itemsOf(collection: string): ReadonlyMap<string, StoredItem> | undefined {
    return this.#replica.collections.get(collection)?.items;
  }

  /** Runs work as one transaction. Calls that failed attempts have added to the journal are dropped. */
  async transact<T>(work: (step: StateStep) => Promise<T>, inTurn = false): Promise<T> {
    const faults = this.faults;
    let request: ReplicatedRequest | undefined;
    const attempt = async (transaction: Transaction): Promise<T> => {
      request?.store.drop();
      const next = new ReplicatedRequest(transaction, this.#host.seed);
      request = next;
      const { store, random, addCall } = next;
      const result = await work({
        view: this.#createView({ store, random, faults, addCall }),
        store: transaction,
        random,
        setTime: (time) => void transaction.write(META, CLOCK, time),
        setFaults: (all) => void transaction.write(META, FAULTS, all),
        setScenarios: (record) => void transaction.write(META, SCENARIOS, record),
      });
      next.finish();
      return result;
    };
    const extras = (transaction: Transaction): CommitExtras => ({
      ...findNextDue(transaction, this.#owner.clock().nextDue),
      journal: this.journal.describe(request?.drafts ?? []),
    });
    const result = await this.#replica.transact(attempt, { extras, inTurn });
    request?.settle(this.#plainStore, (draft) => this.journal.add(draft));
    // The commit has already written them to the shared journal.
    for (const draft of request?.drafts ?? []) this.#owner.journal.add(draft);
    return result;
  }

  /** Handles a request. If the state is unreachable, refuses it in the API's error format. */
  async serve(request: MockRequest, handle: HandleRequest): Promise<MockResponse> {
    const repeated = repeatRequest(request);
    // Other requests wait for the turn of this one, so its body should be there.
    if (hasShortBody(request)) await request.bytes(SHORT).catch(() => {});
    try {
      return await this.transact(({ view }) => handle(repeated, view), !isSafeMethod(request.method));
    } catch (error) {
      return handle(request, this.#refusing(error));
    }
  }

  /** Opens a view with random numbers of its own that are seeded by the sandbox. */
  async openView(): Promise<SandboxView> {
    const seed = await this.transact(async ({ random }) => random.integer(0, Number.MAX_SAFE_INTEGER));
    return this.#openView(seed);
  }

  async openForSocket(): Promise<Sandbox> {
    return this.openView().catch((error: unknown) => this.#refusing(error));
  }

  sync(): Promise<void> {
    return this.#replica.sync();
  }

  distrust(urls: readonly string[]): void {
    this.#distrust(this.store, urls);
  }

  async isForeign(url: string): Promise<boolean> {
    return (await this.store.get(FOREIGN, url)) !== undefined;
  }

  /** Opens another copy for the new behaviour. */
  async adopt(host: SandboxHost): Promise<void> {
    this.#host = host;
    this.#replica = this.#openReplica();
    this.#plainStore = storeOf(this.#replica);
    this.store.continueWith(this.#plainStore);
    this.#memory.clear();
    await this.#replica.sync();
  }

  async reset(): Promise<this> {
    const clear = (): Promise<void> =>
      this.transact(async ({ store }) => {
        await store.clear();
        await store.put(META, EPOCH, randomUUID());
      });
    await clear().catch(async (error: unknown) => {
      if (!(error instanceof DamagedStateError)) throw error;
      await this.#replica.restart();
      await clear();
    });
    await this.#backend.journals?.restart(this.#owner.name);
    return this;
  }

  /** Does nothing: the engine keeps the state. */
  close(): void {}

  /** Returns the value of a {@link META} record that this process has last read. */
  #meta(id: string): unknown {
    return this.itemsOf(META)?.get(id)?.value;
  }

  #openReplica(): Replica {
    const replica: Replica = new Replica({
      sandbox: this.#owner.name,
      backend: this.#backend,
      findProblem: findStoredProblem,
      onChange: (changed) => {
        if (replica === this.#replica) this.#follow(changed);
      },
    });
    return replica;
  }

  #follow(changed: Changed): void {
    const epoch = this.#meta(EPOCH);
    if (epoch !== this.#epoch) {
      this.#epoch = epoch;
      this.#memory.clear();
      this.#owner.journal.restart();
    }
    this.#owner.onChange(changed);
    // Checks the items after the change has been applied.
    if (changed === undefined) setImmediate(() => void this.#checkItems().catch(() => {}));
  }

  /** Checks the stored items, because an earlier process may have used another spec. */
  async #checkItems(): Promise<void> {
    const found = await this.#replica.transact(async (transaction) =>
      findMismatches(transaction, this.#host, this.#replica.collections.keys()),
    );
    for (const message of found) reportError(this.#openView(0), '/__specmill/state', message);
  }

  /** Opens a view for longer than one transaction. Each of its store calls is its own transaction. */
  #openView(seed: number): SandboxView {
    const addCall = (draft: JournalDraft): void => this.journal.add(draft);
    return this.#createView({ store: this.store, random: new SeededRandom(seed), faults: this.faults, addCall });
  }

  #createView({ addCall, ...parts }: RequestParts): SandboxView {
    // Handlers only add to the journal.
    const journal: Journal = { add: addCall, entries: () => [], clear: () => {} };
    return new SandboxView({
      ...parts,
      name: this.#owner.name,
      host: this.#host,
      memory: this.#memory,
      journal,
      now: () => this.#owner.clock().now(),
      distrust: (urls) => this.#distrust(parts.store, urls),
    });
  }

  #distrust(store: Store, urls: readonly string[]): void {
    if (urls.length === 0) return;
    limitForeign((this.itemsOf(FOREIGN)?.size ?? 0) + urls.length);
    for (const url of urls) store.put(FOREIGN, url, true).catch(() => {});
  }

  /** Returns a sandbox that refuses every request before it is read. @throws any other error */
  #refusing(cause: unknown): Sandbox {
    if (!(cause instanceof StateUnavailableError)) throw cause;
    const refuse = (): never => {
      throw new HttpError(cause.status, unreachable(cause));
    };
    const { name, store, clock, journal, random } = this.#openView(0);
    return {
      name,
      store,
      clock,
      journal,
      random,
      faults: { list: () => [], replace: () => {}, scenarios: () => [], candidates: refuse, take: refuse },
      distrust: () => {},
      contextFor: async () => refuse(),
    };
  }
}

interface RequestParts {
  readonly store: Store;
  readonly random: HandlerContext['random'];
  readonly faults: Faults;
  readonly addCall: (draft: JournalDraft) => void;
}

/** The longest body that is awaited before a request is handled. Bytes. */
const SHORT = 65_536;

function hasShortBody({ headers }: MockRequest): boolean {
  const length = Number(headers['content-length'] ?? 0);
  return length > 0 && length <= SHORT && headers['expect'] === undefined;
}

function readFaults(read: (id: string) => unknown): FaultState {
  return {
    faults: (read(FAULTS) ?? []) as readonly Fault[],
    scenarios: read(SCENARIOS) as ScenarioRecord | undefined,
  };
}

/** Finds the fault for a call and counts it down. */
function takeFault(
  transaction: Transaction,
  scenarios: Scenarios | undefined,
  query: FaultQuery,
): ChosenFault | undefined {
  const state = readFaults((id) => transaction.read(META, id)?.value);
  const chosen = chooseFault(state, scenarios, query);
  if (chosen?.next === undefined) return chosen;
  if (chosen.scenario === undefined) transaction.write(META, FAULTS, chosen.next.faults);
  else transaction.write(META, SCENARIOS, chosen.next.scenarios);
  return chosen;
}

/** The collections that determine the next due time. */
const DECISIVE = [JOBS, CALLBACKS, META];

/**
 * Returns when something is due next after a transaction, in real time; `null` for never, nothing if the transaction
 * does not affect it. The time may be too early, if a job was cancelled, but never too late.
 */
function findNextDue(transaction: Transaction, nextJob: number | undefined): { readonly dueAt?: number | null } {
  const { isCleared, writes } = transaction;
  if (!isCleared && !DECISIVE.some((name) => writes.has(name))) return {};
  const { offset, frozenAt } = (transaction.read(META, CLOCK)?.value ?? REAL_TIME) as ClockTime;
  const planned = [...(writes.get(JOBS)?.values() ?? [])].flatMap(({ isDeleted, value }) =>
    isDeleted ? [] : [(value as Job).dueAt],
  );
  const kept = nextJob === undefined || isCleared ? [] : [nextJob];
  const waiting = transaction.find(CALLBACKS, {}).items.map(({ value }) => (value as WaitingCallback).notBefore);
  // A frozen clock never reaches later times.
  const callbacks = waiting.filter((notBefore) => frozenAt === null || notBefore <= frozenAt);
  const dueJobs = frozenAt === null ? [...planned, ...kept] : [];
  const first = Math.min(...dueJobs, ...callbacks);
  return { dueAt: Number.isFinite(first) ? first - offset : null };
}
