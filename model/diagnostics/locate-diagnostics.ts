import type { SourceFile } from '../api.js';
import type { Diagnostic } from './diagnostic.js';
import { type Locator, createLocator } from './locate.js';

/**
 * Fills in the line and column of diagnostics that have none. If an overlay caused a diagnostic, moves it to the
 * overlay. Searches files only if a position is missing.
 */
export function locateDiagnostics(diagnostics: readonly Diagnostic[], files: readonly SourceFile[]): Diagnostic[] {
  const locators = new Map<string, Locator>();
  const locatorOf = (path: string): Locator | undefined => {
    const known = locators.get(path);
    const file = known === undefined ? files.find((one) => one.path === path) : undefined;
    if (file === undefined) return known;
    const made = createLocator(file.text);
    locators.set(path, made);
    return made;
  };
  return diagnostics.map((reported) => {
    const origin = files.find(({ path }) => path === reported.file)?.originOf?.(reported.pointer);
    const diagnostic =
      reported.line === undefined && origin !== undefined
        ? { ...reported, file: origin.file, pointer: origin.pointer }
        : reported;
    const locator = diagnostic.line === undefined ? locatorOf(diagnostic.file) : undefined;
    return locator === undefined ? diagnostic : { ...diagnostic, ...locator(diagnostic.pointer) };
  });
}
