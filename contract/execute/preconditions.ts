import type { Resource } from '../../resources/resource.js';
import type { Operation } from '../../model/api.js';
import { exampleCalls, makeCall } from '../plan/build-request-values.js';
import type { ContractRun } from './contract-run.js';
import type { Call, Phase } from '../types.js';

/** How an item comes to be in the state that an operation needs. */
interface Way {
  /** The number of the generated creation; 0 is known to be accepted. */
  readonly style: number;
  /** An operation on the item before. */
  readonly before?: Operation;
}

/** So many kinds of creation are tried for an operation, and so many ways in all. */
const MAX_STYLES = 6;
const MAX_WAYS = 30;

/** Makes the calls that an operation needs before it: what creates its item, brings it into a state, or leads to it by a link. */
export class Preconditions {
  readonly #run: ContractRun;
  /** Operations whose way is being made ready: a circle ends there. */
  readonly #open = new Set<Operation>();
  /** The last way that was taken to an operation. */
  readonly #ways = new Map<Operation, Way>();
  readonly #tried = new Map<Operation, Way[]>();
  /** With which creation an operation has worked. */
  readonly #styles = new Map<Operation, number>();
  /** Creations unlike the first one, by operation. */
  readonly #creations = new Map<Operation, readonly Call[]>();

  constructor(run: ContractRun) {
    this.#run = run;
  }

  /** Whether a way to an operation is being made ready. */
  isOpen(operation: Operation): boolean {
    return this.#open.has(operation);
  }

  /** Calls what must be called before an operation, as far as the pool knows that something must. */
  async to(operation: Operation, phase: Phase): Promise<void> {
    const { pool } = this.#run.context;
    await this.#haveReferences(operation, phase);
    const steps = pool.stepsTo(operation);
    if (steps.length === 0 || this.#open.has(operation)) return;
    this.#open.add(operation);
    const isShort = !steps.some((step) => pool.isCreation(step));
    if (isShort) await this.#look(operation, phase);
    if (!isShort || pool.stepsTo(operation).length > 0) await this.#makeWay(operation, phase);
    this.#open.delete(operation);
  }

  /** Has items of the other collections that the body of an operation names. */
  async #haveReferences(operation: Operation, phase: Phase): Promise<void> {
    const { pool } = this.#run.context;
    if (this.#open.has(operation)) return;
    this.#open.add(operation);
    for (const { reference, step } of pool.references.missing(operation)) {
      if (this.#open.has(step)) continue;
      const call = await this.#run.base(step, phase);
      const isThere = (): boolean => pool.references.missing(operation).every((one) => one.reference !== reference);
      if (!isThere() && call !== undefined) await this.#try(await this.#run.ready(call, phase), phase);
      const { list } = reference.resource;
      const listing = isThere() || list === undefined ? undefined : await this.#run.base(list, phase);
      if (listing !== undefined) await this.#try(listing, phase);
      if (!isThere()) pool.references.giveUp(reference);
    }
    this.#open.delete(operation);
  }

  /** Calls what shows items or links to them. */
  async #look(operation: Operation, phase: Phase): Promise<void> {
    const { pool } = this.#run.context;
    for (const step of pool.stepsTo(operation)) {
      const call = pool.isCreation(step) ? undefined : await this.#run.base(step, phase);
      if (call !== undefined) await this.#try(call, phase);
    }
  }

  /** Creates an item and brings it into a state that has not been tried yet. */
  async #makeWay(operation: Operation, phase: Phase): Promise<void> {
    const { pool } = this.#run.context;
    const creations = pool.creationsFor(operation);
    const way = creations.length === 0 ? undefined : this.#nextWay(operation);
    if (way === undefined) return pool.giveUp(operation);
    pool.noteStep(operation);
    for (const step of creations) await this.#create(step, way, phase);
    await this.#look(operation, phase);
  }

  async #create(step: Operation, { style, before }: Way, phase: Phase): Promise<void> {
    const base = await this.#run.base(step, phase);
    const other = style === 0 ? undefined : this.#othersOf(step)[style - 1];
    const call = other === undefined ? base : this.#run.context.pool.withIds(other);
    if (call === undefined) return;
    await this.#try(await this.#run.ready(call, phase), phase);
    const next = before === undefined ? undefined : await this.#run.base(before, phase);
    if (before === undefined || next === undefined) return;
    if (await this.#try(next, phase)) this.#styles.set(before, style);
  }

  async #try(call: Call, phase: Phase): Promise<boolean> {
    const exchange = await this.#run.try({ phase, call, expectation: { kind: 'valid' } });
    return exchange !== undefined && exchange.status >= 200 && exchange.status < 300;
  }

  /** The way that has worked, else one that has not been tried yet. */
  #nextWay(operation: Operation): Way | undefined {
    const known = this.#ways.get(operation);
    if (known !== undefined && this.#run.context.pool.failedAttempts(operation) === 0) return known;
    const tried = this.#tried.get(operation) ?? [];
    const next =
      tried.length >= MAX_WAYS
        ? undefined
        : this.#waysTo(operation).find((way) => !tried.some((one) => isSameWay(one, way)));
    if (next === undefined) return undefined;
    this.#ways.set(operation, next);
    this.#tried.set(operation, [...tried, next]);
    return next;
  }

  #waysTo(operation: Operation): Way[] {
    const { resources } = this.#run.context.pool;
    const own = resources.filter(({ slots, create }) => create !== undefined && slots.has(operation));
    const counts = own.flatMap(({ create }) => (create === undefined ? [] : [this.#othersOf(create).length]));
    const styles = Array.from({ length: Math.min(Math.max(0, ...counts), MAX_STYLES) + 1 }, (_, style) => style);
    const actions = own.flatMap((resource) => this.#actionsOf(resource, operation));
    const later = actions.flatMap((before) => {
      const known = this.#styles.get(before);
      return (known === undefined ? styles : [known]).map((style) => ({ style, before }));
    });
    return [...styles.map((style) => ({ style })), ...later];
  }

  /** Creations unlike the first one: the examples of the spec, and others made up. */
  #othersOf(create: Operation): readonly Call[] {
    const known = this.#creations.get(create);
    if (known !== undefined) return known;
    const { context, options } = this.#run;
    const made = (['typical', 'minimal'] as const).map((variant) =>
      makeCall(create, { variant, seed: options.seed }, context),
    );
    const others = [...exampleCalls(create, context).slice(1), ...made].filter((call) => call !== undefined);
    this.#creations.set(create, others);
    return others;
  }

  /** Operations that succeeded on an item of the kind may bring it into the required state. */
  #actionsOf({ slots, read, delete: removal, patch, replace }: Resource, operation: Operation): Operation[] {
    const known: ReadonlySet<Operation | undefined> = new Set([operation, read, removal, patch, replace]);
    return [...slots.keys()].filter(
      (one) => one.method !== 'get' && !known.has(one) && this.#run.context.pool.hasWorked(one),
    );
  }
}

function isSameWay(one: Way, other: Way): boolean {
  return one.style === other.style && one.before === other.before;
}
