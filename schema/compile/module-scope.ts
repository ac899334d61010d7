import { toLiteral } from '../../model/identifiers.js';

/** What the checks of one module share: constants, and the checks and formats that they call. */
export class ModuleScope {
  /** The checks that are called, by the name of their function. */
  readonly calls: Map<string, CalledCheck> = new Map();
  /** Whether formats are called. */
  usesFormats: boolean = false;
  readonly #constants = new Map<string, string>();

  /** The name of a constant that holds a JSON value. */
  constant(value: unknown): string {
    return this.declare(toLiteral(value));
  }

  /** The name of a constant that holds a set of strings, numbers, booleans and nulls. */
  set(values: readonly unknown[]): string {
    return this.declare(`/* @__PURE__ */ new Set(${this.constant(values)})`);
  }

  /** The name of a constant that holds a regular expression. Bundlers are told that it can be dropped. */
  pattern({ source, flags }: RegExp): string {
    return this.declare(`/* @__PURE__ */ new RegExp(${toLiteral(source)}${flags === '' ? '' : `, '${flags}'`})`);
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

/** A check that another one calls. */
export interface CalledCheck {
  /** The name of the view, or of a shared part. */
  readonly view: string;
  /** Whether it is the one that notes what it evaluates. */
  readonly tracks: boolean;
}
