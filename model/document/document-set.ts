import { readFile, realpath } from 'node:fs/promises';
import path from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';

import type { SourceFile } from '../api.js';
import type { DiagnosticCollector } from '../diagnostics/create-diagnostic.js';
import { createDiagnostic } from '../diagnostics/create-diagnostic.js';
import { SpecError } from '../diagnostics/spec-error.js';
import { parseText } from './parse-document.js';
import { isRecord } from './records.js';

/** A parsed file. */
export interface SourceDocument extends SourceFile {
  readonly root: unknown;
}

/** How files that a document refers to may be read. */
export interface ReadOptions {
  /** Whether `http:` and `https:` references are followed. */
  readonly allowRemote: boolean;
}

/** The files of one spec: the entry, and every file that it refers to. */
export interface DocumentSet {
  readonly entry: SourceDocument;
  /** By absolute path or URL. */
  readonly documents: ReadonlyMap<string, SourceDocument>;
}

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
  const file = path.resolve(source.startsWith('file:') ? fileURLToPath(source) : source);
  const entry = parseSource({ path: file, text: await readEntry(file) });
  const documents = new Map([[file, entry]]);
  if (hasExternalRefs(entry.root)) {
    const { readExternalDocuments } = await import('./external-refs.js');
    for (const document of await readExternalDocuments(entry, options, problems))
      documents.set(document.path, document);
  }
  return { entry, documents };
}

async function readEntry(file: string): Promise<string> {
  try {
    return await readFile(file, 'utf8');
  } catch (error) {
    const reason =
      isRecord(error) && error['code'] === 'ENOENT'
        ? 'there is no such file'
        : String(isRecord(error) ? error['code'] : error);
    throw new SpecError([
      createDiagnostic('document-unreadable', { file, pointer: '' }, `The spec cannot be read: ${reason}.`),
    ]);
  }
}

/** @throws SpecError with line and column where the text is neither JSON nor YAML. */
export function parseSource(source: SourceFile): SourceDocument {
  const parsed = parseText(source.text);
  if (parsed.ok) return { ...source, root: parsed.value };
  const { message, line, column } = parsed.problem;
  const diagnostic = createDiagnostic(
    'document-syntax',
    { file: source.path, pointer: '' },
    `The file is neither JSON nor YAML: ${message}`,
  );
  throw new SpecError([{ ...diagnostic, line, column }]);
}

/** Walks without recursion, so that a deep document cannot overflow the stack. */
function hasExternalRefs(root: unknown): boolean {
  const open: unknown[] = [root];
  while (open.length > 0) {
    const value = open.pop();
    if (typeof value !== 'object' || value === null) continue;
    const ref = isRecord(value) ? value['$ref'] : undefined;
    if (typeof ref === 'string' && !ref.startsWith('#')) return true;
    for (const key in value) {
      const child = (value as Record<string, unknown>)[key];
      if (typeof child === 'object' && child !== null) open.push(child);
    }
  }
  return false;
}

/** Whether a file, links followed, stands inside a folder. */
export async function isInsideFolder(file: string, folder: string): Promise<boolean> {
  const [realFile, realFolder] = await Promise.all([
    realpath(file).catch(() => file),
    realpath(folder).catch(() => folder),
  ]);
  return realFile.startsWith(realFolder.endsWith(path.sep) ? realFolder : realFolder + path.sep);
}

/** Resolves the file part of a reference against the file that it stands in. */
export function resolveFile(fromFile: string, reference: string): string {
  const isUrl = /^[a-z][a-z0-9+.-]*:/i.test(fromFile) && !path.isAbsolute(fromFile);
  const url = new URL(reference, isUrl ? fromFile : pathToFileURL(fromFile));
  url.hash = '';
  return url.protocol === 'file:' ? fileURLToPath(url) : url.href;
}
