import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';

import type { SourceFile } from '../api.js';
import { hashContent } from '../content-hash.js';
import { type DiagnosticCollector, createDiagnostic } from '../diagnostics/create-diagnostic.js';
import { systemReason } from '../diagnostics/input-error.js';
import { SpecError } from '../diagnostics/spec-error.js';
import { parseText } from './parse-document.js';
import { surveyDocument } from './survey-document.js';

/** A parsed file. */
export interface SourceDocument extends SourceFile {
  readonly root: unknown;
  /** The references that lead out of it, without their fragments. */
  readonly outside: ReadonlySet<string>;
  /** Whether a schema in it may have an address, an anchor or a dialect of its own. */
  readonly hasResources: boolean;
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
  /** Why files were not read that something refers to, by absolute path or URL. */
  readonly refusals: ReadonlyMap<string, string>;
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

/** @throws SpecError with line and column where the text is neither JSON nor YAML, or too much to read. */
export function parseSource(source: SourceFile): SourceDocument {
  const place = { file: source.path, pointer: '' };
  const parsed = parseText(source.text);
  if (!parsed.ok) {
    const { message, line, column } = parsed.problem;
    const diagnostic = createDiagnostic('document-syntax', place, `The file is neither JSON nor YAML: ${message}`);
    throw new SpecError([{ ...diagnostic, line, column }]);
  }
  const { refusal, ...survey } = surveyDocument(parsed.value, /\\u|\\U/.test(source.text));
  if (refusal !== undefined)
    throw new SpecError([{ ...createDiagnostic(refusal.code, place, refusal.message), line: 1, column: 1 }]);
  return { ...source, root: parsed.value, ...survey };
}

/** Resolves the file part of a reference against the file that it stands in: an absolute path, or a URL. */
export function resolveFile(fromFile: string, reference: string): string {
  const isUrl = /^[a-z][a-z0-9+.-]*:/i.test(fromFile) && !path.isAbsolute(fromFile);
  const url = new URL(reference, isUrl ? fromFile : pathToFileURL(fromFile));
  url.hash = '';
  return url.protocol === 'file:' ? fileURLToPath(url) : url.href;
}
