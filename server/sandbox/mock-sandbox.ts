import { randomUUID } from 'node:crypto';

import { activate } from '../faults/choose-fault.js';
import type { MockRequest, MockResponse } from '../../http/messages.js';
import { type Journal, JournalRing } from '../../http/journal/journal.js';
import type { Caller, HandlerContext } from '../handler-api.js';
import type { Changed } from '../stores/replicated/replica-copy.js';
import type { Store } from '../stores/store.js';
import { BackgroundWork } from './background-work.js';
import { createItemCheck } from './check-item.js';
import { MemoryState } from './memory-state.js';
import { ReplicatedState } from './replicated-state.js';
import { CLOCK, FAULTS, META, SCENARIOS, UNSEEN } from './reserved-collections.js';
import type { Fault, Faults, HandleRequest, JournalDraft, JournalEntry, Sandbox } from './sandbox.js';
import type { ClockTime, SandboxClock } from './sandbox-clock.js';
import { SandboxEvents } from './sandbox-events.js';
import type { SandboxHost } from './sandbox-host.js';
import type { SandboxState } from './sandbox-state.js';
import { type AccountsSandbox, isByAccount } from './sandbox-view.js';
import { type StateSnapshot, describeContents, readContents } from './state-snapshot.js';

/** A sandbox over a state in memory, or in an engine that several processes share. */
export class MockSandbox implements Sandbox {
  readonly name: string;
  /** Survives resets and reloads. */
  readonly events: SandboxEvents = new SandboxEvents();
  readonly journal: Journal;
  readonly #calls: JournalRing;
  #host: SandboxHost;
  #state: SandboxState;
  #work: BackgroundWork;
  /** The end of the queue of resets and reloads. */
  #changes: Promise<void> = Promise.resolve();

  constructor(name: string, host: SandboxHost) {
    this.name = name;
    this.#host = host;
    this.#calls = new JournalRing(host.redact, { onAdd: (draft, entry) => this.#notify(draft, entry) });
    this.journal = {
      add: (draft) => this.#state.journal.add(draft),
      entries: (options) => this.#calls.entries(options),
      clear: () => this.#calls.clear(),
    };
    this.#state = this.#openState();
    this.#work = this.#openWork();
    this.events.onWatched(() => this.#state.journal.watch(this.events));
  }

  get store(): Store {
    return this.#state.store;
  }

  get clock(): SandboxClock {
    return this.#work.clock;
  }

  get faults(): Faults {
    return this.#state.faults;
  }

  get isByAccount(): boolean {
    return isByAccount(this.#host.definition);
  }

  get random(): Sandbox['random'] {
    return { number: () => Math.random(), uuid: () => randomUUID() };
  }

  distrust(urls: readonly string[]): void {
    this.#state.distrust(urls);
  }

  async contextFor(caller: Pick<Caller, 'account'>): Promise<HandlerContext> {
    return (await this.#state.openView()).contextFor(caller);
  }

  serve(request: MockRequest, handle: HandleRequest): Promise<MockResponse> {
    return this.#state.serve(request, handle);
  }

  openForSocket(): Promise<Sandbox> {
    return this.#state.openForSocket();
  }

  /** Applies the changes of other processes. */
  sync(): Promise<void> {
    return this.#state.sync();
  }

  /** Runs work atomically. The work may run again. */
  transact<T>(work: (sandbox: AccountsSandbox) => Promise<T>): Promise<T> {
    return this.#state.transact(({ view }) => work(view));
  }

  /** The ids in a collection, by its name in the state, as far as this process knows them. */
  idsIn(collection: string): ReadonlySet<string> {
    return new Set(this.#state.itemsOf(collection)?.keys());
  }

  readJournal(options?: { readonly violations?: boolean }): Promise<readonly JournalEntry[]> {
    return this.#state.journal.read(options);
  }

  clearJournal(): Promise<void> {
    return this.#state.journal.clear();
  }

  putFaults(faults: readonly Fault[]): Promise<void> {
    return this.#state.transact(async ({ setFaults }) => setFaults(faults));
  }

  /** Makes these scenarios the active ones. */
  setScenarios(names: readonly string[]): Promise<void> {
    return this.#state.transact(async ({ setScenarios }) => setScenarios(activate(names, this.#host.scenarios)));
  }

  /** Resets everything to the start. */
  reset(): Promise<void> {
    return this.#inTurn(async () => {
      await this.#work.close();
      try {
        this.#state = await this.#state.reset();
        this.#calls.restart();
      } finally {
        this.#work = this.#openWork();
        this.#follow(undefined);
      }
    });
  }

  /** Returns the state as JSON, filled with seeds and examples; with state per account, for all known accounts. */
  snapshot(): Promise<StateSnapshot> {
    const { fill, vault } = this.#host;
    return this.#state.transact(async ({ view, store, random }) => {
      const accounts = this.isByAccount ? await view.accounts() : [undefined];
      for (const account of accounts) await fill(await view.contextOf(account));
      const contents = (await store.dump()).filter(({ collection }) => !UNSEEN.includes(collection));
      const time = { now: new Date(this.clock.now()).toISOString(), frozen: this.clock.isFrozen };
      return { clock: time, random: random.state, ...describeContents(contents, vault) };
    });
  }

  /**
   * Restores a snapshot that was validated against the spec of the control API.
   *
   * @throws BadSnapshotError if it cannot be restored; the state is unchanged then.
   */
  async restore(snapshot: StateSnapshot): Promise<void> {
    const contents = readContents(snapshot, { vault: this.#host.vault, check: createItemCheck(this.#host) });
    const { clock, callbacks } = this.#work;
    try {
      await clock.exclusively(async () => {
        await callbacks.stop();
        await this.#state.transact(async ({ store, random, setTime }) => {
          const position = snapshot.random ?? random.state;
          const own = UNSEEN.map(async (collection) => ({
            collection,
            items: (await store.query(collection, {})).items,
          }));
          await store.load([...contents, ...(await Promise.all(own))]);
          setTime(this.#timeOf(snapshot));
          random.restore(position);
        });
      });
    } finally {
      // Deliveries go on, even if the state could not be restored.
      this.#follow(undefined);
    }
  }

  /** Switches to another spec or behaviour. State, clock, journal and faults are kept. */
  adopt(host: SandboxHost): Promise<void> {
    return this.#inTurn(async () => {
      this.#host = host;
      this.#calls.adopt(host.redact);
      await this.#state.adopt(host);
      this.events.emitState();
    });
  }

  /** Writes a problem outside of any call to the journal. */
  note(path: string, message: string): void {
    this.#work.report(path, message);
  }

  /** Runs what is due, including work that another process has left behind. */
  async wake(): Promise<void> {
    await this.sync();
    await this.#work.catchUp();
  }

  /** Stops timers and deliveries. */
  async close(): Promise<void> {
    this.events.end();
    await this.#inTurn(async () => {
      this.#calls.clear();
      await this.#work.close();
      this.#state.close();
    });
  }

  /** Replaces or closes parts after all earlier changes of them, because two at once would leave parts open. */
  #inTurn(change: () => Promise<void>): Promise<void> {
    const result = this.#changes.then(change);
    this.#changes = result.catch(() => {});
    return result;
  }

  #openState(): SandboxState {
    const owner = {
      name: this.name,
      host: this.#host,
      journal: this.#calls,
      clock: () => this.clock,
      onChange: (changed: Changed) => this.#follow(changed),
    };
    const { backend } = this.#host;
    return backend === undefined ? new MemoryState(owner) : new ReplicatedState(owner, backend);
  }

  #openWork(): BackgroundWork {
    return new BackgroundWork({ name: this.name, state: this.#state, host: () => this.#host });
  }

  #follow(changed: Changed): void {
    // Most changes are of items alone.
    if (changed?.size === 0) return this.events.emitState();
    this.#work.follow(changed);
    const meta = changed?.get(META);
    if (changed === undefined || meta?.has(CLOCK) === true) this.events.emitClock(this.clock);
    if (changed === undefined || meta?.has(FAULTS) === true || meta?.has(SCENARIOS) === true)
      this.events.emitFaults(this.faults);
    this.events.emitState();
  }

  #timeOf({ clock }: StateSnapshot): ClockTime {
    const now = clock === undefined ? this.clock.now() : Date.parse(clock.now);
    const isFrozen = clock?.frozen ?? this.clock.isFrozen;
    return { offset: now - Date.now(), frozenAt: isFrozen ? now : null };
  }

  #notify(draft: JournalDraft, entry: () => JournalEntry): void {
    // Calls of shared journals are reported when they are read back, in the order of all processes.
    if (this.#host.backend?.journals === undefined) this.events.emit(() => ({ type: 'journal', entry: entry() }));
    this.#host.onCall?.({ sandbox: this.name, draft, entry });
  }
}
