import type { DiagnosticCollector } from '../diagnostics/create-diagnostic.js';
import { appendPointer } from '../document/pointer.js';
import { isRecord } from '../document/records.js';
import type { SourceDocument } from '../document/source-document.js';

export interface OverlayAction {
  /** JSONPath (RFC 9535). */
  readonly target: string;
  readonly change:
    | { readonly kind: 'remove' }
    | { readonly kind: 'copy'; readonly from: string }
    | { readonly kind: 'update'; readonly value: unknown };
  /** Its overlay, and its place in there. */
  readonly file: string;
  readonly pointer: string;
}

/**
 * Reads the actions of an OpenAPI Overlay document, version 1.0 or 1.1. An invalid one is reported, and the others
 * are read.
 */
export function readOverlay({ path, root }: SourceDocument, problems: DiagnosticCollector): OverlayAction[] {
  const report = (pointer: string, message: string): void =>
    problems.report('overlay-invalid', { file: path, pointer }, message);
  if (!isRecord(root) || typeof root['overlay'] !== 'string') {
    report('', 'The file is no overlay: it has no member "overlay" with a version, such as 1.1.0.');
    return [];
  }
  if (!/^1\.[01](?:\.\d+)?$/.test(root['overlay'])) {
    report('/overlay', `The overlay has version ${JSON.stringify(root['overlay'])}; 1.0 and 1.1 are supported.`);
    return [];
  }
  if (!Array.isArray(root['actions']) || root['actions'].length === 0) {
    report('/actions', 'The overlay has no list of actions.');
    return [];
  }
  return root['actions'].flatMap((action: unknown, index): OverlayAction[] => {
    const pointer = appendPointer('/actions', index);
    if (!isRecord(action) || typeof action['target'] !== 'string') {
      report(pointer, 'An action of an overlay needs a target: a JSONPath such as $.info.');
      return [];
    }
    const change = readChange(action);
    if (change !== undefined) return [{ target: action['target'], change, file: path, pointer }];
    report(pointer, 'An action of an overlay needs update, remove: true or copy.');
    return [];
  });
}

/** `remove` comes before the others, `copy` before `update` (Overlay 1.1, section 4.4.3). */
function readChange(action: Readonly<Record<string, unknown>>): OverlayAction['change'] | undefined {
  if (action['remove'] === true) return { kind: 'remove' };
  if (typeof action['copy'] === 'string') return { kind: 'copy', from: action['copy'] };
  return Object.hasOwn(action, 'update') ? { kind: 'update', value: action['update'] } : undefined;
}
