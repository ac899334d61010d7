import type { FieldValue } from '../../../generated/engine/types.js';

export type ColumnType =
  | 'byte'
  | 'short'
  | 'int'
  | 'long'
  | 'single'
  | 'float'
  | 'decimal'
  | 'boolean'
  | 'text'
  | 'datetime'
  | 'date'
  | 'time'
  | 'uuid'
  | 'bytes'
  | 'any';

/** The value of a column that a new row leaves out; `unknown` is an expression that only the database can compute. */
export type ColumnDefault = { readonly value: FieldValue } | { readonly make: 'now' | 'uuid' | 'unknown' };

/** A column, by the name that its owner uses: a table its own name, an entity the name that callers see. */
export interface Column {
  readonly name: string;
  readonly type: ColumnType;
  /** Whether the type was read from values; then callers may send any type of value. */
  readonly isGuess?: boolean;
  readonly nullable: boolean;
  readonly description?: string;
  /** Characters of a text, at most. */
  readonly maxLength?: number;
  /** The only texts that are allowed. */
  readonly values?: readonly string[];
  readonly default?: ColumnDefault;
  /** Whether the database numbers new rows itself. */
  readonly isGenerated?: boolean;
}

export type Columns = ReadonlyMap<string, Column>;

const INTEGERS: Readonly<Partial<Record<ColumnType, readonly [least: bigint, most: bigint]>>> = {
  byte: [0n, 255n],
  short: [-32_768n, 32_767n],
  int: [-(2n ** 31n), 2n ** 31n - 1n],
  long: [-(2n ** 63n), 2n ** 63n - 1n],
};

const DATE = /^\d{4}-\d{2}-\d{2}$/;
const DATE_TIME = /^\d{4}-\d{2}-\d{2}[T ]\d{2}:\d{2}(?::\d{2}(?:\.\d{1,9})?)?(?:Z|[+-]\d{2}:\d{2})?$/i;
const TIME = /^\d{2}:\d{2}(?::\d{2}(?:\.\d{1,9})?)?$/;
const UUID = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;
const BASE64 = /^[A-Za-z0-9+/_-]*={0,2}$/;

/** Tests of texts, each with the word for what it accepts. */
const TEXTS: Readonly<Partial<Record<ColumnType, readonly [test: (text: string) => boolean, word: string]>>> = {
  text: [() => true, 'a text'],
  datetime: [(text) => readInstant(text) !== undefined, 'a date and time'],
  date: [(text) => readInstant(text) !== undefined, 'a date'],
  time: [(text) => TIME.test(text), 'a time'],
  uuid: [(text) => UUID.test(text), 'a UUID'],
  bytes: [(text) => BASE64.test(text), 'bytes in Base64'],
};

/** Whether values of the column are numbers. */
export function isNumeric({ type }: Pick<Column, 'type'>): boolean {
  return type === 'single' || type === 'float' || type === 'decimal' || INTEGERS[type] !== undefined;
}

/** Returns the rule that a value breaks, such as `must be an integer`; `undefined` if it fits the column. */
export function checkValue(column: Column, value: unknown): string | undefined {
  if (value === null || value === undefined) return column.nullable ? undefined : 'must not be null';
  if (column.isGuess === true) return undefined;
  return checkType(column.type, value) ?? checkText(column, value);
}

function checkText({ maxLength, values }: Column, value: unknown): string | undefined {
  if (typeof value !== 'string') return undefined;
  if (maxLength !== undefined && [...value].length > maxLength) return `must have at most ${maxLength} characters`;
  if (values !== undefined && !values.includes(value)) return `must be one of ${values.join(', ')}`;
  return undefined;
}

/** Returns the rule that a value breaks which is not null. */
export function checkType(type: ColumnType, value: unknown): string | undefined {
  const range = INTEGERS[type];
  if (range !== undefined) return checkInteger(value, range);
  if (type === 'boolean') return typeof value === 'boolean' ? undefined : 'must be true or false';
  if (isNumeric({ type }))
    return typeof value === 'number' || typeof value === 'bigint' ? undefined : 'must be a number';
  const text = TEXTS[type];
  if (text === undefined) return undefined;
  const [test, word] = text;
  return typeof value === 'string' && test(value) ? undefined : `must be ${word}`;
}

function checkInteger(value: unknown, [least, most]: readonly [bigint, bigint]): string | undefined {
  const isInteger = typeof value === 'bigint' || (typeof value === 'number' && Number.isInteger(value));
  if (!isInteger) return 'must be an integer';
  const exact = BigInt(value);
  return exact >= least && exact <= most ? undefined : `must be from ${least} to ${most}`;
}

/** Reads a date, or a date with a time, as epoch milliseconds; without an offset it is in UTC. */
export function readInstant(text: string): number | undefined {
  if (!DATE.test(text) && !DATE_TIME.test(text)) return undefined;
  const iso = text.replace(' ', 'T').toUpperCase();
  const instant = Date.parse(DATE.test(iso) || /(?:Z|[+-]\d{2}:\d{2})$/.test(iso) ? iso : `${iso}Z`);
  return Number.isNaN(instant) ? undefined : instant;
}

/** Reads a value of a path, such as the key in `/id/5`. Returns `undefined` if it is no value of the column. */
export function readColumnText(column: Column, text: string): FieldValue | undefined {
  if (!isNumeric(column)) return column.type === 'boolean' ? readBoolean(text) : checked(column, text);
  if (!/^[+-]?\d+(?:\.\d+)?$/.test(text)) return undefined;
  const isWide = INTEGERS[column.type] !== undefined && !Number.isSafeInteger(Number(text));
  return checked(column, isWide && !text.includes('.') ? (BigInt(text) as unknown as FieldValue) : Number(text));
}

function readBoolean(text: string): boolean | undefined {
  return text === 'true' || text === 'false' ? text === 'true' : undefined;
}

function checked(column: Column, value: FieldValue): FieldValue | undefined {
  return checkValue(column, value) === undefined ? value : undefined;
}

const LARGEST_INT = 2 ** 31;

/**
 * The column that values of one name suggest. Numbers may be fractions in other rows, except those of keys and those of
 * which `isExact` says that the values are all there are.
 */
export function guessColumn(name: string, values: readonly unknown[], isExact = false): Column {
  return { name, type: guessType(values, isExact), nullable: true, isGuess: true };
}

function guessType(values: readonly unknown[], isExact: boolean): ColumnType {
  const known = values.filter((value) => value !== null && value !== undefined);
  if (known.length === 0) return 'any';
  if (known.every((value) => typeof value === 'string')) return 'text';
  if (known.every((value) => typeof value === 'boolean')) return 'boolean';
  if (!known.every((value) => typeof value === 'number')) return 'any';
  return isExact && known.every((value) => Number.isInteger(value) && Math.abs(value) < LARGEST_INT) ? 'int' : 'float';
}
