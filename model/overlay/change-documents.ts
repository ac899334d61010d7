import { type DiagnosticCollector, createDiagnostic } from '../diagnostics/create-diagnostic.js';
import { SpecError } from '../diagnostics/spec-error.js';
import type { SourceDocument } from '../document/source-document.js';
import { surveyDocument } from '../document/survey-document.js';
import type { ConfiguredHelpers } from './add-helpers.js';

interface Changes {
  readonly helpers: ConfiguredHelpers | undefined;
  readonly problems: DiagnosticCollector;
}

/**
 * Applies overlays and configured helpers to the documents of an API, before anything else reads them. File texts stay
 * unchanged; `originOf` leads from the changed document to the text behind each part.
 *
 * @throws InputError if the helpers name an unknown operation.
 * @throws SpecError if an overlay makes a document too large.
 */
export async function changeDocuments(
  documents: readonly SourceDocument[],
  overlays: readonly SourceDocument[],
  { helpers = {}, problems }: Changes,
): Promise<readonly SourceDocument[]> {
  let changed = documents;
  if (overlays.length > 0) {
    const { applyOverlays } = await import('./apply-overlays.js');
    const results = applyOverlays(documents, overlays, problems);
    changed = documents.map((document, index) => {
      const { root, origins } = results[index] ?? {};
      return origins === undefined
        ? document
        : { ...surveyAgain(document, root), originOf: (pointer: string) => origins.find(pointer) };
    });
  }
  if (Object.keys(helpers).length === 0) return changed;
  const { addHelpers } = await import('./add-helpers.js');
  const roots = addHelpers(
    changed.map(({ root }) => root),
    helpers,
  );
  return changed.map((document, index) => surveyAgain(document, roots[index]));
}

/** Surveys a changed document again: an overlay may add references or exceed the maximum size. */
function surveyAgain(document: SourceDocument, root: unknown): SourceDocument {
  const { refusal, ...survey } = surveyDocument(root, true);
  if (refusal === undefined) return { ...document, root, ...survey };
  const diagnostic = createDiagnostic(refusal.code, { file: document.path, pointer: '' }, refusal.message);
  throw new SpecError([{ ...diagnostic, line: 1, column: 1 }]);
}
