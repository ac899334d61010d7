import { createRequire } from 'node:module';

import type * as TsMorph from 'ts-morph';

/**
 * Loads ts-morph, only when there is a file to print with it, because it takes 0.3 s. Uses `require`, because an
 * `import` of a CommonJS package would first scan all its text.
 */
export function loadTsMorph(): typeof TsMorph {
  return createRequire(import.meta.url)('ts-morph') as typeof TsMorph;
}

let project: TsMorph.Project | undefined;

/** Creates a file that is not on disk, in the one project of all files. It has no types of libraries. */
export function createSourceFile(path: string, text = ''): TsMorph.SourceFile {
  const { IndentationText, Project, QuoteKind } = loadTsMorph();
  project ??= new Project({
    useInMemoryFileSystem: true,
    skipLoadingLibFiles: true,
    manipulationSettings: { indentationText: IndentationText.TwoSpaces, quoteKind: QuoteKind.Single },
  });
  return project.createSourceFile(path, text, { overwrite: true });
}

/** The text of a file, which cannot be used afterwards. */
export function takeText(file: TsMorph.SourceFile): string {
  const text = file.getFullText();
  file.forget();
  return text;
}
