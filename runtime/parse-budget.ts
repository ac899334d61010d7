/** A document has more parts than a parser accepts for its length, or is nested too deeply. */
export class BudgetError extends Error {
  override readonly name = 'BudgetError';
}

/** What a part of a document costs, and how messages name it. A scalar, such as a number or a text, costs 1. */
export interface CountedKind {
  readonly cost: number;
  readonly name: string;
}

export const LIST: CountedKind = { cost: 4, name: 'lists' };
export const OBJECT: CountedKind = { cost: 32, name: 'objects' };
/** A further member of an object with more than {@link MOST_PLAIN_MEMBERS}. */
export const MEMBER: CountedKind = { cost: 25, name: 'members of one object' };
/** A `bigint`. */
export const WIDE: CountedKind = { cost: 16, name: 'integers beyond 2^53' };
export const ELEMENT: CountedKind = { cost: 8, name: 'elements' };
export const ATTRIBUTE: CountedKind = { cost: 12, name: 'attributes' };
export const ENTITY: CountedKind = { cost: 3, name: 'entities' };
export const FIELD: CountedKind = { cost: 4, name: 'fields' };
export const PART: CountedKind = { cost: 200, name: 'parts' };
/** An item of a stream. */
export const ITEM: CountedKind = { cost: 4, name: 'items' };

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
    this.spend(known > MOST_PLAIN_MEMBERS ? MEMBER.cost : 1);
  }

  #describe(): string {
    const limits = this.#kinds.map(({ cost, name }) => `${Math.floor(this.#most / cost)} ${name}`);
    return `must NOT have more than ${limits.join(', ').replace(/, ([^,]*)$/, ' or $1')}`;
  }
}
