import { type ChosenFault, faultsFor, chooseFault, listScenarios } from '../faults/choose-fault.js';
import type { FaultQuery, FaultState, ListedScenario, ScenarioRecord, Scenarios } from '../faults/fault.js';
import type { MockRequest, MockResponse } from '../../http/messages.js';
import type { JournalRing } from '../../http/journal/journal.js';
import { MemoryStore } from '../stores/memory-store.js';
import type { StoredItem } from '../stores/item-index.js';
import type { Changed } from '../stores/replicated/replica-copy.js';
import { type Leases, NO_RIVALS } from './leases.js';
import { CALLBACKS, CLOCK, FAULTS, JOBS, META } from './reserved-collections.js';
import type { Fault, Faults, HandleRequest } from './sandbox.js';
import type { ClockTime } from './sandbox-clock.js';
import type { SandboxHost } from './sandbox-host.js';
import { REAL_TIME, type SandboxState, type StateJournal, type StateOwner, type StateStep } from './sandbox-state.js';
import { type BudgetShare, PROCESS_STATE } from './state-budget.js';
import { SandboxView } from './sandbox-view.js';
import { SeededRandom } from './seeded-random.js';
import { limitForeign } from './webhook-queue.js';

/** The faults of a sandbox in memory. */
class FaultBook implements Faults {
  readonly #scenarios: () => Scenarios | undefined;
  readonly #onChange: () => void;
  #state: FaultState = { faults: [], scenarios: undefined };

  constructor(scenarios: () => Scenarios | undefined, onChange: () => void) {
    this.#scenarios = scenarios;
    this.#onChange = onChange;
  }

  list(): readonly Fault[] {
    return this.#state.faults;
  }

  replace(faults: readonly Fault[]): void {
    this.#change({ ...this.#state, faults: [...faults] });
  }

  scenarios(): readonly ListedScenario[] {
    return listScenarios(this.#state, this.#scenarios());
  }

  record(scenarios: ScenarioRecord): void {
    this.#change({ ...this.#state, scenarios });
  }

  candidates(scenario: string | undefined): readonly Fault[] {
    const { faults } = this.#state;
    const scenarios = this.#scenarios();
    return faults.length + (scenarios?.lists.size ?? 0) === 0 && scenario === undefined
      ? faults
      : faultsFor(this.#state, scenarios, scenario);
  }

  take(query: FaultQuery): ChosenFault | undefined {
    const chosen = chooseFault(this.#state, this.#scenarios(), query);
    if (chosen?.next !== undefined) this.#change(chosen.next);
    return chosen;
  }

  #change(state: FaultState): void {
    this.#state = state;
    this.#onChange();
  }
}

/** A state in the memory of this process. Every call of its store does its work at once, so transactions are free. */
export class MemoryState implements SandboxState {
  readonly store: MemoryStore;
  readonly faults: FaultBook = new FaultBook(
    () => this.#host.scenarios,
    () => this.#changed(META, FAULTS),
  );
  readonly journal: StateJournal;
  readonly leases: Leases = NO_RIVALS;
  readonly #owner: StateOwner;
  readonly #share: BudgetShare;
  readonly #random: SeededRandom;
  readonly #foreign = new Set<string>();
  #host: SandboxHost;
  #view: SandboxView;
  #time = REAL_TIME;
  #isOpen = true;

  constructor(owner: StateOwner) {
    this.#owner = owner;
    this.journal = journalOf(owner.journal);
    this.#host = owner.host;
    this.#random = new SeededRandom(owner.host.seed);
    this.#share = PROCESS_STATE.open(owner.host.stateLimits);
    this.store = new MemoryStore({
      limit: this.#share,
      onWrite: (collection, id) => this.#changed(collection, id),
    });
    this.#view = this.#createView();
  }

  get time(): ClockTime {
    return this.#time;
  }

  itemsOf(collection: string): ReadonlyMap<string, StoredItem> | undefined {
    return this.store.itemsOf(collection);
  }

  transact<T>(work: (step: StateStep) => Promise<T>): Promise<T> {
    return work({
      view: this.#view,
      store: this.store,
      random: this.#random,
      setFaults: (faults) => this.faults.replace(faults),
      setScenarios: (record) => this.faults.record(record),
      setTime: (time) => {
        this.#time = time;
        this.#changed(META, CLOCK);
      },
    });
  }

  serve(request: MockRequest, handle: HandleRequest): Promise<MockResponse> {
    return handle(request, this.#view);
  }

  async openView(): Promise<SandboxView> {
    return this.#view;
  }

  openForSocket(): Promise<SandboxView> {
    return this.openView();
  }

  /** Does nothing: no other process can change this state. */
  async sync(): Promise<void> {}

  distrust(urls: readonly string[]): void {
    limitForeign(this.#foreign.size + urls.length);
    for (const url of urls) this.#foreign.add(url);
  }

  async isForeign(url: string): Promise<boolean> {
    return this.#foreign.has(url);
  }

  async adopt(host: SandboxHost): Promise<void> {
    this.#host = host;
    this.#view = this.#createView();
  }

  /** Returns another state, so that what running requests still write goes nowhere. */
  async reset(): Promise<MemoryState> {
    this.close();
    await this.store.clear();
    return new MemoryState({ ...this.#owner, host: this.#host });
  }

  close(): void {
    this.#isOpen = false;
    this.#share.close();
  }

  #createView(): SandboxView {
    const { name, journal, clock } = this.#owner;
    return new SandboxView({
      name,
      journal,
      host: this.#host,
      store: this.store,
      random: this.#random,
      memory: new Map(),
      faults: this.faults,
      now: () => clock().now(),
      distrust: (urls) => this.distrust(urls),
    });
  }

  #changed(collection?: string, id?: string): void {
    if (!this.#isOpen) return;
    if (collection === undefined || id === undefined) {
      this.#view.forgetContexts();
      this.#owner.onChange(undefined);
    } else this.#owner.onChange(OBSERVED.has(collection) ? new Map([[collection, new Set([id])]]) : OTHERS);
  }
}

/** Without other processes, the calls of this one are all. */
function journalOf(ring: JournalRing): StateJournal {
  return {
    add: (draft) => void ring.add(draft),
    read: async (options) => ring.entries(options),
    clear: async () => ring.clear(),
    watch: () => ({ ready: Promise.resolve(), stop: () => {} }),
  };
}

/** The collections whose changes have effects outside of the state. */
const OBSERVED: ReadonlySet<string> = new Set([META, JOBS, CALLBACKS]);
const OTHERS: Changed = new Map();
