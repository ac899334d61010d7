import type {
  Condition,
  Fragment,
  GraphqlDocument,
  GraphqlOperation,
  Selection,
  Value,
  Variable,
} from './graphql-document.js';
import { type Place, RequestError } from './request-error.js';
import { type Token, tokenize } from './tokenize.js';

/** Deeper nesting is no document that somebody wrote. */
const DEEPEST = 100;

/**
 * Reads a GraphQL document: queries and mutations with fields, aliases, arguments, variables, fragments, `@include` and
 * `@skip`. Subscriptions are refused.
 *
 * @throws RequestError
 */
export function parseGraphql(document: string): GraphqlDocument {
  return new DocumentReader(tokenize(document)).readDocument();
}

class DocumentReader {
  readonly #tokens: readonly Token[];
  #place = 0;

  constructor(tokens: readonly Token[]) {
    this.#tokens = tokens;
  }

  readDocument(): GraphqlDocument {
    const operations: GraphqlOperation[] = [];
    const fragments = new Map<string, Fragment>();
    while (this.#token.kind !== 'end') {
      if (this.#takeName('fragment')) fragments.set(this.#readName(), this.#readFragment());
      else operations.push(this.#readOperation());
    }
    return { operations, fragments };
  }

  #readFragment(): Fragment {
    if (!this.#takeName('on')) throw this.#unexpected();
    const on = this.#readName();
    this.#readConditions();
    return { on, selections: this.#readSelections(0) };
  }

  get #token(): Token {
    const token = this.#tokens[this.#place] ?? this.#tokens.at(-1);
    if (token === undefined) throw new RequestError('SYNTAX_ERROR', 'The document is empty.');
    return token;
  }

  #readOperation(): GraphqlOperation {
    if (this.#isSign('{'))
      return { kind: 'query', name: undefined, variables: [], selections: this.#readSelections(0) };
    const { kind, text } = this.#token;
    if (kind === 'name' && text === 'subscription') throw this.#unsupported(`${text}s`);
    if (kind !== 'name' || (text !== 'query' && text !== 'mutation')) throw this.#unexpected();
    this.#place += 1;
    const name = this.#token.kind === 'name' ? this.#readName() : undefined;
    const variables = this.#take('(') ? this.#readVariables() : [];
    this.#readConditions();
    return { kind: text, name, variables, selections: this.#readSelections(0) };
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

  #readSelections(depth: number): readonly Selection[] {
    if (depth > DEEPEST) throw new RequestError('VALIDATION_FAILED', 'The document is nested too deeply.', this.#token);
    this.#expect('{');
    const selections: Selection[] = [];
    while (!this.#take('}')) selections.push(this.#readSelection(depth));
    if (selections.length === 0) throw this.#unexpected();
    return selections;
  }

  #readSelection(depth: number): Selection {
    const { line, column } = this.#token;
    const place = { line, column };
    if (!this.#take('...')) return this.#readField(depth, place);
    const isSpread = this.#token.kind === 'name' && this.#token.text !== 'on';
    if (isSpread) return { kind: 'spread', fragment: this.#readName(), conditions: this.#readConditions(), place };
    const on = this.#takeName('on') ? this.#readName() : undefined;
    const conditions = this.#readConditions();
    return { kind: 'inline', on, conditions, selections: this.#readSelections(depth + 1), place };
  }

  #readField(depth: number, place: Place): Selection {
    const first = this.#readName();
    const name = this.#take(':') ? this.#readName() : first;
    const args = this.#readArguments();
    const conditions = this.#readConditions();
    const selections = this.#isSign('{') ? this.#readSelections(depth + 1) : undefined;
    return { kind: 'field', name, alias: first, args, conditions, selections, place };
  }

  #readArguments(): ReadonlyMap<string, Value> {
    const args = new Map<string, Value>();
    if (!this.#take('(')) return args;
    while (!this.#take(')')) {
      const argument = this.#readName();
      this.#expect(':');
      args.set(argument, this.#readValue(0));
    }
    return args;
  }

  /** `@include(if: ...)` and `@skip(if: ...)`; there are no other directives. */
  #readConditions(): readonly Condition[] {
    const conditions: Condition[] = [];
    while (this.#isSign('@')) {
      const place = this.#token;
      this.#expect('@');
      const name = this.#readName();
      const value = this.#readArguments().get('if');
      if ((name !== 'include' && name !== 'skip') || value === undefined)
        throw new RequestError('VALIDATION_FAILED', `There is no directive @${name} of this form.`, place);
      conditions.push((variables) => (value(variables) === true) === (name === 'include'));
    }
    return conditions;
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

  #takeName(text: string): boolean {
    if (this.#token.kind !== 'name' || this.#token.text !== text) return false;
    this.#place += 1;
    return true;
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
