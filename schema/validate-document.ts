import path from 'node:path';

import { readTextFile } from '../model/document/read-input-file.js';
import type { Api } from '../model/api.js';
import { suggestName } from '../model/diagnostics/closest-name.js';
import type { Diagnostic } from '../model/diagnostics/diagnostic.js';
import { InputError } from '../model/diagnostics/input-error.js';
import { createLocator, type Locator } from '../model/diagnostics/locate.js';
import { fragmentToPointer } from '../model/document/pointer.js';
import type { ParseNumbers } from '../model/document/parse-document.js';
import { parseFile } from '../model/document/parse-file.js';
import { refTo } from '../model/schema-types.js';
import { compileValidator } from './compile-validator.js';
import { type ExplainedError, explainErrors } from './explain-errors.js';
import { stringifyExactJson } from '../runtime/json-integers.js';

/** An error of a document, with its place. */
export interface DocumentProblem {
  /** Absolute path. */
  readonly file: string;
  readonly line: number;
  readonly column: number;
  readonly pointer: string;
  readonly message: string;
  readonly keyword: string;
}

/** Finds the errors of a document, explained to its author. */
export type ValidateDocument = (value: unknown) => readonly ExplainedError[];

/**
 * Creates the validator of a named schema. The name of a request variant selects the request direction, any other name
 * the response direction.
 *
 * @param name - the name of the schema, or its JSON pointer.
 * @param report - called for schemas that cannot be checked exactly.
 * @throws InputError if the API has no schema of that name.
 */
export function createDocumentValidator(
  api: Api,
  name: string,
  report: (diagnostic: Diagnostic) => void,
): ValidateDocument {
  const schemas = [...api.schemas.values()];
  const schema =
    schemas.find((one) => one.name === name || one.inputName === name) ??
    schemas.find(({ originalName }) => originalName === name) ??
    schemas.find(({ source }) => source.pointer === fragmentToPointer(name) && source.file === api.files[0]?.path);
  if (schema === undefined) {
    const names = name.startsWith('/')
      ? schemas.map(({ source }) => source.pointer)
      : schemas.flatMap((one) => (one.inputName === undefined ? [one.name] : [one.name, one.inputName]));
    const what = name.startsWith('/') ? 'with a name at' : 'named';
    throw new InputError(`The API has no schema ${what} ${stringifyExactJson(name)}.${suggestName(name, names)}`);
  }
  const direction = schema.inputName === name ? 'request' : 'response';
  const ref = { $ref: refTo(schema.name) };
  const validate = compileValidator(api, ref, { direction, source: schema.source, report });
  return (value) => explainErrors(validate(value), { api, schema: ref, value });
}

/**
 * Reads a JSON or YAML document and validates it. Errors are in the order of the text.
 *
 * @throws InputError if it cannot be read, or (with line and column) if it is neither JSON nor YAML.
 */
export async function validateFile(name: string, validate: ValidateDocument, cwd: string): Promise<DocumentProblem[]> {
  const document = await readDocumentFile(path.resolve(cwd, name), { isExact: true });
  return findProblems(document, validate);
}

/** A parsed file, and a function that locates its parts. */
export interface DocumentFile {
  /** Absolute path. */
  readonly file: string;
  readonly value: unknown;
  readonly locate: Locator;
}

/** @throws InputError if it cannot be read, or (with line and column) if it is neither JSON nor YAML. */
export async function readDocumentFile(file: string, numbers: ParseNumbers = {}): Promise<DocumentFile> {
  const text = await readTextFile(file);
  return { file, value: parseDocument(file, text, numbers), locate: createLocator(text) };
}

/** The errors of a document, in the order of its text. */
export function findProblems({ file, value, locate }: DocumentFile, validate: ValidateDocument): DocumentProblem[] {
  return validate(value)
    .map(({ pointer, message, keyword }) => ({ file, ...locate(pointer), pointer, message, keyword }))
    .sort((one, other) => one.line - other.line || one.column - other.column);
}

function parseDocument(file: string, text: string, numbers: ParseNumbers): unknown {
  if (text.trim() === '') throw new InputError('The file is empty.', { file });
  const parsed = parseFile(file, text, numbers);
  if (parsed.ok) return parsed.value;
  const { code: _, message, ...place } = parsed.problem;
  throw new InputError(message, { file, ...place });
}
