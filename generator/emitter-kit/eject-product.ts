import { readFileSync, readdirSync } from 'node:fs';
import path from 'node:path';

import { packageRoot } from '../../model/package-info.js';

/** The source of a built-in emitter as an emitter of a user. */
export interface EjectedProduct {
  /** The file that a configuration names. */
  readonly main: string;
  /** The texts by the name of their file. */
  readonly files: ReadonlyMap<string, string>;
}

/**
 * Reads the source of a built-in emitter, which the package has beside its build. It imports only the contract of
 * emitters, which users import from `specmill`.
 *
 * @param name - a key of `PRODUCTS`.
 */
export function ejectProduct(name: string): EjectedProduct {
  const folder = path.join(packageRoot, 'generator/products', name);
  const main = `${name}.ts`;
  const files = readdirSync(folder)
    .toSorted()
    .map((file): [string, string] => {
      const text = importPackage(readFileSync(path.join(folder, file), 'utf8'));
      return [file, file === main ? exportByDefault(text) : text];
    });
  return { main, files: new Map(files) };
}

function importPackage(text: string): string {
  return text.replaceAll(/'\.\.\/\.\.\/emitter-kit\/(?:contract|define-emitter)\.js'/g, "'specmill'");
}

function exportByDefault(text: string): string {
  const constant = /^export const (\w+): EmitterDefinition</m.exec(text)?.[1];
  if (constant === undefined) throw new Error('The source of a built-in emitter exports no definition.');
  return `${text}\nexport default ${constant};\n`;
}
