import path from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';

import type { SourceFile } from '../api.js';
import { createDiagnostic } from '../diagnostics/create-diagnostic.js';
import type { TextPosition } from '../diagnostics/locate.js';
import { SpecError } from '../diagnostics/spec-error.js';
import { type FileProblem, parseFile } from './parse-file.js';
import type { DocumentSurvey } from './survey-document.js';
import { findEncodingProblem } from './text-encoding.js';

export interface SourceDocument extends SourceFile, Pick<DocumentSurvey, 'outside' | 'inside' | 'hasResources'> {
  readonly root: unknown;
  /** A key that an object of JSON has twice. */
  readonly repeated?: Pick<FileProblem, 'pointer' | 'message' | 'line' | 'column'>;
}

/** How a document and the files that it references may be read. */
export interface ReadOptions {
  /** Follow references to other hosts. Default: `false`. */
  readonly allowRemote?: boolean | undefined;
  /** Sent when the document is fetched from a URL, and with references to the same origin. */
  readonly headers?: Readonly<Record<string, string>> | undefined;
  /** The folder that local references may not leave. Default: the folder of the document. */
  readonly root?: string | undefined;
  /** How much the files may have that the document references, all together. */
  readonly specLimits?: SpecLimits | undefined;
  /** The first words of an error about the document. Default: `The spec`. */
  readonly subject?: string | undefined;
}

/** How much all files of one spec may have together. */
export interface SpecLimits {
  /** The most documents. Default: 1,000. */
  readonly documents?: number | undefined;
  /** The most bytes of all documents. Default: 256 MB. */
  readonly bytes?: number | undefined;
  /** Milliseconds in which all must be read. Default: 5 minutes. */
  readonly time?: number | undefined;
}

/** The files of one spec: the entry, and every file that it references. */
export interface DocumentSet {
  readonly entry: SourceDocument;
  /** By absolute path or URL. */
  readonly documents: ReadonlyMap<string, SourceDocument>;
  /** By absolute path or URL: why a referenced file was not read. */
  readonly refusals: ReadonlyMap<string, string>;
}

/**
 * The text of a document in UTF-8.
 *
 * @param subject - the first words of the error.
 * @throws SpecError if it is empty, not written in UTF-8, or an HTML page.
 */
export function decodeDocumentText(file: string, bytes: Buffer, subject?: string): string {
  const problem = findEncodingProblem(bytes);
  if (problem !== undefined)
    throw unreadable(file, problem.reason, { subject, position: { line: problem.line, column: 1 } });
  // Converting the whole text at once is several times faster than `readFile(file, 'utf8')`, which works piece by
  // piece.
  const text = bytes.toString('utf8');
  const position = { line: 1, column: 1 };
  if (text.trim() === '') throw unreadable(file, 'the file is empty', { subject, position });
  // Servers send a page instead of a document that needs a login.
  if (/^\uFEFF?\s*<(?:!doctype\s+html|html)\b/i.test(text))
    throw unreadable(file, 'it is an HTML page', { subject, position });
  return text;
}

interface Unreadable {
  readonly subject?: string | undefined;
  readonly position?: Partial<TextPosition>;
  readonly suggestion?: string;
}

/** The error of a document that cannot be read at all. */
export function unreadable(
  file: string,
  reason: string,
  { subject = 'The spec', position = {}, suggestion = '' }: Unreadable = {},
): SpecError {
  const message = `${subject} cannot be read: ${reason}.${suggestion}`;
  return new SpecError([{ ...createDiagnostic('document-unreadable', { file, pointer: '' }, message), ...position }]);
}

/** @throws SpecError with line and column if the text is neither JSON nor YAML, repeats a key of YAML, or is too large */
export function parseSource(source: SourceFile): SourceDocument {
  const place = { file: source.path, pointer: '' };
  // Some documents named `.json` are YAML; these start with a key instead of a bracket.
  const parsed = parseFile(/^\s*\w/.test(source.text) ? '' : source.path, source.text);
  if (!parsed.ok) {
    const { code, pointer, message, line, column } = parsed.problem;
    throw new SpecError([{ ...createDiagnostic(code, { ...place, pointer }, message), line, column }]);
  }
  const { refusal, members: _, ...survey } = parsed.survey;
  if (refusal !== undefined)
    throw new SpecError([{ ...createDiagnostic(refusal.code, place, refusal.message), line: 1, column: 1 }]);
  const { repeated } = parsed;
  return { ...source, root: parsed.value, ...survey, ...(repeated === undefined ? {} : { repeated }) };
}

/** Resolves the file part of a reference against the file that contains it: an absolute path, or a URL. */
export function resolveFile(fromFile: string, reference: string): string {
  const isUrl = /^[a-z][a-z0-9+.-]*:/i.test(fromFile) && !path.isAbsolute(fromFile);
  const url = new URL(reference, isUrl ? fromFile : pathToFileURL(fromFile));
  url.hash = '';
  return url.protocol === 'file:' ? fileURLToPath(url) : url.href;
}
