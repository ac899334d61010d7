import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { fileURLToPath } from 'node:url';

import type { SourceFile } from '../api.js';
import { hashContent } from '../content-hash.js';
import type { DiagnosticCollector } from '../diagnostics/create-diagnostic.js';
import { systemReason } from '../diagnostics/input-error.js';
import { remoteAddresses } from '../normalise/resources.js';
import { hasScheme, isUrl } from './address.js';
import { fetchDocument } from './fetch-document.js';
import { suggestFile } from './suggest-file.js';
import {
  type DocumentSet,
  type ReadOptions,
  type SourceDocument,
  decodeDocumentText,
  parseSource,
  unreadable,
} from './source-document.js';

/**
 * Reads one document from a path, a `file:` URL or a web URL.
 *
 * @throws SpecError if it cannot be read or parsed.
 */
export async function readSourceDocument(source: string, options: ReadOptions): Promise<SourceDocument> {
  return parseSource(
    isUrl(source) ? await fetchSource(source, options) : await readSource(toPath(source, options), options),
  );
}

/** Reads the files that a document references, if any. */
export async function readReferences(
  entry: SourceDocument,
  options: ReadOptions,
  problems: DiagnosticCollector,
): Promise<DocumentSet> {
  const isAlone = entry.outside.size === 0 && (!entry.hasResources || remoteAddresses(entry).size === 0);
  if (isAlone) return { entry, documents: new Map([[entry.path, entry]]), refusals: new Map() };
  const { readExternalDocuments } = await import('./external-refs.js');
  return readExternalDocuments(entry, options, problems);
}

function toPath(source: string, { subject }: ReadOptions): string {
  if (hasScheme(source) && !source.startsWith('file:'))
    throw unreadable(source, 'its address must begin with http:, https: or file:', { subject });
  if (!source.startsWith('file:')) return path.resolve(source);
  try {
    return fileURLToPath(source);
  } catch {
    throw unreadable(source, 'its address is not one of a file on this machine', { subject });
  }
}

async function readSource(file: string, { subject }: ReadOptions): Promise<SourceFile> {
  const bytes = await readFile(file).catch(async (error: unknown) => {
    const suggestion = suggestFile(file, error, /\.(?:json|ya?ml)$/i);
    throw unreadable(file, systemReason(error), { subject, suggestion });
  });
  return { path: file, text: decodeDocumentText(file, bytes, subject), hash: hashContent(bytes) };
}

/** The user gave this address, so any host is allowed, and redirects to other hosts too. */
async function fetchSource(address: string, { headers, subject }: ReadOptions): Promise<SourceFile> {
  const result = await fetchDocument(address, { headers, followsHosts: true });
  if (result.kind !== 'document')
    throw unreadable(address, result.kind === 'failed' ? result.reason : 'its server sent no document', { subject });
  return {
    path: result.url,
    text: decodeDocumentText(address, result.bytes, subject),
    hash: hashContent(result.bytes),
  };
}
