import type { SourceFile } from '../api.js';
import { type Diagnostic, isLocated } from './diagnostic.js';
import { getOrInsert } from '../maps.js';
import { type Locator, type TextPosition, createLocator } from './locate.js';

/**
 * Fills in the line and column of diagnostics that have none. If an overlay caused a diagnostic, moves it to the
 * overlay. A file is searched when a position is read: that takes longer than the rest of reading a large spec.
 */
export function locateDiagnostics(diagnostics: readonly Diagnostic[], files: readonly SourceFile[]): Diagnostic[] {
  const locators = new Map<string, Locator>();
  return diagnostics.map((reported) => {
    if (isLocated(reported)) return reported;
    const origin = files.find(({ path }) => path === reported.file)?.originOf?.(reported.pointer);
    const diagnostic = origin === undefined ? reported : { ...reported, file: origin.file, pointer: origin.pointer };
    const file = files.find(({ path }) => path === diagnostic.file);
    if (file === undefined) return diagnostic;
    const locate = (): TextPosition => {
      const locator = getOrInsert(locators, file.path, () => createLocator(file.text));
      return locator(diagnostic.pointer);
    };
    return withPosition(diagnostic, locate);
  });
}

function withPosition(diagnostic: Diagnostic, locate: () => TextPosition): Diagnostic {
  let found: TextPosition | undefined;
  const position = (): TextPosition => (found ??= locate());
  return {
    ...diagnostic,
    get line() {
      return position().line;
    },
    get column() {
      return position().column;
    },
  };
}
