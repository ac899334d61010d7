import { DiagnosticCollector } from '../diagnostics/create-diagnostic.js';
import type { Diagnostic } from '../diagnostics/diagnostic.js';
import { locateDiagnostics } from '../diagnostics/locate-diagnostics.js';
import { readSourceDocument } from '../document/document-set.js';
import { applyOverlays } from './apply-overlays.js';
import { writeChanged } from './write-changed.js';

/** A document with overlays applied, as text. */
export interface ChangedText {
  readonly text: string;
  /** Problems of the overlays. With an error, the text lacks that action. */
  readonly diagnostics: readonly Diagnostic[];
}

/**
 * Applies overlays to a document, and writes it with its comments and in its order.
 *
 * @param spec - path or URL.
 * @param overlays - paths or URLs, applied in order.
 * @throws SpecError if a document cannot be read.
 */
export async function applyOverlayFiles(spec: string, overlays: readonly string[]): Promise<ChangedText> {
  const document = await readSourceDocument(spec, {});
  const read = await Promise.all(overlays.map((one) => readSourceDocument(one, { subject: 'The overlay' })));
  const problems = new DiagnosticCollector();
  const [changed] = applyOverlays([document], read, problems);
  return {
    text: writeChanged(document.text, document.root, changed?.root),
    diagnostics: locateDiagnostics(problems.all, [document, ...read]),
  };
}
