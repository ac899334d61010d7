import { isSuccess } from '../../http/messages.js';
import type { Operation } from '../../model/api.js';
import type { ValueVariant } from '../../schema/sample/sample-context.js';
import { alternativeMessages } from '../plan/alternative-messages.js';
import { exampleCalls, makeCall } from '../plan/build-request-values.js';
import type { ContractRun, Items } from './contract-run.js';
import { addOptionalValues } from './add-optional-values.js';
import { withPathOf } from './ids/id-slot.js';
import { repairCall } from './repair/repair-call.js';
import { type SetupPath, SetupPaths } from './setup-paths.js';
import { type Accepted, findFullestList, isList } from './fullest-list.js';
import type { Call, Phase } from '../types.js';

/** The most requests to find another item for an operation. */
const MOST_TRIES = 24;

/** Refusals that may be about the state or the kind of an item. */
const STATES_OF_ITEMS: ReadonlySet<number> = new Set([400, 409, 412, 422]);

/**
 * Finds calls that the server accepts and keeps them valid. Only this class decides what is sent before a call. An
 * operation is unknown, then open (its preconditions are being met), then known by its base call or given up. Each set-up
 * is tried once.
 */
export class CallPreparation implements Items {
  readonly #run: ContractRun;
  readonly #readDue: () => Promise<void>;
  /** The call of each operation that the server is known to accept. */
  readonly #bases = new Map<string, Call | undefined>();
  /** How many items the base call of a list returned, and when. */
  readonly #lists = new Map<string, { readonly items: number; readonly phase: Phase }>();
  /** Operations whose preconditions are being met. Cycles end here. */
  readonly #open = new Set<Operation>();
  readonly #setups: SetupPaths;

  /** @param readDue - sends the delayed reads that are due. */
  constructor(run: ContractRun, readDue: () => Promise<void>) {
    this.#run = run;
    this.#readDue = readDue;
    this.#setups = new SetupPaths(run);
  }

  async validCall(operation: Operation, phase: Phase): Promise<Call | undefined> {
    await this.#readDue();
    return this.#base(operation, phase);
  }

  async findValidCall(operation: Operation, phase: Phase): Promise<void> {
    if (!this.#bases.has(operation.id)) await this.#base(operation, phase);
  }

  async #base(operation: Operation, phase: Phase): Promise<Call | undefined> {
    await this.#ensure(operation, phase);
    const list = this.#lists.get(operation.id);
    // The list may have items by now.
    const empty = list?.items === 0 && list.phase !== phase ? this.#bases.get(operation.id) : undefined;
    if (empty !== undefined) this.#bases.set(operation.id, (await this.#findList(empty, phase)) ?? empty);
    if (!this.#bases.has(operation.id)) {
      const found = await this.#findBase(operation, phase);
      // A call that a limit kept from being tried may work later.
      if (this.#run.client.hasPutAside) return undefined;
      this.#bases.set(operation.id, found);
    }
    const call = this.#bases.get(operation.id);
    const { pool } = this.#run.context;
    // Another parent may have no items.
    if (call !== undefined && (this.#lists.get(operation.id)?.items ?? 0) > 0 && pool.isReady(call)) return call;
    return call === undefined ? undefined : pool.withIds(call);
  }

  async #findBase(operation: Operation, phase: Phase): Promise<Call | undefined> {
    const { seed } = this.#run.options;
    const make = (variant: ValueVariant): Call | undefined => makeCall(operation, { variant, seed }, this.#run.context);
    const full = make('full');
    // A full body has all of several messages that exclude each other; a typical one has one of them.
    const hasChoice = alternativeMessages(full?.body?.media.schema ?? true, this.#run.context.api).length > 0;
    const made = [...(hasChoice ? [] : [full]), make('typical'), make('minimal')];
    const calls = [...made, ...exampleCalls(operation, this.#run.context)].filter((call) => call !== undefined);
    const named = calls.map((call) => this.#run.context.pool.withMentions(call));
    const candidates = [...calls, ...named.filter((call, index) => call !== calls[index])];
    let first: Call | undefined;
    for (const call of candidates) {
      const accepted = await this.#tryStates(call, phase);
      if (accepted === undefined) continue;
      if (isList(operation, this.#run)) return (await this.#findList(accepted, phase)) ?? accepted;
      const base = call === made[0] ? accepted : await this.#widen(accepted, made[0], phase);
      // A request that works only once, such as a change with a version, is a worse base.
      if (operation.method === 'get') return base;
      if (await this.#canRepeat(base, phase)) return base;
      first ??= base;
    }
    if (first !== undefined) return first;
    // Values that the authors of the spec chose fit an item best.
    const isMade = (call: Call): number => Number(made.includes(call));
    const likely = candidates.toSorted((one, other) => isMade(one) - isMade(other));
    const elsewhere = await this.#onOtherItems(likely, phase);
    if (elsewhere !== undefined) return this.#widen(elsewhere, made[0], phase);
    return (await this.#repair(operation, { candidates, full: made[0], phase })) ?? candidates[0];
  }

  /**
   * Sends refused calls on the other items that the run knows: an operation may refuse the kind or the state of the
   * first. Later calls avoid the items that were refused.
   */
  async #onOtherItems(candidates: readonly Call[], phase: Phase): Promise<Call | undefined> {
    const { client, context } = this.#run;
    let left = MOST_TRIES;
    for (const candidate of candidates) {
      const refused = [candidate];
      for (const call of context.pool.onOtherItems(context.pool.renew(candidate))) {
        if (left === 0 || client.hasPutAside) return undefined;
        left -= 1;
        const exchange = await client.send({ phase, call, expectation: { kind: 'valid' } });
        if (exchange === undefined || !STATES_OF_ITEMS.has(exchange.status)) {
          if (exchange === undefined || !isSuccess(exchange)) break;
          for (const one of refused) context.pool.avoidItem(one);
          return call;
        }
        refused.push(call);
      }
    }
    return undefined;
  }

  /** Finds the call of a list with most items, from one that the server accepts. */
  async #findList(accepted: Call, phase: Phase): Promise<Call | undefined> {
    const { seed } = this.#run.options;
    const made = (['full', 'typical', 'minimal'] as const).flatMap(
      (variant) => makeCall(accepted.operation, { variant, seed }, this.#run.context) ?? [],
    );
    const calls = made.map((call) => withPathOf(call, accepted));
    const found = await findFullestList([...calls.slice(0, 1), accepted, ...calls.slice(1)], {
      run: this.#run,
      read: async (call) => this.#readStates(call, phase),
      create: async (operation) => {
        const base = this.#open.has(operation) ? undefined : await this.#base(operation, phase);
        const call = base === undefined ? undefined : await this.refreshIds(base, phase);
        return call === undefined ? undefined : this.#accepted(call, phase);
      },
    });
    if (found === undefined) return undefined;
    const { operation } = found.call;
    this.#lists.set(operation.id, { items: found.items, phase });
    return found.call;
  }

  /** Changes the refused calls by what the server said. */
  async #repair(
    operation: Operation,
    {
      candidates,
      full,
      phase,
    }: { readonly candidates: readonly Call[]; readonly full?: Call | undefined; readonly phase: Phase },
  ): Promise<Call | undefined> {
    const { client, context, shown } = this.#run;
    if (client.hasPutAside || this.#open.has(operation)) return undefined;
    const accepted = await repairCall(candidates, {
      api: context.api,
      shown,
      full,
      keepGiven: (call) => context.pool.withGivenValues(call),
      send: async (call) => client.send({ phase, call: context.pool.renew(call), expectation: { kind: 'valid' } }),
    });
    if (accepted === undefined) return undefined;
    if (isList(operation, this.#run)) return (await this.#findList(accepted, phase)) ?? accepted;
    return this.#widen(accepted, full, phase);
  }

  /**
   * Whether a call is accepted again. The first refusal may show which values must be unique, so the call is repeated
   * with new ones.
   */
  async #canRepeat(base: Call, phase: Phase): Promise<boolean> {
    const { pool } = this.#run.context;
    for (let repeated = base; ;) {
      const call = pool.renew(repeated);
      const exchange = await this.#run.client.send({ phase, call, expectation: { kind: 'valid' } });
      if (exchange !== undefined && isSuccess(exchange)) return true;
      if (repeated !== base || pool.isReady(call)) return false;
      repeated = call;
    }
  }

  /**
   * Adds to a call what the server accepts of the fullest call: one refused value must not leave the others untested.
   */
  async #widen(accepted: Call, full: Call | undefined, phase: Phase): Promise<Call> {
    if (full === undefined) return accepted;
    return addOptionalValues(accepted, full, (call) => this.#tryStates(call, phase));
  }

  async #tryStates(call: Call, phase: Phase): Promise<Call | undefined> {
    return (await this.#readStates(call, phase))?.call;
  }

  /** Sends a call. If its item's state forbids it, tries items in other states. Returns the accepted call. */
  async #readStates(call: Call, phase: Phase): Promise<Accepted | undefined> {
    const { pool } = this.#run.context;
    for (;;) {
      const ready = await this.refreshIds(call, phase);
      const accepted = await this.#accepted(ready, phase);
      if (accepted !== undefined) return accepted;
      // If the operation itself is being prepared, a set-up through it adds nothing new.
      const isStuck = pool.stepsTo(call.operation).length === 0 || this.#open.has(call.operation);
      if (pool.isReady(ready) || isStuck) return undefined;
    }
  }

  async refreshIds(call: Call, phase: Phase): Promise<Call> {
    const { pool } = this.#run.context;
    if (pool.isReady(call)) return call;
    await this.#ensure(call.operation, phase);
    return pool.renew(call);
  }

  /** Meets the known preconditions of an operation. */
  async #ensure(operation: Operation, phase: Phase): Promise<void> {
    const { pool } = this.#run.context;
    await this.#haveReferences(operation, phase);
    const steps = pool.stepsTo(operation);
    if (steps.length === 0 || this.#open.has(operation)) return;
    this.#open.add(operation);
    const isShort = !steps.some((step) => pool.roles.isCreation(step));
    if (isShort) await this.#look(operation, phase);
    if (!isShort || pool.stepsTo(operation).length > 0) await this.#setUp(operation, phase);
    this.#open.delete(operation);
  }

  /** Gets items of the other collections that the body of an operation names. */
  async #haveReferences(operation: Operation, phase: Phase): Promise<void> {
    const { pool } = this.#run.context;
    if (this.#open.has(operation)) return;
    this.#open.add(operation);
    for (const { reference, step } of pool.references.missing(operation)) {
      if (this.#open.has(step)) continue;
      const call = await this.#base(step, phase);
      const isThere = (): boolean => pool.references.missing(operation).every((one) => one.reference !== reference);
      if (!isThere() && call !== undefined) await this.#try(await this.refreshIds(call, phase), phase);
      const { list } = reference.resource;
      const listing = isThere() || list === undefined ? undefined : await this.#base(list, phase);
      if (listing !== undefined) await this.#try(listing, phase);
      if (!isThere()) pool.references.giveUp(reference);
    }
    this.#open.delete(operation);
  }

  /** Calls operations that show items or links to them. */
  async #look(operation: Operation, phase: Phase): Promise<void> {
    const { pool } = this.#run.context;
    for (const step of pool.stepsTo(operation)) {
      const call = pool.roles.isCreation(step) ? undefined : await this.#base(step, phase);
      if (call !== undefined) await this.#try(call, phase);
    }
  }

  /** Creates an item and brings it into a state that has not been tried yet. */
  async #setUp(operation: Operation, phase: Phase): Promise<void> {
    const { pool } = this.#run.context;
    const creations = pool.roles.creationsFor(operation);
    const path = creations.length === 0 ? undefined : this.#setups.next(operation);
    if (path === undefined) return pool.attempts.giveUp(operation);
    pool.attempts.noteStep(operation);
    for (const step of creations) await this.#create(step, path, phase);
    await this.#look(operation, phase);
  }

  async #create(step: Operation, { creationIndex, before }: SetupPath, phase: Phase): Promise<void> {
    const base = await this.#base(step, phase);
    const other = this.#setups.creationAt(step, creationIndex);
    const call = other === undefined ? base : this.#run.context.pool.withIds(other);
    if (call === undefined) return;
    await this.#try(await this.refreshIds(call, phase), phase);
    const next = before === undefined ? undefined : await this.#base(before, phase);
    if (before === undefined || next === undefined) return;
    if (await this.#try(next, phase)) this.#setups.noteWorked(before, creationIndex);
  }

  async #try(call: Call, phase: Phase): Promise<boolean> {
    return (await this.#accepted(call, phase)) !== undefined;
  }

  async #accepted(call: Call, phase: Phase): Promise<Accepted | undefined> {
    const exchange = await this.#run.client.send({ phase, call, expectation: { kind: 'valid' } });
    return exchange !== undefined && isSuccess(exchange) ? { call, exchange } : undefined;
  }
}
