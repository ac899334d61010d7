import { toLiteral } from '../../model/identifiers.js';
import { createLinearPattern } from '../linear-pattern.js';
import { COSTLY_LENGTH, canBacktrackForever } from '../sample/pattern.js';

/** State that the checks of one module share: constants, and the checks and formats that they call. */
export class ModuleScope {
  /** The checks that are called, by function name. */
  readonly calls: Map<string, CalledCheck> = new Map();
  /** Whether formats are called. */
  usesFormats: boolean = false;
  readonly #constants = new Map<string, { readonly name: string; readonly type: string }>();
  /** Whether to print TypeScript, for a file. */
  readonly isTyped: boolean;
  /**
   * Whether numbers may be `bigint`, as those beyond the precision of doubles are in messages received in this process.
   */
  readonly bigints: boolean;
  /** Whether a check can add its errors, or only tells whether there is one. */
  readonly addsErrors: boolean;

  /** Returns the name of a constant with a JSON value. */
  constant(value: unknown): string {
    return this.declare(toLiteral(value), Array.isArray(value) ? 'readonly unknown[]' : '');
  }

  /** Returns the name of a constant with a set of strings, numbers, booleans and nulls. */
  set(values: readonly unknown[]): string {
    return this.declare(`/* @__PURE__ */ new Set(${this.constant(values)})`, 'ReadonlySet<unknown>');
  }

  /**
   * @param target - `process`: the code runs in this process, where `linear` creates matchers that hostile texts cannot
   *   slow down. `test`: the same, but without errors, which makes the code less than half as long.
   */
  constructor(target: 'process' | 'test' | 'file' = 'file') {
    this.isTyped = target === 'file';
    this.bigints = target !== 'file';
    this.addsErrors = target !== 'test';
  }

  /** Returns the name of a constant that tests texts for a pattern, and the maximum length of texts to test. */
  pattern(pattern: string, { source, flags }: RegExp): PatternTest {
    if (!this.isTyped) {
      const { maxLength } = createLinearPattern(pattern);
      return { name: this.declare(`linear(${toLiteral(pattern)})`), maxLength };
    }
    const maxLength = canBacktrackForever(pattern) ? COSTLY_LENGTH : undefined;
    // The annotation lets bundlers drop it.
    const made = `/* @__PURE__ */ new RegExp(${toLiteral(source)}${flags === '' ? '' : `, '${flags}'`})`;
    return { name: this.declare(made), maxLength };
  }

  /** Returns the name of a constant with the value of an expression, which has no side effects. */
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

/** How code tests a pattern. */
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
