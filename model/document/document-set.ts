import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { fileURLToPath } from 'node:url';

import type { SourceFile } from '../api.js';
import { hashContent } from '../content-hash.js';
import { type DiagnosticCollector, createDiagnostic } from '../diagnostics/create-diagnostic.js';
import { systemReason } from '../diagnostics/input-error.js';
import { SpecError } from '../diagnostics/spec-error.js';
import { type DocumentSet, type ReadOptions, parseSource } from './source-document.js';

/**
 * Reads a document and, only where it refers to other files, those too.
 *
 * @throws SpecError where the entry cannot be read or parsed.
 */
export async function readDocumentSet(
  source: string,
  options: ReadOptions,
  problems: DiagnosticCollector,
): Promise<DocumentSet> {
  const file = toPath(source);
  const entry = parseSource(await readEntry(file));
  if (entry.outside.size === 0) return { entry, documents: new Map([[file, entry]]), refusals: new Map() };
  const { readExternalDocuments } = await import('./external-refs.js');
  return readExternalDocuments(entry, options, problems);
}

function toPath(source: string): string {
  if (!source.startsWith('file:')) return path.resolve(source);
  try {
    return fileURLToPath(source);
  } catch {
    throw unreadable(source, 'its address is not one of a file on this machine');
  }
}

async function readEntry(file: string): Promise<SourceFile> {
  try {
    // One conversion of the whole is several times quicker than what `readFile(file, 'utf8')` does piece by piece.
    const bytes = await readFile(file);
    return { path: file, text: bytes.toString('utf8'), hash: hashContent(bytes) };
  } catch (error) {
    throw unreadable(file, systemReason(error));
  }
}

function unreadable(file: string, reason: string): SpecError {
  return new SpecError([
    createDiagnostic('document-unreadable', { file, pointer: '' }, `The spec cannot be read: ${reason}.`),
  ]);
}
