import { toLiteral } from '../../model/identifiers.js';
import { createLinearPattern } from '../linear-pattern.js';
import { COSTLY_LENGTH, canBacktrackForever } from '../sample/pattern.js';

/** What the checks of one module share: constants, and the checks and formats that they call. */
export class ModuleScope {
  /** The checks that are called, by the name of their function. */
  readonly calls: Map<string, CalledCheck> = new Map();
  /** Whether formats are called. */
  usesFormats: boolean = false;
  readonly #constants = new Map<string, string>();
  readonly #patterns: 'linear' | 'native';

  /** The name of a constant that holds a JSON value. */
  constant(value: unknown): string {
    return this.declare(toLiteral(value));
  }

  /** The name of a constant that holds a set of strings, numbers, booleans and nulls. */
  set(values: readonly unknown[]): string {
    return this.declare(`/* @__PURE__ */ new Set(${this.constant(values)})`);
  }

  /** @param patterns - `linear`: the code runs here, where `linear` makes matchers that hostile texts cannot slow down. */
  constructor(patterns: 'linear' | 'native' = 'native') {
    this.#patterns = patterns;
  }

  /** The name of a constant that tests texts for a pattern, and the length up to which it is to be asked. */
  pattern(pattern: string, { source, flags }: RegExp): PatternTest {
    if (this.#patterns === 'linear') {
      const { maxLength } = createLinearPattern(pattern);
      return { name: this.declare(`linear(${toLiteral(pattern)})`), maxLength };
    }
    const maxLength = canBacktrackForever(pattern) ? COSTLY_LENGTH : undefined;
    // The mark lets bundlers drop it.
    const made = `/* @__PURE__ */ new RegExp(${toLiteral(source)}${flags === '' ? '' : `, '${flags}'`})`;
    return { name: this.declare(made), maxLength };
  }

  /** The name of a constant that holds the value of an expression without effects. */
  declare(expression: string): string {
    const name = this.#constants.get(expression) ?? `c${this.#constants.size}`;
    this.#constants.set(expression, name);
    return name;
  }

  /** The declarations of the constants. */
  printConstants(): string {
    return [...this.#constants].map(([value, name]) => `const ${name} = ${value};\n`).join('');
  }
}

/** How code asks for a pattern. */
export interface PatternTest {
  readonly name: string;
  /** Longer texts are not checked. */
  readonly maxLength: number | undefined;
}

/** A check that another one calls. */
export interface CalledCheck {
  /** The name of the view, or of a shared part. */
  readonly view: string;
  /** Whether it records what it evaluates. */
  readonly tracks: boolean;
}
