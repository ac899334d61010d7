import { getOrInsert } from '../../model/maps.js';
import type { Operation } from '../../model/api.js';
import type { Resource } from '../../resources/resource.js';
import { exampleCalls, makeCall } from '../plan/build-request-values.js';
import type { Call } from '../types.js';
import type { ContractRun } from './contract-run.js';

/** How an item gets into the state that an operation needs. */
export interface SetupPath {
  /** 0 is the creation known to be accepted. */
  readonly creationIndex: number;
  /** An operation to call on the item first. */
  readonly before?: Operation;
}

/** The most kinds of creation, and the most set-ups in all, that are tried for an operation. */
const MAX_CREATIONS = 6;
const MAX_PATHS = 30;

/** Chooses how items get into the states that operations need. Each set-up is tried once. */
export class SetupPaths {
  readonly #run: Pick<ContractRun, 'context' | 'options'>;
  /** The last set-up of an operation. */
  readonly #paths = new Map<Operation, SetupPath>();
  readonly #tried = new Map<Operation, SetupPath[]>();
  /** The creation with which an operation worked, by its index. */
  readonly #creationIndexes = new Map<Operation, number>();
  /** Other creations than the first, by operation. */
  readonly #creations = new Map<Operation, readonly Call[]>();

  constructor(run: Pick<ContractRun, 'context' | 'options'>) {
    this.#run = run;
  }

  /** The set-up that worked last, else the next untried one. */
  next(operation: Operation): SetupPath | undefined {
    const known = this.#paths.get(operation);
    if (known !== undefined && this.#run.context.pool.attempts.failedAttempts(operation) === 0) return known;
    const tried = getOrInsert(this.#tried, operation, () => []);
    const next =
      tried.length >= MAX_PATHS
        ? undefined
        : this.#pathsTo(operation).find((path) => !tried.some((one) => isSamePath(one, path)));
    if (next === undefined) return undefined;
    this.#paths.set(operation, next);
    tried.push(next);
    return next;
  }

  /** A creation by its index; `undefined` for the one known to be accepted. */
  creationAt(create: Operation, index: number): Call | undefined {
    return index === 0 ? undefined : this.#othersOf(create)[index - 1];
  }

  /** Notes that an operation worked on an item of a creation. */
  noteWorked(operation: Operation, creationIndex: number): void {
    this.#creationIndexes.set(operation, creationIndex);
  }

  #pathsTo(operation: Operation): SetupPath[] {
    const { resources } = this.#run.context.pool;
    const own = resources.filter(({ slots, create }) => create !== undefined && slots.has(operation));
    const counts = own.flatMap(({ create }) => (create === undefined ? [] : [this.#othersOf(create).length]));
    const indexes = Array.from({ length: Math.min(Math.max(0, ...counts), MAX_CREATIONS) + 1 }, (_, index) => index);
    const actions = own.flatMap((resource) => this.#actionsOf(resource, operation));
    const later = actions.flatMap((before) => {
      const known = this.#creationIndexes.get(before);
      return (known === undefined ? indexes : [known]).map((creationIndex) => ({ creationIndex, before }));
    });
    return [...indexes.map((creationIndex) => ({ creationIndex })), ...later];
  }

  /** Other creations than the first: further examples of the spec, and generated ones. */
  #othersOf(create: Operation): readonly Call[] {
    return getOrInsert(this.#creations, create, () => {
      const { context, options } = this.#run;
      const made = (['typical', 'minimal'] as const).map((variant) =>
        makeCall(create, { variant, seed: options.seed }, context),
      );
      return [...exampleCalls(create, context).slice(1), ...made].filter((call) => call !== undefined);
    });
  }

  /** Operations that succeeded on an item of the kind may bring it into the required state. */
  #actionsOf({ slots, read, delete: removal, patch, replace }: Resource, operation: Operation): Operation[] {
    const known: ReadonlySet<Operation | undefined> = new Set([operation, read, removal, patch, replace]);
    return [...slots.keys()].filter(
      (one) => one.method !== 'get' && !known.has(one) && this.#run.context.pool.attempts.hasWorked(one),
    );
  }
}

function isSamePath(one: SetupPath, other: SetupPath): boolean {
  return one.creationIndex === other.creationIndex && one.before === other.before;
}
