import { type Place, RequestError } from './request-error.js';
import { type Token, tokenize } from './tokenize.js';

/** A value of an argument, once the variables are known. */
export type Value = (variables: ReadonlyMap<string, unknown>) => unknown;

export interface Field {
  readonly name: string;
  /** The name in the result. */
  readonly alias: string;
  readonly args: ReadonlyMap<string, Value>;
  readonly fields: readonly Field[] | undefined;
  readonly place: Place;
}

export interface Variable {
  readonly name: string;
  readonly isRequired: boolean;
  readonly byDefault: Value | undefined;
}

export interface GraphqlOperation {
  readonly kind: 'query' | 'mutation';
  readonly name: string | undefined;
  readonly variables: readonly Variable[];
  readonly fields: readonly Field[];
}

/** Deeper nesting is no document that somebody wrote. */
const DEEPEST = 100;

/**
 * Reads a GraphQL document: queries and mutations with fields, aliases, arguments and variables. Fragments, directives
 * and subscriptions are refused.
 *
 * @throws RequestError
 */
export function parseGraphql(document: string): readonly GraphqlOperation[] {
  return new DocumentReader(tokenize(document)).readDocument();
}

class DocumentReader {
  readonly #tokens: readonly Token[];
  #place = 0;

  constructor(tokens: readonly Token[]) {
    this.#tokens = tokens;
  }

  readDocument(): readonly GraphqlOperation[] {
    const operations: GraphqlOperation[] = [];
    while (this.#token.kind !== 'end') operations.push(this.#readOperation());
    return operations;
  }

  get #token(): Token {
    const token = this.#tokens[this.#place] ?? this.#tokens.at(-1);
    if (token === undefined) throw new RequestError('SYNTAX_ERROR', 'The document is empty.');
    return token;
  }

  #readOperation(): GraphqlOperation {
    if (this.#token.text === '{') return { kind: 'query', name: undefined, variables: [], fields: this.#readFields(0) };
    const { kind, text } = this.#token;
    if (kind === 'name' && (text === 'fragment' || text === 'subscription')) throw this.#unsupported(`${text}s`);
    if (kind !== 'name' || (text !== 'query' && text !== 'mutation')) throw this.#unexpected();
    this.#place += 1;
    const name = this.#token.kind === 'name' ? this.#readName() : undefined;
    const variables = this.#take('(') ? this.#readVariables() : [];
    return { kind: text, name, variables, fields: this.#readFields(0) };
  }

  #readVariables(): readonly Variable[] {
    const variables: Variable[] = [];
    while (!this.#take(')')) {
      this.#expect('$');
      const name = this.#readName();
      this.#expect(':');
      const isRequired = this.#readType();
      const byDefault = this.#take('=') ? this.#readValue(0) : undefined;
      variables.push({ name, isRequired: isRequired && byDefault === undefined, byDefault });
    }
    return variables;
  }

  /** Whether the type has an exclamation mark. Types themselves are not looked at: rows have no declared ones. */
  #readType(): boolean {
    let lists = 0;
    while (this.#take('[')) lists += 1;
    this.#readName();
    let isRequired = this.#take('!');
    for (; lists > 0; lists -= 1) {
      this.#expect(']');
      isRequired = this.#take('!');
    }
    return isRequired;
  }

  #readFields(depth: number): readonly Field[] {
    if (depth > DEEPEST) throw new RequestError('VALIDATION_FAILED', 'The document is nested too deeply.', this.#token);
    this.#expect('{');
    const fields: Field[] = [];
    while (!this.#take('}')) fields.push(this.#readField(depth));
    if (fields.length === 0) throw this.#unexpected();
    return fields;
  }

  #readField(depth: number): Field {
    const { line, column } = this.#token;
    if (this.#token.text === '...' && this.#token.kind === 'sign') throw this.#unsupported('fragments');
    const first = this.#readName();
    const name = this.#take(':') ? this.#readName() : first;
    const args = new Map<string, Value>();
    if (this.#take('(')) {
      while (!this.#take(')')) {
        const argument = this.#readName();
        this.#expect(':');
        args.set(argument, this.#readValue(0));
      }
    }
    if (this.#isSign('@')) throw this.#unsupported('directives');
    const fields = this.#isSign('{') ? this.#readFields(depth + 1) : undefined;
    return { name, alias: first, args, fields, place: { line, column } };
  }

  #readValue(depth: number): Value {
    if (depth > DEEPEST) throw new RequestError('VALIDATION_FAILED', 'A value is nested too deeply.', this.#token);
    if (this.#take('$')) {
      const name = this.#readName();
      return (variables) => variables.get(name);
    }
    if (this.#take('[')) return this.#readList(depth);
    if (this.#take('{')) return this.#readObject(depth);
    const { kind, text } = this.#token;
    if (kind === 'sign' || kind === 'end') throw this.#unexpected();
    this.#place += 1;
    if (kind === 'number') return () => Number(text);
    if (kind === 'name' && text === 'null') return () => null;
    // A name is a value of an enum, such as ASC.
    return kind === 'name' && (text === 'true' || text === 'false') ? () => text === 'true' : () => text;
  }

  #readList(depth: number): Value {
    const items: Value[] = [];
    while (!this.#take(']')) items.push(this.#readValue(depth + 1));
    return (variables) => items.map((item) => item(variables));
  }

  #readObject(depth: number): Value {
    const members: (readonly [string, Value])[] = [];
    while (!this.#take('}')) {
      const name = this.#readName();
      this.#expect(':');
      members.push([name, this.#readValue(depth + 1)]);
    }
    return (variables) => Object.fromEntries(members.map(([name, value]) => [name, value(variables)]));
  }

  #readName(): string {
    const { kind, text } = this.#token;
    if (kind !== 'name') throw this.#unexpected();
    this.#place += 1;
    return text;
  }

  #isSign(text: string): boolean {
    return this.#token.kind === 'sign' && this.#token.text === text;
  }

  #take(text: string): boolean {
    if (!this.#isSign(text)) return false;
    this.#place += 1;
    return true;
  }

  #expect(text: string): void {
    if (!this.#take(text)) throw this.#unexpected();
  }

  #unexpected(): RequestError {
    return new RequestError('SYNTAX_ERROR', `Unexpected ${this.#token.text}.`, this.#token);
  }

  #unsupported(what: string): RequestError {
    return new RequestError('NOT_SUPPORTED', `This mock does not execute ${what}.`, this.#token);
  }
}
