import { InputError } from '../../model/diagnostics/input-error.js';
import type { GeneratedFile } from '../emitter.js';
import { createSourceFile } from '../ts-morph-files.js';

/**
 * Refuses files for `index.ts` that export a name of the output: TypeScript would drop both.
 *
 * @param taken - the names that `index.ts` exports already.
 */
export function refuseClashes(emitter: string, files: readonly GeneratedFile[], taken: ReadonlySet<string>): void {
  for (const { path, contents } of files) {
    const clash = exportedNames(typeof contents === 'string' ? contents : '').find((name) => taken.has(name));
    if (clash !== undefined)
      throw new InputError(
        `The emitter ${JSON.stringify(emitter)} exports ${clash} from ${path}, a name that index.ts exports already; it needs another name, or no "exports: true".`,
      );
  }
}

/** The names that the statements of a file export. */
function exportedNames(text: string): string[] {
  const file = createSourceFile('/exported.ts');
  file.replaceWithText(text);
  const names = [...file.getExportedDeclarations().keys()];
  file.forget();
  return names;
}
