import { toLiteral } from '../../model/identifiers.js';

/** What the checks of one file share: constants, patterns, and the functions of other files that they call. */
export class FileScope {
  /** The views whose checks are called. */
  readonly calls: Set<string> = new Set();
  /** Whether formats are called. */
  usesFormats: boolean = false;
  readonly #constants = new Map<string, string>();

  /** The name of a constant that holds a JSON value. */
  constant(value: unknown): string {
    return this.#declare(toLiteral(value));
  }

  /** The name of a constant that holds a regular expression. Bundlers are told that it can be dropped. */
  pattern({ source, flags }: RegExp): string {
    return this.#declare(`/* @__PURE__ */ new RegExp(${toLiteral(source)}${flags === '' ? '' : `, '${flags}'`})`);
  }

  /** The declarations of the constants. */
  printConstants(): string {
    return [...this.#constants].map(([value, name]) => `const ${name} = ${value};\n`).join('');
  }

  #declare(value: string): string {
    const name = this.#constants.get(value) ?? `c${this.#constants.size}`;
    this.#constants.set(value, name);
    return name;
  }
}
