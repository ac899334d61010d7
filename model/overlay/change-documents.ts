import { type DiagnosticCollector, createDiagnostic } from '../diagnostics/create-diagnostic.js';
import { SpecError } from '../diagnostics/spec-error.js';
import type { SourceDocument } from '../document/source-document.js';
import type { SourceLocation } from '../diagnostics/diagnostic.js';
import { surveyDocument } from '../document/survey-document.js';
import type { Corrections } from './add-resources.js';
import type { ConfiguredHelpers } from './add-helpers.js';
import { type ChangedDocument, Origins } from './value-origins.js';

interface Changes {
  readonly helpers?: ConfiguredHelpers | undefined;
  /** Where the helpers are written. */
  readonly helpersAt?: SourceLocation | undefined;
  readonly resources?: Corrections | undefined;
  /** Where the corrections of resources are written. */
  readonly resourcesAt?: SourceLocation | undefined;
  readonly problems: DiagnosticCollector;
}

/**
 * Applies overlays, configured helpers and corrections to the documents of an API, before anything else reads them. File texts stay
 * unchanged; `originOf` leads from the changed document to the text behind each part.
 *
 * @throws InputError if the helpers name an unknown operation.
 * @throws SpecError if an overlay makes a document too large.
 */
export async function changeDocuments(
  documents: readonly SourceDocument[],
  overlays: readonly SourceDocument[],
  { helpers = {}, helpersAt, resources = {}, resourcesAt, problems }: Changes,
): Promise<readonly SourceDocument[]> {
  const hasHelpers = Object.keys(helpers).length > 0;
  const hasResources = Object.keys(resources).length > 0;
  if (overlays.length === 0 && !hasHelpers && !hasResources) return documents;
  let changed: readonly ChangedDocument[] = documents.map(({ path, root }) => ({ root, origins: new Origins(path) }));
  if (overlays.length > 0) {
    const { applyOverlays } = await import('./apply-overlays.js');
    changed = applyOverlays(documents, overlays, problems);
  }
  if (hasHelpers) {
    const { addHelpers } = await import('./add-helpers.js');
    changed = addHelpers(changed, helpers, helpersAt ?? { file: '', pointer: '/helpers' });
  }
  if (hasResources) {
    const { addResources } = await import('./add-resources.js');
    changed = addResources(changed, resources, resourcesAt ?? { file: '', pointer: '/resources' });
  }
  return changed.flatMap(({ root, origins }, index) => {
    const document = documents[index];
    return document === undefined
      ? []
      : [{ ...surveyAgain(document, root), originOf: (pointer: string) => origins.find(pointer) }];
  });
}

/** Surveys a changed document again: an overlay may add references or exceed the maximum size. */
function surveyAgain(document: SourceDocument, root: unknown): SourceDocument {
  const { refusal, ...survey } = surveyDocument(root, true);
  if (refusal === undefined) return { ...document, root, ...survey };
  const diagnostic = createDiagnostic(refusal.code, { file: document.path, pointer: '' }, refusal.message);
  throw new SpecError([{ ...diagnostic, line: 1, column: 1 }]);
}
