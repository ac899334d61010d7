import type { HandlerContext, Caller } from '../handler-api.js';
import type { Clock, Job } from './clock-types.js';
import type { Fault, JournalDraft, JournalEntry } from './sandbox.js';
import { MemoryStore } from '../stores/memory-store.js';
import type { Store, StoreIndex } from '../stores/store.js';
import { splitCollection } from '../stores/collection-names.js';
import { createItemCheck } from './check-item.js';
import { type AccountsSandbox, type ControlledSandbox, accountOf, findJob, isByAccount } from './controlled-sandbox.js';
import { CallbackQueues, RETRY_JOB } from './webhook-queue.js';
import { type AccountJob, countUp, createContext, reportError } from './handler-context.js';
import { FaultList } from './fault-list.js';
import { CALLBACKS, COUNTERS, JOBS } from './reserved-collections.js';
import { JournalRing } from '../../http/journal/journal.js';
import type { SandboxHost, SandboxParts, SandboxState } from './sandbox-host.js';
import { SandboxClock } from './sandbox-clock.js';
import { PROCESS_STATE } from './state-budget.js';
import { SeededContexts } from './account-contexts.js';
import { SeededRandom } from './seeded-random.js';
import { createWorkReporter } from './report-work.js';
import { SandboxEvents } from './sandbox-events.js';
import { type StateSnapshot, describeContents, readContents } from './state-snapshot.js';

export class MockSandbox implements ControlledSandbox {
  readonly name: string;
  readonly events: SandboxEvents = new SandboxEvents();
  #host: SandboxHost;
  #parts: SandboxParts;
  /** The end of the queue of changes of the parts. */
  #line: Promise<void> = Promise.resolve();

  constructor(name: string, host: SandboxHost) {
    this.name = name;
    this.#host = host;
    this.#parts = this.#openParts();
  }

  get store(): Store {
    return this.#parts.store;
  }

  get clock(): SandboxClock {
    return this.#parts.clock;
  }

  get journal(): JournalRing {
    return this.#parts.journal;
  }

  get faults(): FaultList {
    return this.#parts.faults;
  }

  distrust(urls: readonly string[]): void {
    this.#parts.callbacks.distrust(urls);
  }

  contextFor(caller: Pick<Caller, 'account'>): Promise<HandlerContext> {
    return this.#parts.contexts.of(accountOf(this.#host.definition, caller));
  }

  get isByAccount(): boolean {
    return isByAccount(this.#host.definition);
  }

  /** Does nothing: no other process can change this sandbox. */
  async sync(): Promise<void> {}

  /** Does nothing: the timer of the clock runs what is due. */
  async wake(): Promise<void> {}

  async transact<T>(work: (sandbox: AccountsSandbox) => Promise<T>): Promise<T> {
    return work(this);
  }

  async readJournal(options?: { readonly violations?: boolean }): Promise<readonly JournalEntry[]> {
    return this.journal.entries(options);
  }

  async clearJournal(): Promise<void> {
    this.journal.clear();
  }

  async putFaults(faults: readonly Fault[]): Promise<void> {
    this.faults.replace(faults);
  }

  accounts(): Promise<readonly string[]> {
    return this.#parts.contexts.accounts();
  }

  reset(): Promise<void> {
    return this.#inTurn(async () => {
      const old = this.#parts;
      await this.#closeParts(old);
      await old.store.clear();
      this.#parts = this.#openParts();
      this.events.emitAll(this);
    });
  }

  async snapshot(): Promise<StateSnapshot> {
    const { store, clock, random, contexts } = this.#parts;
    const accounts = this.isByAccount ? await this.accounts() : [undefined];
    for (const account of accounts) await this.#host.fill(await contexts.of(account));
    const contents = await store.dump();
    const time = { now: new Date(clock.now()).toISOString(), frozen: clock.isFrozen };
    return { clock: time, random: random.state, ...describeContents(contents, this.#host.vault) };
  }

  /**
   * Restores a snapshot that was validated against the spec of the control API.
   *
   * @throws BadSnapshotError if it cannot be restored; the state is unchanged then.
   */
  async restore(snapshot: StateSnapshot): Promise<void> {
    const contents = readContents(snapshot, { vault: this.#host.vault, check: createItemCheck(this.#host) });
    const { store, clock, random, callbacks, contexts } = this.#parts;
    await clock.exclusively(async () => {
      await callbacks.stop();
      await store.load(contents);
      contexts.clear();
      await clock.restore(
        snapshot.clock === undefined ? clock.now() : Date.parse(snapshot.clock.now),
        snapshot.clock?.frozen ?? clock.isFrozen,
      );
      if (snapshot.random !== undefined) random.restore(snapshot.random);
      await callbacks.resume();
    });
    this.events.emitAll(this);
  }

  adopt(host: SandboxHost): Promise<void> {
    return this.#inTurn(() => this.#adopt(host));
  }

  async #adopt(host: SandboxHost): Promise<void> {
    const old = this.#parts;
    old.clock.close();
    await old.callbacks.stop();
    this.#host = host;
    // The store is kept: calls that still run write to it.
    old.store.reindex(indexesOf(host));
    const next = this.#openParts(old);
    await next.clock.restore(old.clock.now(), old.clock.isFrozen);
    for (const entry of old.journal.entries()) next.journal.add(entry);
    old.journal.clear();
    next.faults.replace(old.faults.list());
    next.random.restore(old.random.state);
    this.#parts = next;
    this.events.emitState();
    await next.callbacks.resume();
  }

  note(path: string, message: string): void {
    reportError(this.#parts, path, message);
  }

  emitClock(): void {
    this.events.emitClock(this.clock);
  }

  async close(): Promise<void> {
    this.events.end();
    await this.#inTurn(() => this.#closeParts(this.#parts));
  }

  /** Replaces or closes the parts after all earlier changes of them, because two at once would leave parts open. */
  #inTurn(change: () => Promise<void>): Promise<void> {
    const result = this.#line.then(change);
    this.#line = result.catch(() => {});
    return result;
  }

  #notify(draft: JournalDraft, entry: () => JournalEntry): void {
    this.events.emit(() => ({ type: 'journal', entry: entry() }));
    this.#host.onCall?.({ sandbox: this.name, draft, entry });
  }

  async #closeParts({ clock, callbacks, journal, releaseState }: SandboxParts): Promise<void> {
    journal.clear();
    clock.close();
    await callbacks.stop();
    releaseState();
  }

  #openState(): SandboxState {
    const limit = PROCESS_STATE.open();
    const store = new MemoryStore(indexesOf(this.#host), { limit, onWrite: () => this.events.emitState() });
    return { store, releaseState: () => limit.close() };
  }

  #openParts({ store, releaseState }: SandboxState = this.#openState()): SandboxParts {
    const host = this.#host;
    const clock = new SandboxClock({
      store,
      run: (job) => this.#runJob(parts, job),
      settle: () => callbacks.settle(),
    });
    const callbacks = new CallbackQueues({
      store,
      clock,
      policy: host.callbacks,
      nextId: async () => String(await countUp(store, COUNTERS, CALLBACKS)),
      onAttempt: createWorkReporter(host, this.name).attempt,
      onLost: ({ url }, { reason }) => reportError(parts, withoutUserInfo(url), reason),
    });
    const parts: SandboxParts = {
      store,
      releaseState,
      clock,
      callbacks,
      random: new SeededRandom(host.seed),
      journal: new JournalRing(host.redact, { onAdd: (draft, entry) => this.#notify(draft, entry) }),
      faults: new FaultList(() => this.events.emitFaults(this.faults)),
      memory: new Map(),
      contexts: new SeededContexts({
        store,
        seed: host.definition.seed,
        make: (account) => this.#makeContext(parts, account),
      }),
    };
    return parts;
  }

  async #runJob(parts: SandboxParts, job: Job): Promise<void> {
    const { name, payload, account }: AccountJob = job;
    await parts.store.delete(JOBS, job.id);
    try {
      if (name === RETRY_JOB) parts.callbacks.wake((payload as { readonly queue: string }).queue);
      else {
        await findJob(this.#host.definition, name)(await parts.contexts.of(account), payload as never);
        createWorkReporter(this.#host, this.name).job(name);
      }
    } catch (error) {
      reportError(parts, `/__specmill/jobs/${encodeURIComponent(name)}`, error);
    }
  }

  #makeContext(parts: SandboxParts, account: string | undefined): HandlerContext {
    const { store, random, memory } = parts;
    // After a reload, a running call uses the clock and the queues of the new behaviour.
    const current = (): SandboxParts => (this.#parts.store === store ? this.#parts : parts);
    const clock: Clock = {
      now: () => current().clock.now(),
      schedule: (job) => current().clock.schedule(job),
      cancel: (id) => current().clock.cancel(id),
    };
    const sendCallback: HandlerContext['sendCallback'] = (callback) =>
      current()
        .callbacks.send(callback)
        .catch((error: unknown) => {
          const queue = splitCollection(callback.queue).name;
          reportError(current(), `/__specmill/callbacks/${encodeURIComponent(queue)}`, error);
        });
    return createContext({ store, clock, random, memory, sendCallback }, this.#host, account);
  }
}

const CALLBACK_INDEX: StoreIndex = { collection: CALLBACKS, path: 'queue' };

/** The indexes of the mock itself and of its behaviour. */
export function indexesOf({ definition }: SandboxHost): readonly StoreIndex[] {
  return [...(definition.indexes ?? []), CALLBACK_INDEX];
}

/** Removes user name and password from a URL before it is written to the journal. */
export function withoutUserInfo(address: string): string {
  if (!URL.canParse(address)) return address;
  const url = new URL(address);
  url.username = '';
  url.password = '';
  return url.href;
}
