/** A document has more parts than a parser accepts for its length, or is nested too deeply. */
export class BudgetError extends Error {
  override readonly name = 'BudgetError';
}

/**
 * What each part of a document costs. A scalar, such as a number or a text, costs 1. An object with more than
 * {@link MOST_PLAIN_MEMBERS} members pays for each further `member`, a stream for each `item`. A `wide` integer is a
 * `bigint`.
 */
export const COSTS = {
  scalar: 1,
  list: 4,
  object: 32,
  member: 25,
  wide: 16,
  element: 8,
  attribute: 12,
  entity: 3,
  field: 4,
  part: 200,
  item: 4,
} as const;

export type CountedKind = keyof typeof COSTS;

const NAMES: Readonly<Record<CountedKind, string>> = {
  scalar: 'values',
  list: 'lists',
  object: 'objects',
  member: 'members of one object',
  wide: 'integers beyond 2^53',
  element: 'elements',
  attribute: 'attributes',
  entity: 'entities',
  field: 'fields',
  part: 'parts',
  item: 'items',
};

/** The number of members above which V8 stores objects as hash tables, which are slow to copy. */
const MOST_PLAIN_MEMBERS = 200;

/** The highest cost of a document, so that a document of a megabyte takes at most a tenth of a second. */
const MOST_COST = 400_000;
/** Longer documents may cost more, as real data of their length does. */
const LONG_DOCUMENT = 1_000_000;
const COST_A_CHARACTER = 2;

/**
 * Counts what a document of any format consists of while it is parsed. Each parser of data from outside spends from one
 * budget, so that no format takes more time for its length than another.
 */
export class ParseBudget {
  readonly #most: number;
  readonly #kinds: readonly CountedKind[];
  #spent = 0;

  /**
   * @param length - of the document, in characters or bytes.
   * @param kinds - what the format has, for the message.
   */
  constructor(length: number, kinds: readonly CountedKind[]) {
    this.#most = length <= LONG_DOCUMENT ? MOST_COST : length * COST_A_CHARACTER;
    this.#kinds = kinds;
  }

  /** @throws BudgetError if the document has too many parts */
  spend(cost: number): void {
    this.#spent += cost;
    if (this.#spent > this.#most) throw new BudgetError(this.#describe());
  }

  /** Counts one more member of an object that has some already. @throws BudgetError */
  spendMember(known: number): void {
    this.spend(known > MOST_PLAIN_MEMBERS ? COSTS.member : COSTS.scalar);
  }

  #describe(): string {
    const limits = this.#kinds.map((kind) => `${Math.floor(this.#most / COSTS[kind])} ${NAMES[kind]}`);
    return `must NOT have more than ${limits.join(', ').replace(/, ([^,]*)$/, ' or $1')}`;
  }
}
