import { randomUUID } from 'node:crypto';

import { parseExactJson } from '../../runtime/json-integers.js';
import { HttpError } from '../../http/http-error.js';
import type { MockRequest, MockResponse } from '../../http/messages.js';
import type { Caller, HandlerContext } from '../handler-api.js';
import type { ChangedIds } from '../stores/replicated/replica.js';
import { type StateBackend, StateUnavailableError, unreachable } from '../stores/replicated/state-backend.js';
import type { Store } from '../stores/store.js';
import { createItemCheck } from './check-item.js';
import { type AccountsSandbox, type ControlledSandbox, isByAccount } from './controlled-sandbox.js';
import { reportError } from './handler-context.js';
import { findMismatches } from './report-mismatches.js';
import { repeatRequest } from './repeat-request.js';
import { META, UNSEEN } from './reserved-collections.js';
import type { Fault, Faults, HandleRequest, Journal, JournalEntry, Sandbox } from './sandbox.js';
import type { ClockTime, SandboxClock } from './sandbox-clock.js';
import type { SandboxEvents } from './sandbox-events.js';
import type { SandboxHost } from './sandbox-host.js';
import { SeededRandom } from './seeded-random.js';
import { SharedAgenda } from './shared-agenda.js';
import { FAULTS } from './shared-faults.js';
import { CLOCK, EPOCH, SharedState } from './shared-state.js';
import { watchShared } from './shared-watch.js';
import type { SharedView } from './shared-view.js';
import { type StateSnapshot, describeContents, readContents } from './state-snapshot.js';

/** A sandbox whose state is stored outside of this process and may be shared with other processes. */
export class SharedSandbox implements ControlledSandbox {
  readonly name: string;
  readonly journal: Journal;
  readonly #backend: StateBackend;
  readonly #state: SharedState;
  readonly #agenda: SharedAgenda;
  #epoch: unknown;

  constructor(name: string, host: SandboxHost, backend: StateBackend) {
    this.name = name;
    this.#backend = backend;
    const onChange = (changed: ChangedIds | undefined): void => this.#follow(changed);
    this.#state = new SharedState({ name, host, backend, clock: () => this.#agenda.clock, onChange });
    this.#agenda = new SharedAgenda(this.#state);
    const watch = { name, events: this.events, journals: backend.journals, sync: () => this.sync() };
    this.events.onWatched(() => watchShared(watch));
    const { journal } = this.#state;
    this.journal = {
      add: (draft) => this.#state.addCall(draft),
      entries: (options) => journal.entries(options),
      clear: () => journal.clear(),
    };
  }

  get events(): SandboxEvents {
    return this.#state.events;
  }

  get store(): Store {
    return this.#state.store;
  }

  get clock(): SandboxClock {
    return this.#agenda.clock;
  }

  get faults(): Faults {
    return this.#state.openFaults();
  }

  get isByAccount(): boolean {
    return isByAccount(this.#state.host.definition);
  }

  sync(): Promise<void> {
    return this.#state.replica.sync();
  }

  distrust(urls: readonly string[]): void {
    this.#state.openView(new SeededRandom(this.#state.host.seed)).distrust(urls);
  }

  async contextFor(caller: Pick<Caller, 'account'>): Promise<HandlerContext> {
    return (await this.#openView()).contextFor(caller);
  }

  accounts(): Promise<readonly string[]> {
    return this.transact((sandbox) => sandbox.accounts());
  }

  /** Handles a request. If the state is unreachable, refuses it in the API's error format. */
  async serve(request: MockRequest, handle: HandleRequest): Promise<MockResponse> {
    const repeated = repeatRequest(request);
    try {
      return await this.#state.run((view) => handle(repeated, view));
    } catch (error) {
      if (!(error instanceof StateUnavailableError)) throw error;
      return handle(request, unavailableSandbox(this, error));
    }
  }

  async openForSocket(): Promise<Sandbox> {
    try {
      return await this.#openView();
    } catch (error) {
      if (!(error instanceof StateUnavailableError)) throw error;
      return unavailableSandbox(this, error);
    }
  }

  /** Opens a view for a connection, with random numbers of its own that are seeded by the sandbox. */
  async #openView(): Promise<SharedView> {
    const seed = await this.#state.run(async (_view, { random }) => random.integer(0, Number.MAX_SAFE_INTEGER));
    return this.#state.openView(new SeededRandom(seed));
  }

  transact<T>(work: (sandbox: AccountsSandbox) => Promise<T>): Promise<T> {
    return this.#state.run(work);
  }

  async reset(): Promise<void> {
    await this.#agenda.callbacks.stop();
    await this.#state.change(async (transaction) => {
      await transaction.clear();
      transaction.write(META, EPOCH, randomUUID());
    });
    await this.#backend.journals?.restart(this.name);
    this.events.emitAll(this);
  }

  snapshot(): Promise<StateSnapshot> {
    const { host } = this.#state;
    return this.#state.run(async (view, { random }, transaction) => {
      const accounts = this.isByAccount ? await view.accounts() : [undefined];
      for (const account of accounts) await host.fill(await view.contextOf(account));
      const contents = (await transaction.dump()).filter(({ collection }) => !UNSEEN.includes(collection));
      const time = { now: new Date(this.clock.now()).toISOString(), frozen: this.clock.isFrozen };
      return { clock: time, random: random.state, ...describeContents(contents, host.vault) };
    });
  }

  async restore(snapshot: StateSnapshot): Promise<void> {
    const { host } = this.#state;
    const contents = readContents(snapshot, { vault: host.vault, check: createItemCheck(host) });
    await this.clock.exclusively(async () => {
      await this.#agenda.callbacks.stop();
      await this.#state.run(async (_view, { random }, transaction) => {
        const kept = (await transaction.dump()).filter(({ collection }) => UNSEEN.includes(collection));
        const position = random.state;
        await transaction.load([...contents, ...kept]);
        transaction.write(META, CLOCK, this.#timeOf(snapshot));
        random.restore(snapshot.random ?? position);
      });
    });
    this.events.emitAll(this);
  }

  async adopt(host: SandboxHost): Promise<void> {
    await this.#state.adopt(host);
  }

  async readJournal({ violations = false }: { readonly violations?: boolean } = {}): Promise<readonly JournalEntry[]> {
    const { journals } = this.#backend;
    if (journals === undefined) return this.#state.journal.entries({ violations });
    const { first, entries } = await journals.read(this.name);
    const all = entries.map((text, index) => ({
      ...(parseExactJson(text) as JournalEntry),
      id: String(first + index),
    }));
    return violations ? all.filter((entry) => entry.violations.length > 0) : all;
  }

  async clearJournal(): Promise<void> {
    this.#state.journal.clear();
    await this.#backend.journals?.clear(this.name);
  }

  putFaults(faults: readonly Fault[]): Promise<void> {
    return this.#state.putFaults(faults);
  }

  note(path: string, message: string): void {
    reportError(this, path, message);
  }

  emitClock(): void {
    this.events.emitClock(this.clock);
  }

  wake(): Promise<void> {
    return this.#agenda.wake();
  }

  async close(): Promise<void> {
    this.events.end();
    this.#state.journal.clear();
    await this.#agenda.close();
  }

  #follow(changed: ChangedIds | undefined): void {
    const meta = changed?.get(META);
    if (changed === undefined || meta?.has(EPOCH) === true) this.#followEpoch();
    this.#agenda.follow(changed);
    if (changed === undefined || meta?.has(CLOCK) === true) this.emitClock();
    if (changed === undefined || meta?.has(FAULTS) === true) this.events.emitFaults(this.faults);
    this.events.emitState();
    // Checks the items after the change has been applied.
    if (changed === undefined) setImmediate(() => void this.#checkItems().catch(() => {}));
  }

  /** Checks the stored items, because an earlier process may have used another spec. */
  async #checkItems(): Promise<void> {
    let found: readonly string[] = [];
    await this.#state.change((transaction) => {
      found = findMismatches(transaction, this.#state.host, this.#state.replica.collections.keys());
    });
    for (const message of found) this.note('/__specmill/state', message);
  }

  #followEpoch(): void {
    const epoch = this.#state.meta(EPOCH);
    if (epoch === this.#epoch) return;
    this.#epoch = epoch;
    this.#state.memory.clear();
    this.#state.journal.clear();
  }

  #timeOf({ clock }: StateSnapshot): ClockTime {
    const now = clock === undefined ? this.clock.now() : Date.parse(clock.now);
    const isFrozen = clock?.frozen ?? this.clock.isFrozen;
    return { offset: now - Date.now(), frozenAt: isFrozen ? now : null };
  }
}

/** Refuses every request before it is read. */
function unavailableSandbox(sandbox: Sandbox, cause: StateUnavailableError): Sandbox {
  const refuse = (): never => {
    throw new HttpError(503, unreachable(cause));
  };
  const { name, store, clock, journal } = sandbox;
  return {
    name,
    store,
    clock,
    journal,
    faults: { list: () => [], replace: () => {}, take: refuse },
    distrust: () => {},
    contextFor: async () => refuse(),
  };
}
