export class ParsedArgs {
  readonly positionals: readonly string[];
  readonly #values: ReadonlyMap<string, readonly string[]>;

  constructor(positionals: readonly string[], values: ReadonlyMap<string, readonly string[]>) {
    this.positionals = positionals;
    this.#values = values;
  }

  has(name: string): boolean {
    return this.#values.has(name);
  }

  value(name: string): string | undefined {
    return this.#values.get(name)?.[0];
  }

  /** All values of an option that may be repeated. */
  values(name: string): readonly string[] {
    return this.#values.get(name) ?? [];
  }

  /** The comma-separated value of an option as a list. */
  list(name: string): readonly string[] | undefined {
    const value = this.value(name);
    return value
      ?.split(',')
      .map((item) => item.trim())
      .filter((item) => item !== '');
  }
}
