import { type Condition, type Operand, type Operator, ORDERS, type RowTest, toRowTest } from './condition.js';

export class FilterError extends Error {
  override readonly name = 'FilterError';
}

const TOKEN = /\s*(?:([(),])|'((?:[^']|'')*)'|([^\s(),']+))/gy;
const NUMBER = /^[+-]?\d+(?:\.\d+)?(?:[eE][+-]?\d+)?$/;
/** Dates, times and GUIDs, which OData writes without quotes. */
const BARE_TEXT =
  /^(?:\d{4}-\d{2}-\d{2}(?:T[\d:.]+(?:Z|[+-]\d{2}:\d{2})?)?|\d{2}:\d{2}(?::\d{2}(?:\.\d+)?)?|[0-9a-fA-F]{8}(?:-[0-9a-fA-F]{4}){3}-[0-9a-fA-F]{12})$/;
const FIELD = /^[\p{L}_][\p{L}\p{N}_]*$/u;
const ITEM = '@item';
const CLAIM = '@claims.';
/** Functions of OData over two texts. */
const FUNCTIONS: Readonly<Record<string, Operator>> = {
  contains: 'contains',
  startswith: 'startsWith',
  endswith: 'endsWith',
};
/** Maximum nesting depth. */
const DEEPEST = 100;

interface Token {
  readonly kind: 'mark' | 'text' | 'word';
  readonly text: string;
}

/** How a policy writes fields: `@item.<field>`, by the names of the database. */
export interface PolicyWords {
  /** Returns the name of a field that callers see. */
  readonly exposed: (field: string) => string;
}

/**
 * Reads `$filter`: comparisons with `eq`, `ne`, `gt`, `ge`, `lt`, `le` and `in (…)` and the functions `contains`,
 * `startswith` and `endswith`, joined by `and`, `or` and `not`, with parentheses.
 *
 * @param policy - only for policies, in which fields are `@item.<field>` and claims of the caller `@claims.<name>`.
 * @throws FilterError
 */
export function parseCondition(text: string, policy?: PolicyWords): Condition {
  const reader = new FilterReader(tokenize(text), policy);
  const condition = reader.readOr(0);
  reader.expectEnd();
  return condition;
}

/** Reads a `$filter` as a test of rows. @throws FilterError */
export function parseFilter(text: string): RowTest {
  return toRowTest(parseCondition(text));
}

function tokenize(text: string): readonly Token[] {
  const tokens: Token[] = [];
  TOKEN.lastIndex = 0;
  for (let end = 0; text.slice(end).trim() !== ''; end = TOKEN.lastIndex) {
    const match = TOKEN.exec(text);
    if (match === null) throw new FilterError('a quote is not closed');
    const [, mark, quoted, word = ''] = match;
    if (mark !== undefined) tokens.push({ kind: 'mark', text: mark });
    else if (quoted !== undefined) tokens.push({ kind: 'text', text: quoted.replaceAll("''", "'") });
    else tokens.push({ kind: 'word', text: word });
  }
  return tokens;
}

class FilterReader {
  readonly #tokens: readonly Token[];
  readonly #policy: PolicyWords | undefined;
  #place = 0;

  constructor(tokens: readonly Token[], policy: PolicyWords | undefined) {
    this.#tokens = tokens;
    this.#policy = policy;
  }

  readOr(depth: number): Condition {
    const parts = [this.#readAnd(depth)];
    while (this.#takeWord('or')) parts.push(this.#readAnd(depth));
    return join('or', parts);
  }

  expectEnd(): void {
    const token = this.#tokens[this.#place];
    if (token !== undefined) throw new FilterError(`${token.text} is not expected there`);
  }

  #readAnd(depth: number): Condition {
    const parts = [this.#readNot(depth)];
    while (this.#takeWord('and')) parts.push(this.#readNot(depth));
    return join('and', parts);
  }

  #readNot(depth: number): Condition {
    if (depth > DEEPEST) throw new FilterError('it is nested too deeply');
    if (this.#takeWord('not')) return { kind: 'not', part: this.#readNot(depth + 1) };
    if (this.#take('mark', '(')) {
      const condition = this.readOr(depth + 1);
      this.#expectMark(')', 'a parenthesis is not closed');
      return condition;
    }
    return this.#readFunction() ?? this.#readComparison();
  }

  /** Reads `contains(title,'x')`. */
  #readFunction(): Condition | undefined {
    const [name, open] = this.#tokens.slice(this.#place, this.#place + 2);
    if (name?.kind !== 'word' || open?.kind !== 'mark' || open.text !== '(') return undefined;
    const operator = Object.hasOwn(FUNCTIONS, name.text) ? FUNCTIONS[name.text] : undefined;
    if (operator === undefined)
      throw new FilterError(`there is no function ${name.text}; there are ${Object.keys(FUNCTIONS).join(', ')}`);
    this.#place += 2;
    const left = this.#readOperand();
    this.#expectMark(',', `the function ${name.text} needs two arguments`);
    const right = this.#readOperand();
    this.#expectMark(')', 'a parenthesis is not closed');
    return { kind: 'compare', left, operator, right };
  }

  #readComparison(): Condition {
    const left = this.#readOperand();
    if (this.#takeWord('in')) return { kind: 'compare', left, operator: 'in', right: this.#readList() };
    const operator = ORDERS.find((one) => this.#takeWord(one));
    if (operator === undefined)
      throw new FilterError(
        `there must be one of ${ORDERS.join(', ')} after ${this.#tokens[this.#place - 1]?.text ?? ''}`,
      );
    return { kind: 'compare', left, operator, right: this.#readOperand() };
  }

  /** Reads `(1, 2, 3)`. */
  #readList(): Operand {
    this.#expectMark('(', 'in needs a list in parentheses');
    const values: unknown[] = [];
    do {
      const operand = this.#readOperand();
      if (operand.kind !== 'value') throw new FilterError('a list of in has values only');
      values.push(operand.value);
    } while (this.#take('mark', ','));
    this.#expectMark(')', 'a parenthesis is not closed');
    return { kind: 'value', value: values };
  }

  #readOperand(): Operand {
    const token = this.#tokens[this.#place];
    this.#place += 1;
    if (token === undefined) throw new FilterError('it ends too early');
    const { kind, text } = token;
    if (kind === 'mark') throw new FilterError(`${text} is not expected there`);
    const value = kind === 'text' ? text : readLiteral(text);
    if (value !== undefined) return { kind: 'value', value };
    return this.#policy === undefined ? readField(text) : this.#readPolicyWord(text, this.#policy);
  }

  #readPolicyWord(text: string, { exposed }: PolicyWords): Operand {
    // The item as a whole is no value: no comparison with it holds.
    if (text === ITEM) return { kind: 'value', value: undefined };
    if (text.startsWith(`${ITEM}.`)) return readField(exposed(text.slice(ITEM.length + 1)));
    if (!text.startsWith(CLAIM)) throw new FilterError(`${text} is neither @item., nor @claims., nor a value`);
    return { kind: 'claim', name: text.slice(CLAIM.length) };
  }

  #expectMark(mark: string, problem: string): void {
    if (!this.#take('mark', mark)) throw new FilterError(problem);
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

function join(kind: 'and' | 'or', parts: readonly Condition[]): Condition {
  const [only] = parts;
  return parts.length === 1 && only !== undefined ? only : { kind, parts };
}

function readLiteral(text: string): string | number | bigint | boolean | null | undefined {
  if (text === 'null') return null;
  if (text === 'true' || text === 'false') return text === 'true';
  if (NUMBER.test(text))
    return /^[+-]?\d+$/.test(text) && !Number.isSafeInteger(Number(text)) ? BigInt(text) : Number(text);
  return BARE_TEXT.test(text) ? text : undefined;
}

function readField(name: string): Operand {
  if (!FIELD.test(name)) throw new FilterError(`${name} is neither a field nor a value`);
  return { kind: 'field', name };
}
