import { toLiteral } from '../../model/identifiers.js';
import { createLinearPattern } from '../linear-pattern.js';
import { COSTLY_LENGTH, canBacktrackForever } from '../sample/pattern.js';

/** State that the checks of one module share: constants, and the checks and formats that they call. */
export class ModuleScope {
  /** The checks that are called, by the name of their function. */
  readonly calls: Map<string, CalledCheck> = new Map();
  /** Whether formats are called. */
  usesFormats: boolean = false;
  readonly #constants = new Map<string, { readonly name: string; readonly type: string }>();
  /** Whether TypeScript is printed, for a file. */
  readonly isTyped: boolean;
  /** Whether numbers may be `bigint`: those beyond the precision of doubles in what is received here. */
  readonly bigints: boolean;

  /** The name of a constant that holds a JSON value. */
  constant(value: unknown): string {
    return this.declare(toLiteral(value), Array.isArray(value) ? 'readonly unknown[]' : '');
  }

  /** The name of a constant that holds a set of strings, numbers, booleans and nulls. */
  set(values: readonly unknown[]): string {
    return this.declare(`/* @__PURE__ */ new Set(${this.constant(values)})`, 'ReadonlySet<unknown>');
  }

  /** @param target - `process`: the code runs here, where `linear` makes matchers that hostile texts cannot slow down. */
  constructor(target: 'process' | 'file' = 'file') {
    this.isTyped = target === 'file';
    this.bigints = target === 'process';
  }

  /** The name of a constant that tests texts for a pattern, and the length up to which it is to be asked. */
  pattern(pattern: string, { source, flags }: RegExp): PatternTest {
    if (!this.isTyped) {
      const { maxLength } = createLinearPattern(pattern);
      return { name: this.declare(`linear(${toLiteral(pattern)})`), maxLength };
    }
    const maxLength = canBacktrackForever(pattern) ? COSTLY_LENGTH : undefined;
    // The mark lets bundlers drop it.
    const made = `/* @__PURE__ */ new RegExp(${toLiteral(source)}${flags === '' ? '' : `, '${flags}'`})`;
    return { name: this.declare(made), maxLength };
  }

  /** The name of a constant that holds the value of an expression without effects. */
  declare(expression: string, type = ''): string {
    const known = this.#constants.get(expression);
    const name = known?.name ?? `c${this.#constants.size}`;
    if (known === undefined) this.#constants.set(expression, { name, type });
    return name;
  }

  /** The declarations of the constants. */
  printConstants(): string {
    const typed = (type: string): string => (this.isTyped && type !== '' ? `: ${type}` : '');
    const constants = [...this.#constants];
    return constants.map(([value, { name, type }]) => `const ${name}${typed(type)} = ${value};\n`).join('');
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
