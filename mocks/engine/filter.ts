import { compareValues } from 'specmill/mock';

import type { Row } from '../../generated/engine/types.js';
import type { Claims } from './configuration/entity.js';
import { fieldOf } from './sort-rows.js';

export type RowTest = (row: Row) => boolean;

export class FilterError extends Error {
  override readonly name = 'FilterError';
}

const TOKEN = /\s*(?:([()])|'((?:[^']|'')*)'|([^\s()']+))/gy;
const OPERATORS = ['eq', 'ne', 'gt', 'ge', 'lt', 'le'] as const;
type Operator = (typeof OPERATORS)[number];
const NUMBER = /^[+-]?\d+(?:\.\d+)?(?:[eE][+-]?\d+)?$/;
/** Dates, times and GUIDs, which OData writes without quotes. */
const BARE_TEXT =
  /^(?:\d{4}-\d{2}-\d{2}(?:T[\d:.]+(?:Z|[+-]\d{2}:\d{2})?)?|[0-9a-fA-F]{8}(?:-[0-9a-fA-F]{4}){3}-[0-9a-fA-F]{12})$/;
const FIELD = /^[\p{L}_][\p{L}\p{N}_]*$/u;
const ITEM = '@item.';
const CLAIM = '@claims.';
/** Maximum nesting depth. */
const DEEPEST = 100;

interface Token {
  readonly kind: 'parenthesis' | 'text' | 'word';
  readonly text: string;
}

interface PolicyWords {
  readonly claims: Claims;
  /** Returns the name of a field that callers see. */
  readonly exposed: (field: string) => string;
}

/**
 * Reads `$filter`: comparisons with `eq`, `ne`, `gt`, `ge`, `lt` and `le`, joined by `and`, `or` and `not`, with
 * parentheses.
 *
 * @param policy - only for policies, in which fields are `@item.<field>` and claims of the caller `@claims.<name>`.
 * @throws FilterError
 */
export function parseFilter(text: string, policy?: PolicyWords): RowTest {
  return readFilter(text, policy).test;
}

/** The fields that a filter compares. @throws FilterError */
export function fieldsOfFilter(text: string): readonly string[] {
  const words = { claims: {}, exposed: (field: string): string => field };
  return readFilter(text, text.includes('@') ? words : undefined).fields;
}

function readFilter(
  text: string,
  policy: PolicyWords | undefined,
): { readonly test: RowTest; readonly fields: readonly string[] } {
  const reader = new FilterReader(tokenize(text), policy);
  const test = reader.readOr(0);
  reader.expectEnd();
  return { test, fields: [...reader.fields] };
}

function tokenize(text: string): readonly Token[] {
  const tokens: Token[] = [];
  TOKEN.lastIndex = 0;
  for (let end = 0; text.slice(end).trim() !== ''; end = TOKEN.lastIndex) {
    const match = TOKEN.exec(text);
    if (match === null) throw new FilterError('a quote is not closed');
    const [, parenthesis, quoted, word = ''] = match;
    if (parenthesis !== undefined) tokens.push({ kind: 'parenthesis', text: parenthesis });
    else if (quoted !== undefined) tokens.push({ kind: 'text', text: quoted.replaceAll("''", "'") });
    else tokens.push({ kind: 'word', text: word });
  }
  return tokens;
}

type Operand = (row: Row) => unknown;

class FilterReader {
  /** The fields that were read. */
  readonly fields: Set<string> = new Set();
  readonly #tokens: readonly Token[];
  readonly #policy: PolicyWords | undefined;
  #place = 0;

  constructor(tokens: readonly Token[], policy: PolicyWords | undefined) {
    this.#tokens = tokens;
    this.#policy = policy;
  }

  readOr(depth: number): RowTest {
    let test = this.#readAnd(depth);
    while (this.#takeWord('or')) {
      const [left, right] = [test, this.#readAnd(depth)];
      test = (row) => left(row) || right(row);
    }
    return test;
  }

  expectEnd(): void {
    const token = this.#tokens[this.#place];
    if (token !== undefined) throw new FilterError(`${token.text} is not expected there`);
  }

  #readAnd(depth: number): RowTest {
    let test = this.#readNot(depth);
    while (this.#takeWord('and')) {
      const [left, right] = [test, this.#readNot(depth)];
      test = (row) => left(row) && right(row);
    }
    return test;
  }

  #readNot(depth: number): RowTest {
    if (depth > DEEPEST) throw new FilterError('it is nested too deeply');
    if (this.#takeWord('not')) {
      const test = this.#readNot(depth + 1);
      return (row) => !test(row);
    }
    if (this.#take('parenthesis', '(')) {
      const test = this.readOr(depth + 1);
      if (!this.#take('parenthesis', ')')) throw new FilterError('a parenthesis is not closed');
      return test;
    }
    return this.#readComparison();
  }

  #readComparison(): RowTest {
    const left = this.#readOperand();
    const operator = OPERATORS.find((one) => this.#takeWord(one));
    if (operator === undefined)
      throw new FilterError(
        `there must be one of ${OPERATORS.join(', ')} after ${this.#tokens[this.#place - 1]?.text ?? ''}`,
      );
    const right = this.#readOperand();
    return (row) => compare(left(row), operator, right(row));
  }

  #readOperand(): Operand {
    const token = this.#tokens[this.#place];
    this.#place += 1;
    if (token === undefined) throw new FilterError('it ends too early');
    const { kind, text } = token;
    if (kind === 'text') return () => text;
    if (kind === 'parenthesis') throw new FilterError(`${text} is not expected there`);
    if (text === 'null') return () => null;
    if (text === 'true' || text === 'false') return () => text === 'true';
    if (NUMBER.test(text)) return () => Number(text);
    if (BARE_TEXT.test(text)) return () => text;
    return this.#policy === undefined ? this.#readField(text) : this.#readPolicyWord(text, this.#policy);
  }

  #readField(name: string): Operand {
    if (!FIELD.test(name)) throw new FilterError(`${name} is neither a field nor a value`);
    this.fields.add(name);
    return (row) => fieldOf(row, name);
  }

  #readPolicyWord(text: string, { claims, exposed }: PolicyWords): Operand {
    if (text.startsWith(ITEM)) return this.#readField(exposed(text.slice(ITEM.length)));
    if (!text.startsWith(CLAIM)) throw new FilterError(`${text} is neither @item., nor @claims., nor a value`);
    const name = text.slice(CLAIM.length);
    // A claim that the caller lacks is not equal to anything, not even to a field without a value.
    return () => (Object.hasOwn(claims, name) ? claims[name] : undefined);
  }

  #takeWord(word: string): boolean {
    return this.#take('word', word);
  }

  #take(kind: Token['kind'], text: string): boolean {
    const token = this.#tokens[this.#place];
    if (token?.kind !== kind || token.text !== text) return false;
    this.#place += 1;
    return true;
  }
}

/**
 * Compares two values. Values of different types are not equal and have no order; nothing is greater or less than null.
 */
export function compare(left: unknown, operator: Operator, right: unknown): boolean {
  if (left === undefined || right === undefined) return false;
  if (operator === 'eq' || operator === 'ne') return (left === right) === (operator === 'eq');
  if (left === null || right === null || typeof left !== typeof right) return false;
  const order = compareValues(left, right);
  if (operator === 'gt') return order > 0;
  if (operator === 'ge') return order >= 0;
  return operator === 'lt' ? order < 0 : order <= 0;
}
