import type { OutputName } from '../../emitter-kit/contract.js';

/** The modules of the output that a file uses, each under a name of its own: `fixtures.orderFixture`. */
export class ModuleUses {
  readonly #aliases = new Map<string, string>();

  /** Returns the code of a name of another module. */
  use({ name, module }: OutputName): string {
    let alias = this.#aliases.get(module);
    if (alias === undefined) {
      alias = aliasOf(module);
      this.#aliases.set(module, alias);
    }
    return `${alias}.${name}`;
  }

  /** Prints the imports. @param up - leads to the root of the output. */
  printImports(up: string): string[] {
    return [...this.#aliases]
      .toSorted(([one], [other]) => (one < other ? -1 : 1))
      .map(([module, alias]) => `import * as ${alias} from '${up}${module.slice(2)}';`);
  }
}

/** `fixturesO` for `./fixtures/o.js`, `runtimeItems` for `./runtime/items.js`. */
function aliasOf(module: string): string {
  return module
    .replace(/^\.\//, '')
    .replace(/\.js$/, '')
    .split(/[^A-Za-z0-9]/)
    .filter((word) => word !== '')
    .map((word, index) => (index === 0 ? word : `${word.slice(0, 1).toUpperCase()}${word.slice(1)}`))
    .join('');
}
