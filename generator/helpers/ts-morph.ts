import { createRequire } from 'node:module';

import type * as TsMorph from 'ts-morph';

let project: TsMorph.Project | undefined;

/**
 * Loads ts-morph, only when there are helpers to print, because it takes 0.3 s. Uses `require`, because an `import` of
 * a CommonJS package would first scan all its text.
 */
export function loadTsMorph(): typeof TsMorph {
  return createRequire(import.meta.url)('ts-morph') as typeof TsMorph;
}

/** Prints a file of statements in one go: adding them one by one takes minutes, formatting afterwards doubles the time. */
export function printSourceFile(path: string, statements: TsMorph.StatementStructures[]): string {
  const { IndentationText, Project: NewProject, QuoteKind } = loadTsMorph();
  project ??= new NewProject({
    useInMemoryFileSystem: true,
    skipLoadingLibFiles: true,
    manipulationSettings: { indentationText: IndentationText.TwoSpaces, quoteKind: QuoteKind.Single },
  });
  const file = project.createSourceFile(path, { statements }, { overwrite: true });
  const text = file.getFullText();
  file.forget();
  return text;
}
