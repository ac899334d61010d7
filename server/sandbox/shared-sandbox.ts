import { randomUUID } from 'node:crypto';

import { HttpError } from '../../http/http-error.js';
import { JournalRing } from '../../http/journal/journal.js';
import type { MockRequest, MockResponse } from '../../http/messages.js';
import type { Caller, HandlerContext } from '../handler-api.js';
import { type ChangedIds, Replica } from '../stores/replicated/replica.js';
import { ReplicatedStore } from '../stores/replicated/replicated-store.js';
import { StateUnavailableError } from '../stores/replicated/state-backend.js';
import type { StateBackend } from '../stores/replicated/state-backend.js';
import type { Transaction } from '../stores/replicated/transaction.js';
import type { Store } from '../stores/store.js';
import { createItemCheck } from './check-item.js';
import type { Job } from './clock.js';
import { type AccountsSandbox, type ControlledSandbox, findJob, isByAccount } from './controlled-sandbox.js';
import { type AccountJob, countUp, reportError } from './handler-context.js';
import { Leases } from './leases.js';
import { CALLBACK_INDEX, withoutUserInfo } from './mock-sandbox.js';
import { RequestStore } from './request-store.js';
import { repeatRequest } from './repeat-request.js';
import { CALLBACKS, COUNTERS, FOREIGN, JOBS, META, UNSEEN } from './reserved-collections.js';
import type { Fault, Faults, HandleRequest, JournalDraft, JournalEntry, Sandbox } from './sandbox.js';
import { type ClockTime, SandboxClock } from './sandbox-clock.js';
import { SandboxEvents } from './sandbox-events.js';
import type { SandboxHost } from './sandbox-state.js';
import { SeededRandom } from './seeded-random.js';
import { findNextDue } from './shared-due.js';
import { SharedFaults, type TakeFault, takeFault } from './shared-faults.js';
import { SharedRequest } from './shared-request.js';
import { SharedView } from './shared-view.js';
import { type StateSnapshot, describeContents, readContents } from './state-snapshot.js';
import { CallbackQueues, RETRY_JOB, type WaitingCallback } from './webhook-queue.js';

/** What this process keeps of a life of the sandbox: it goes with a reset. */
const LIFE = 'life';
const CLOCK = 'clock';
const FAULTS = 'faults';

/** A sandbox whose state is kept outside of this process, and may be shared with others. */
export class SharedSandbox implements ControlledSandbox {
  readonly name: string;
  readonly events: SandboxEvents = new SandboxEvents();
  readonly clock: SandboxClock;
  readonly #backend: StateBackend;
  readonly #leases = new Leases(() => this.#replica);
  readonly #callbacks: CallbackQueues;
  readonly #memory = new Map<string, object>();
  readonly #ring: JournalRing;
  #host: SandboxHost;
  #replica: Replica;
  #store: Store;
  /** The store of whichever copy is in use. */
  readonly #anyStore: RequestStore;
  #life: unknown;

  constructor(name: string, host: SandboxHost, backend: StateBackend) {
    this.name = name;
    this.#host = host;
    this.#backend = backend;
    this.#replica = this.#openReplica();
    this.#store = new ReplicatedStore(this.#replica);
    this.#ring = new JournalRing(host.redact, { onAdd: (draft, entry) => this.#tell(draft, entry) });
    this.#anyStore = new RequestStore(this.#store);
    this.clock = new SandboxClock({
      store: this.#anyStore,
      run: (job) => this.#runJob(job),
      settle: () => this.#callbacks.settle(),
      save: (time) => this.#saveTime(time),
      alone: (work) => this.#leases.holdWhenFree(CLOCK, work),
    });
    this.#callbacks = this.#openCallbacks();
  }

  get store(): Store {
    return this.#store;
  }

  get isByAccount(): boolean {
    return isByAccount(this.#host.definition);
  }

  get journal(): Sandbox['journal'] {
    return { add: (draft) => this.#addCall(draft), entries: (options) => this.#ring.entries(options), clear: () => this.#ring.clear() };
  }

  get faults(): Faults {
    return this.#openFaults();
  }

  sync(): Promise<void> {
    return this.#replica.sync();
  }

  distrust(urls: readonly string[]): void {
    this.#longView(new SeededRandom(this.#host.seed)).distrust(urls);
  }

  async contextFor(caller: Pick<Caller, 'account'>): Promise<HandlerContext> {
    return (await this.openForSocket()).contextFor(caller);
  }

  async accounts(): Promise<readonly string[]> {
    return this.transact((sandbox) => sandbox.accounts());
  }

  /** Where the state cannot be reached, the request is refused in the error format of the API. */
  async serve(request: MockRequest, handle: HandleRequest): Promise<MockResponse> {
    const repeated = repeatRequest(request);
    try {
      return await this.#run((view) => handle(repeated, view), this.#openFaults());
    } catch (error) {
      if (!(error instanceof StateUnavailableError)) throw error;
      return handle(request, unavailableSandbox(this, error));
    }
  }

  /** Random numbers of a connection come from a seed of its own, which the sandbox gives once. */
  async openForSocket(): Promise<SharedView> {
    const seed = await this.#run(async (_view, { random }) => random.integer(0, Number.MAX_SAFE_INTEGER));
    return this.#longView(new SeededRandom(seed));
  }

  transact<T>(work: (sandbox: AccountsSandbox) => Promise<T>): Promise<T> {
    return this.#run(work);
  }

  async reset(): Promise<void> {
    await this.#callbacks.stop();
    await this.#replica.transact(async (transaction) => {
      await transaction.clear();
      transaction.write(META, LIFE, randomUUID());
    }, (transaction) => this.#due(transaction));
    await this.clearJournal();
    this.#emitAll();
  }

  snapshot(): Promise<StateSnapshot> {
    return this.#run(async (view, { random }, transaction) => {
      const accounts = this.isByAccount ? await view.accounts() : [undefined];
      for (const account of accounts) await this.#host.fill(await view.contextOf(account));
      const contents = (await transaction.dump()).filter(({ collection }) => !UNSEEN.includes(collection));
      const time = { now: new Date(this.clock.now()).toISOString(), frozen: this.clock.isFrozen };
      return { clock: time, random: random.state, ...describeContents(contents, this.#host.vault) };
    });
  }

  async restore(snapshot: StateSnapshot): Promise<void> {
    const contents = readContents(snapshot, { vault: this.#host.vault, check: createItemCheck(this.#host) });
    await this.clock.exclusively(async () => {
      await this.#callbacks.stop();
      await this.#run(async (_view, { random }, transaction) => {
        const kept = (await transaction.dump()).filter(({ collection }) => UNSEEN.includes(collection));
        await transaction.load([...contents, ...kept]);
        transaction.write(META, CLOCK, this.#timeOf(snapshot));
        if (snapshot.random !== undefined) random.restore(snapshot.random);
      });
    });
    this.#emitAll();
  }

  async adopt(host: SandboxHost): Promise<void> {
    this.#host = host;
    this.#replica = this.#openReplica();
    this.#store = new ReplicatedStore(this.#replica);
    this.#anyStore.continueWith(this.#store);
    this.#memory.clear();
    await this.#replica.sync();
  }

  async readJournal({ violations = false }: { readonly violations?: boolean } = {}): Promise<readonly JournalEntry[]> {
    const { journals } = this.#backend;
    if (journals === undefined) return this.#ring.entries({ violations });
    const { first, entries } = await journals.read(this.name);
    const all = entries.map((text, index) => ({ ...(JSON.parse(text) as JournalEntry), id: String(first + index) }));
    return violations ? all.filter((entry) => entry.violations.length > 0) : all;
  }

  async clearJournal(): Promise<void> {
    this.#ring.clear();
    await this.#backend.journals?.clear(this.name);
  }

  async putFaults(faults: readonly Fault[]): Promise<void> {
    await this.#replica.transact(async (transaction) => void transaction.write(META, FAULTS, faults));
  }

  note(path: string, message: string): void {
    this.#report(path, message);
  }

  emitClock(): void {
    const { clock } = this;
    this.events.emit(() => ({ type: 'clock', now: new Date(clock.now()).toISOString(), frozen: clock.isFrozen }));
  }

  /** Does what is due, also what another process has left behind. */
  async wake(): Promise<void> {
    await this.sync();
    this.clock.adoptJobs(this.#jobs());
    await this.clock.catchUp();
    await this.#callbacks.resume();
    // What was noted as due may have been cancelled.
    await this.#replica.transact(async (transaction) => void transaction.write(META, 'looked', Date.now()), (transaction) =>
      this.#due(transaction),
    );
  }

  async close(): Promise<void> {
    this.events.end();
    this.#ring.clear();
    this.clock.close();
    await this.#callbacks.stop();
  }

  /** Does something as one step; what an attempt that came to nothing has sent to the journal is forgotten. */
  async #run<T>(
    work: (view: SharedView, request: SharedRequest, transaction: Transaction) => Promise<T>,
    faults: Faults = this.#openFaults(),
  ): Promise<T> {
    let request: SharedRequest | undefined;
    const attempt = async (transaction: Transaction): Promise<T> => {
      request?.store.drop();
      const next = new SharedRequest(transaction, this.#host.seed);
      request = next;
      const { store, random, addCall } = next;
      const result = await work(this.#view({ store, random, addCall, faults }), next, transaction);
      next.finish();
      return result;
    };
    const result = await this.#replica.transact(attempt, (transaction) => ({
      ...this.#due(transaction),
      journal: this.#journalTexts(request?.drafts ?? []),
    }));
    request?.settle(this.store, (draft) => this.#ring.add(draft));
    return result;
  }

  #view(parts: Pick<ConstructorParameters<typeof SharedView>[0], 'store' | 'random' | 'addCall' | 'faults'>): SharedView {
    return new SharedView({
      ...parts,
      name: this.name,
      host: this.#host,
      memory: this.#memory,
      now: () => this.clock.now(),
      countForeign: () => this.#replica.collections.get(FOREIGN)?.items.size ?? 0,
    });
  }

  #longView(random: SeededRandom): SharedView {
    return this.#view({ store: this.store, random, addCall: (draft) => this.#addCall(draft), faults: this.#openFaults() });
  }

  #openReplica(): Replica {
    const replica: Replica = new Replica({
      sandbox: this.name,
      backend: this.#backend,
      indexes: [...(this.#host.definition.indexes ?? []), CALLBACK_INDEX],
      onChange: (changed) => {
        if (replica === this.#replica) this.#follow(changed);
      },
    });
    return replica;
  }

  #openCallbacks(): CallbackQueues {
    return new CallbackQueues({
      store: this.#anyStore,
      clock: this.clock,
      policy: this.#host.callbacks,
      nextId: async () => String(await countUp(this.store, COUNTERS, CALLBACKS)),
      onLost: ({ url }, { reason }) => this.#report(withoutUserInfo(url), reason),
      alone: async (queue, work) => {
        const until = await this.#leases.holdIfFree(`${CALLBACKS} ${queue}`, work);
        if (until !== undefined) setTimeout(() => this.#callbacks.wake(queue), until - Date.now()).unref();
      },
      isForeign: async (url) => (await this.store.get(FOREIGN, url)) !== undefined,
    });
  }

  #openFaults(): SharedFaults {
    const take: TakeFault = (operationId) =>
      this.#replica.transact(async (transaction) => takeFault(transaction, operationId));
    return new SharedFaults({
      list: () => (this.#meta(FAULTS) ?? []) as readonly Fault[],
      replace: (faults) => void this.putFaults(faults).catch(() => {}),
      take,
    });
  }

  /** Follows what has changed in the copy, by whichever process. */
  #follow(changed: ChangedIds | undefined): void {
    const meta = changed?.get(META);
    if (changed === undefined || meta?.has(LIFE) === true) this.#followLife();
    if (changed === undefined || meta?.has(CLOCK) === true) {
      this.clock.adoptTime((this.#meta(CLOCK) ?? { offset: 0, frozenAt: null }) as ClockTime);
      this.emitClock();
    }
    if (changed === undefined || meta?.has(FAULTS) === true) this.#emitFaults();
    const jobs = changed?.get(JOBS);
    if (changed === undefined) this.clock.adoptJobs(this.#jobs());
    else if (jobs !== undefined) this.clock.adoptJobs(this.#jobs(jobs), jobs);
    this.#wakeQueues(changed === undefined ? undefined : (changed.get(CALLBACKS) ?? new Set()));
    this.events.emitState();
  }

  #followLife(): void {
    const life = this.#meta(LIFE);
    if (life === this.#life) return;
    // What belongs to a life is dropped with it. A sandbox that is first looked at has none yet.
    if (this.#life !== undefined || this.#memory.size > 0) {
      this.#memory.clear();
      this.#ring.clear();
    }
    this.#life = life;
  }

  #wakeQueues(ids: ReadonlySet<string> | undefined): void {
    const items = this.#replica.collections.get(CALLBACKS)?.items;
    if (items === undefined) return;
    const queues = new Set(
      [...(ids ?? items.keys())].flatMap((id) => (items.get(id)?.value as WaitingCallback | undefined)?.queue ?? []),
    );
    for (const queue of queues) this.#callbacks.wake(queue);
  }

  #jobs(ids?: ReadonlySet<string>): readonly Job[] {
    const items = this.#replica.collections.get(JOBS)?.items ?? new Map();
    return [...(ids ?? items.keys())].flatMap((id) => (items.get(id)?.value as Job | undefined) ?? []);
  }

  #meta(id: string): unknown {
    return this.#replica.collections.get(META)?.items.get(id)?.value;
  }

  #due(transaction: Transaction): { readonly dueAt?: number | null } {
    const dueAt = findNextDue(transaction, this.clock.nextDue);
    return dueAt === undefined ? {} : { dueAt };
  }

  async #saveTime(time: ClockTime): Promise<void> {
    try {
      await this.#replica.transact(async (transaction) => void transaction.write(META, CLOCK, time), (transaction) =>
        this.#due(transaction),
      );
    } catch (error) {
      this.clock.adoptTime((this.#meta(CLOCK) ?? { offset: 0, frozenAt: null }) as ClockTime);
      throw error;
    }
  }

  #timeOf({ clock }: StateSnapshot): ClockTime {
    const now = clock === undefined ? this.clock.now() : Date.parse(clock.now);
    const isFrozen = clock?.frozen ?? this.clock.isFrozen;
    return { offset: now - Date.now(), frozenAt: isFrozen ? now : null };
  }

  /** The job and what it does are one step, so that it is done once, by whichever process is first. */
  async #runJob(planned: Job): Promise<void> {
    try {
      await this.#run(async (view, _request, transaction) => {
        const job = transaction.read(JOBS, planned.id)?.value as AccountJob | undefined;
        if (job === undefined) return;
        if (job.dueAt > this.clock.now()) {
          this.clock.adoptJobs([job], [job.id]);
          return;
        }
        transaction.remove(JOBS, job.id);
        await this.#doJob(view, job);
      });
    } catch (error) {
      // It is still in the store: whoever looks for what is due finds it.
      if (!(error instanceof StateUnavailableError)) throw error;
    }
  }

  async #doJob(view: SharedView, { name, payload, account }: AccountJob): Promise<void> {
    try {
      if (name === RETRY_JOB) this.#callbacks.wake((payload as { readonly queue: string }).queue);
      else await findJob(this.#host.definition, name)(await view.contextOf(account), payload as never);
    } catch (error) {
      if (error instanceof StateUnavailableError) throw error;
      reportError(view, `/__specmill/jobs/${encodeURIComponent(name)}`, error);
    }
  }

  #report(path: string, error: unknown): void {
    reportError({ journal: this.journal, clock: this.clock }, path, error);
  }

  /** A call that belongs to no transaction. */
  #addCall(draft: JournalDraft): void {
    this.#ring.add(draft);
    const texts = this.#journalTexts([draft]);
    if (texts.length > 0) this.#backend.journals?.append(this.name, texts).catch(() => {});
  }

  #journalTexts(drafts: readonly JournalDraft[]): readonly string[] {
    if (this.#backend.journals === undefined) return [];
    return drafts.map((draft) => JSON.stringify(this.#ring.describe(draft, 0)));
  }

  #tell(draft: JournalDraft, entry: () => JournalEntry): void {
    this.events.emit(() => ({ type: 'journal', entry: entry() }));
    this.#host.onCall?.({ sandbox: this.name, draft, entry });
  }

  #emitFaults(): void {
    this.events.emit(() => ({ type: 'faults', faults: (this.#meta(FAULTS) ?? []) as readonly Fault[] }));
  }

  #emitAll(): void {
    this.events.emitState();
    this.emitClock();
    this.#emitFaults();
  }
}

/** Refuses every request before it is read. */
function unavailableSandbox(sandbox: Sandbox, cause: StateUnavailableError): Sandbox {
  const refuse = (): never => {
    throw new HttpError(503, `The state of the mock cannot be reached: ${cause.message}`);
  };
  return {
    name: sandbox.name,
    store: sandbox.store,
    clock: sandbox.clock,
    journal: { add: (draft) => sandbox.journal.add(draft), entries: () => [], clear: () => {} },
    faults: { list: () => [], replace: () => {}, take: refuse },
    distrust: () => {},
    contextFor: async () => refuse(),
  };
}
