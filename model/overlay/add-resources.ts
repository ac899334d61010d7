import type { ResourceCorrections } from '../../generated/options/types.js';
import type { SourceLocation } from '../diagnostics/diagnostic.js';
import { appendPointer } from '../document/pointer.js';
import { isRecord, setMember } from '../document/records.js';
import type { ReadOnly } from '../read-only.js';
import type { ChangedDocument } from './value-origins.js';

/** Corrections by the path of a collection, or the folder of an RPC API; `false`: no resource. */
export type Corrections = ReadOnly<ResourceCorrections>;

/** The extension at the root of a spec that corrects what is inferred about resources. */
export const RESOURCES_EXTENSION = 'x-resources';

/**
 * Adds the corrections of the configuration to those at the root of documents. A correction of the configuration stands
 * in place of that for the same path.
 *
 * @param at - where the corrections are written.
 */
export function addResources(
  documents: readonly ChangedDocument[],
  resources: Corrections,
  at: SourceLocation,
): ChangedDocument[] {
  return documents.map(({ root, origins }) => {
    if (!isRecord(root)) return { root, origins };
    const own = isRecord(root[RESOURCES_EXTENSION]) ? root[RESOURCES_EXTENSION] : {};
    const named = new Set(Object.keys(resources).map(withoutSlash));
    const merged = Object.fromEntries(Object.entries(own).filter(([path]) => !named.has(withoutSlash(path))));
    for (const [path, correction] of Object.entries(resources)) {
      setMember(merged, path, correction);
      const origin = { file: at.file, pointer: appendPointer(at.pointer, path), isConfigured: true } as const;
      origins.set(appendPointer(`/${RESOURCES_EXTENSION}`, path), origin);
    }
    return { root: { ...root, [RESOURCES_EXTENSION]: merged }, origins };
  });
}

/** The folder of an RPC API may be written without the first slash. */
function withoutSlash(path: string): string {
  return path.replace(/^\//, '');
}
