import { stringifyExactJson } from '../../runtime/json-integers.js';
import type { HandlerContext } from '../handler-api.js';
import { JournalRing } from '../../http/journal/journal.js';
import { type ChangedIds, Replica, storeOf } from '../stores/replicated/replica.js';
import type { StateBackend } from '../stores/replicated/state-backend.js';
import type { Transaction } from '../stores/replicated/transaction.js';
import type { Store } from '../stores/store.js';
import { indexesOf } from './mock-sandbox.js';
import { type RequestStore, createRequestStore } from './request-store.js';
import { FOREIGN, META, CALLBACKS, JOBS } from './reserved-collections.js';
import type { Fault, Faults, JournalDraft, JournalEntry } from './sandbox.js';
import { type ClockTime } from './sandbox-clock.js';
import { SandboxEvents } from './sandbox-events.js';
import type { SandboxHost } from './sandbox-host.js';
import { FAULTS, SharedFaults, takeFault } from './shared-faults.js';
import { SharedRequest } from './shared-request.js';
import { SharedView } from './shared-view.js';
import type { Job } from './clock-types.js';
import type { WaitingCallback } from './webhook-queue.js';

/** Ids of the records in {@link META}. */
export const CLOCK = 'clock';
/** Changes with each reset, so that processes drop what they keep outside of the store. */
export const EPOCH = 'epoch';

export interface StateClock {
  now(): number;
  readonly nextDue: number | undefined;
}

export interface SharedStateOptions {
  readonly name: string;
  readonly host: SandboxHost;
  readonly backend: StateBackend;
  readonly clock: () => StateClock;
  /** Called with the items that any process has changed; `undefined` means all of them. */
  readonly onChange: (changed: ChangedIds | undefined) => void;
}

export type StepWork<T> = (view: SharedView, step: SharedRequest, transaction: Transaction) => Promise<T>;

/** The state of a shared sandbox in this process: a local copy, and transactions on it. */
export class SharedState {
  readonly events: SandboxEvents = new SandboxEvents();
  readonly memory: Map<string, object> = new Map();
  /** The calls of this process. */
  readonly journal: JournalRing;
  /** Runs each call as its own transaction. */
  readonly store: RequestStore;
  readonly #options: SharedStateOptions;
  #host: SandboxHost;
  #replica: Replica;
  #plainStore: Store;

  constructor(options: SharedStateOptions) {
    this.#options = options;
    this.#host = options.host;
    this.#replica = this.#openReplica();
    this.#plainStore = storeOf(this.#replica);
    this.store = createRequestStore(this.#plainStore);
    this.journal = new JournalRing(this.#host.redact, { onAdd: (draft, entry) => this.#notify(draft, entry) });
  }

  get name(): string {
    return this.#options.name;
  }

  get host(): SandboxHost {
    return this.#host;
  }

  get replica(): Replica {
    return this.#replica;
  }

  /** Switches to another spec or behaviour, whose collections may have other indexes. */
  async adopt(host: SandboxHost): Promise<void> {
    this.#host = host;
    this.#replica = this.#openReplica();
    this.#plainStore = storeOf(this.#replica);
    this.store.continueWith(this.#plainStore);
    this.memory.clear();
    await this.#replica.sync();
  }

  /** Returns the value of a {@link META} record that this process has last read. */
  meta(id: string): unknown {
    return this.#replica.collections.get(META)?.items.get(id)?.value;
  }

  get faults(): readonly Fault[] {
    return (this.meta(FAULTS) ?? []) as readonly Fault[];
  }

  get time(): ClockTime {
    return (this.meta(CLOCK) ?? REAL_TIME) as ClockTime;
  }

  /** Runs work as one transaction. Journal entries of failed attempts are dropped. */
  async run<T>(work: StepWork<T>, faults: Faults = this.openFaults()): Promise<T> {
    let step: SharedRequest | undefined;
    const attempt = async (transaction: Transaction): Promise<T> => {
      step?.store.drop();
      const next = new SharedRequest(transaction, this.#host.seed);
      step = next;
      const { store, random, addCall } = next;
      const result = await work(this.#openView({ store, random, addCall, faults }), next, transaction);
      next.finish();
      return result;
    };
    const result = await this.#replica.transact(attempt, (transaction) => ({
      ...this.#findDue(transaction),
      journal: this.#journalTexts(step?.drafts ?? []),
    }));
    step?.settle(this.#plainStore, (draft) => this.addCall(draft));
    // The commit has already written them to the shared journal.
    for (const draft of step?.drafts ?? []) this.journal.add(draft);
    return result;
  }

  /** Runs a transaction that changes only records of the mock itself. */
  async change(work: (transaction: Transaction) => void | Promise<void>): Promise<void> {
    await this.#replica.transact(
      async (transaction) => work(transaction),
      (transaction) => this.#findDue(transaction),
    );
  }

  /** Opens a long-lived view. Each of its store calls is its own transaction. */
  openView(random: HandlerContext['random']): SharedView {
    const addCall = (draft: JournalDraft): void => this.addCall(draft);
    return this.#openView({ store: this.store, random, addCall, faults: this.openFaults() });
  }

  /** Opens the faults for one request. */
  openFaults(): SharedFaults {
    return new SharedFaults({
      list: () => this.faults,
      replace: (faults) => void this.putFaults(faults).catch(() => {}),
      take: (operationId) => this.#replica.transact(async (transaction) => takeFault(transaction, operationId)),
    });
  }

  putFaults(faults: readonly Fault[]): Promise<void> {
    return this.change((transaction) => void transaction.write(META, FAULTS, faults));
  }

  /** Adds a call outside of any transaction to the journal. */
  addCall(draft: JournalDraft): void {
    this.journal.add(draft);
    const texts = this.#journalTexts([draft]);
    if (texts.length > 0) this.#options.backend.journals?.append(this.#options.name, texts).catch(() => {});
  }

  #openReplica(): Replica {
    const { name, backend, onChange } = this.#options;
    const replica: Replica = new Replica({
      sandbox: name,
      backend,
      indexes: indexesOf(this.#host),
      onChange: (changed) => {
        if (replica === this.#replica) onChange(changed);
      },
    });
    return replica;
  }

  #openView(
    parts: Pick<ConstructorParameters<typeof SharedView>[0], 'store' | 'random' | 'addCall' | 'faults'>,
  ): SharedView {
    return new SharedView({
      ...parts,
      name: this.#options.name,
      host: this.#host,
      memory: this.memory,
      now: () => this.#options.clock().now(),
      countForeign: () => this.#replica.collections.get(FOREIGN)?.items.size ?? 0,
    });
  }

  #findDue(transaction: Transaction): { readonly dueAt?: number | null } {
    const dueAt = findNextDue(transaction, this.#options.clock().nextDue);
    return dueAt === undefined ? {} : { dueAt };
  }

  #journalTexts(drafts: readonly JournalDraft[]): readonly string[] {
    if (this.#options.backend.journals === undefined) return [];
    return drafts.map((draft) => stringifyExactJson(this.journal.describe(draft, 0)));
  }

  #notify(draft: JournalDraft, entry: () => JournalEntry): void {
    // Calls of shared journals are reported when they are read back, in the order of all processes.
    if (this.#options.backend.journals === undefined) this.events.emit(() => ({ type: 'journal', entry: entry() }));
    this.#host.onCall?.({ sandbox: this.#options.name, draft, entry });
  }
}

/** The collections that determine the next due time. */
const DECISIVE = [JOBS, CALLBACKS, META];

/** The clock of a sandbox that was never moved. */
const REAL_TIME: ClockTime = { offset: 0, frozenAt: null };

/**
 * Returns when something is due next after a transaction, in real time; `null` for never, `undefined` if the
 * transaction does not affect it. The time may be too early, if a job was cancelled, but never too late.
 */
function findNextDue(transaction: Transaction, nextJob: number | undefined): number | null | undefined {
  const { isCleared, writes } = transaction;
  if (!isCleared && !DECISIVE.some((name) => writes.has(name))) return undefined;
  const { offset, frozenAt } = (transaction.read(META, 'clock')?.value ?? REAL_TIME) as ClockTime;
  const planned = [...(writes.get(JOBS)?.values() ?? [])].flatMap(({ isDeleted, value }) =>
    isDeleted ? [] : [(value as Job).dueAt],
  );
  const kept = nextJob === undefined || isCleared ? [] : [nextJob];
  const waiting = transaction.find(CALLBACKS, {}).items.map(({ value }) => (value as WaitingCallback).notBefore);
  // A frozen clock never reaches later times.
  const callbacks = waiting.filter((notBefore) => frozenAt === null || notBefore <= frozenAt);
  const dueJobs = frozenAt === null ? [...planned, ...kept] : [];
  const first = Math.min(...dueJobs, ...callbacks);
  return Number.isFinite(first) ? first - offset : null;
}
