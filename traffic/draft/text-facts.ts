import * as formats from '../../runtime/formats.js';

type FormatName = 'date-time' | 'date' | 'uuid' | 'email' | 'uri';

/** The formats that are looked for, the narrowest first. */
const FORMATS: Readonly<Record<FormatName, (text: string) => boolean>> = {
  'date-time': formats.dateTime,
  date: formats.date,
  uuid: formats.uuid,
  email: formats.email,
  uri: formats.uri,
};

const FORMAT_NAMES = Object.keys(FORMATS) as readonly FormatName[];

/** The formats of these that a text has: usually all or none. */
function withFormat(names: readonly FormatName[], text: string): readonly FormatName[] {
  return names.every((name) => FORMATS[name](text)) ? names : names.filter((name) => FORMATS[name](text));
}

/** The most values that are kept; with more, a text is no enum. */
const MOST_VALUES = 12;

/** Longer texts are neither values of an enum nor worth a check of their format. */
const LONGEST = 200;

/** Enough values for a format: this many texts, at least two of them different. */
const LEAST_FOR_FORMAT = 5;

/** Enough values for an enum: this many texts, and on average this many of each value. */
const LEAST_FOR_ENUM = 20;
const LEAST_REPEATS = 4;

/** Values of an enum: words, not sentences, numbers or names of persons. */
const ENUM_VALUE = /^[A-Za-z][A-Za-z0-9_.:/-]{0,39}$/;

/** What is known of the texts at one place. It keeps a few values, and none of them if the place is secret. */
export class TextFacts {
  count = 0;
  #formats: readonly FormatName[] | undefined;
  #values: Map<string, number> | undefined = new Map();
  /** Whether two values differed. */
  #differs = false;
  #first: string | undefined;
  #isInteger = true;
  #isNumber = true;
  #isBoolean = true;

  /** Adds a text. Whether it has a credential in it takes long to tell: it is asked only for a text that would be kept. */
  add(text: string, isSecret: () => boolean): void {
    this.count += 1;
    if (this.#isSettled) return;
    this.#isNumber &&= /^-?(?:0|[1-9]\d{0,14})(?:\.\d{1,15})?$/.test(text);
    this.#isInteger &&= this.#isNumber && !text.includes('.');
    this.#isBoolean &&= text === 'true' || text === 'false';
    if (text.length > LONGEST || (this.#first === undefined && isSecret())) {
      [this.#formats, this.#values, this.#differs] = [[], undefined, true];
      return;
    }
    if (this.#first !== text) {
      this.#differs ||= this.#first !== undefined;
      this.#first ??= text;
      this.#formats = withFormat(this.#formats ?? FORMAT_NAMES, text);
    }
    if (this.#values !== undefined) this.#addValue(text, this.#values, isSecret);
  }

  #addValue(text: string, values: Map<string, number>, isSecret: () => boolean): void {
    const count = values.get(text);
    if (count === undefined && (values.size === MOST_VALUES || !ENUM_VALUE.test(text) || isSecret()))
      this.#values = undefined;
    else values.set(text, (count ?? 0) + 1);
  }

  /** Whether more texts change nothing but the count. */
  get #isSettled(): boolean {
    const isOpen = this.#isNumber || this.#isBoolean || this.#values !== undefined;
    return this.#differs && !isOpen && this.#formats?.length === 0;
  }

  merge(other: TextFacts): void {
    if (other.count === 0) return;
    this.count += other.count;
    this.#isInteger &&= other.#isInteger;
    this.#isNumber &&= other.#isNumber;
    this.#isBoolean &&= other.#isBoolean;
    this.#differs ||=
      other.#differs || (this.#first !== undefined && other.#first !== undefined && this.#first !== other.#first);
    this.#first ??= other.#first;
    const theirs = other.#formats ?? [];
    this.#formats = this.#formats?.filter((name) => theirs.includes(name)) ?? theirs;
    if (this.#values === undefined || other.#values === undefined) {
      this.#values = undefined;
      return;
    }
    for (const [value, count] of other.#values) this.#values.set(value, (this.#values.get(value) ?? 0) + count);
    if (this.#values.size > MOST_VALUES) this.#values = undefined;
  }

  /** The format that all values have, if there are enough. */
  get format(): FormatName | undefined {
    return this.count >= LEAST_FOR_FORMAT && this.#differs ? this.#formats?.[0] : undefined;
  }

  /** All values in order, if there are few different ones in enough texts. */
  get enum(): readonly string[] | undefined {
    const values = this.#values;
    if (values === undefined || values.size < 2 || this.count < LEAST_FOR_ENUM) return undefined;
    if (values.size * LEAST_REPEATS > this.count || [...values.values()].some((count) => count < 2)) return undefined;
    return [...values.keys()].sort();
  }

  /** The text, if there was only one. */
  get only(): string | undefined {
    return this.#differs ? undefined : this.#first;
  }

  /** The type that all texts are written like, such as those of a parameter. */
  get writtenType(): 'integer' | 'number' | 'boolean' | 'string' {
    if (this.count === 0) return 'string';
    if (this.#isBoolean) return 'boolean';
    if (this.#isInteger) return 'integer';
    return this.#isNumber ? 'number' : 'string';
  }

  /** Whether each text that these facts allow is also allowed by the others. */
  isCoveredBy(other: TextFacts): boolean {
    if (other.format !== undefined && this.#formats?.includes(other.format) !== true) return false;
    const values = other.enum;
    return (
      values === undefined ||
      (this.#values !== undefined && [...this.#values.keys()].every((one) => values.includes(one)))
    );
  }
}
