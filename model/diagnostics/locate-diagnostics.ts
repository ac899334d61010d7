import type { SourceFile } from '../api.js';
import type { Diagnostic } from './diagnostic.js';
import { type Locator, createLocator } from './locate.js';

/**
 * Fills in line and column where a diagnostic has none. In a document with overlays, the diagnostic moves to the overlay
 * where that is its cause. Files are searched only when there is something to find.
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
    const diagnostic = reported.line === undefined ? { ...reported, ...origin } : reported;
    const locator = diagnostic.line === undefined ? locatorOf(diagnostic.file) : undefined;
    return locator === undefined ? diagnostic : { ...diagnostic, ...locator(diagnostic.pointer) };
  });
}
