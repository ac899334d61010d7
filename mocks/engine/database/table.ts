import type { Columns } from '../columns/column.js';

export interface ForeignKey {
  readonly columns: readonly string[];
  /** Name of the other table as written. */
  readonly table: string;
  /** Its columns; without any, its primary key. */
  readonly targets: readonly string[];
}

/** A table as `--engine-schema` declares it. All names are those of the database. */
export interface Table {
  /** As written, without quotes: `dbo.books`. */
  readonly name: string;
  readonly columns: Columns;
  readonly keys: readonly string[];
  readonly foreignKeys: readonly ForeignKey[];
  /** Sets of columns whose values together occur only once, without the primary key. */
  readonly unique: readonly (readonly string[])[];
}

/** Quotes of names in all dialects. */
const QUOTES = /["'`[\]]/g;

/** The tables of a database, found by names with or without their schema, in any letter case. */
export class Tables {
  readonly list: readonly Table[];
  readonly #byName: ReadonlyMap<string, Table>;
  readonly #byLastWord: ReadonlyMap<string, Table>;

  constructor(list: readonly Table[]) {
    this.list = list;
    this.#byName = new Map(list.map((table) => [simplify(table.name), table]));
    this.#byLastWord = new Map(list.toReversed().map((table) => [lastWord(simplify(table.name)), table]));
  }

  find(name: string): Table | undefined {
    const simple = simplify(name);
    const exact = this.#byName.get(simple);
    if (exact !== undefined) return exact;
    const same = this.#byLastWord.get(lastWord(simple));
    // Two names with different schemas are two tables.
    const isQualified = simple.includes('.') && same?.name.includes('.') === true;
    return isQualified ? undefined : same;
  }
}

function simplify(name: string): string {
  return name.replaceAll(QUOTES, '').toLowerCase();
}

function lastWord(name: string): string {
  return name.slice(name.lastIndexOf('.') + 1);
}
