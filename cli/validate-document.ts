import { readFile } from 'node:fs/promises';
import path from 'node:path';

import type { Api } from '../model/api.js';
import { suggestName } from '../model/diagnostics/closest-name.js';
import type { Diagnostic } from '../model/diagnostics/diagnostic.js';
import { InputError, systemReason } from '../model/diagnostics/input-error.js';
import { createLocator } from '../model/diagnostics/locate.js';
import { parseText } from '../model/document/parse-document.js';
import { appendPointer } from '../model/document/pointer.js';
import { refTo } from '../model/schema-types.js';
import { type Validate, type ValidationError, compileValidator } from '../schema/compile-validator.js';

/** What is wrong with a document, and where. */
export interface DocumentProblem {
  /** Absolute path. */
  readonly file: string;
  readonly line: number;
  readonly column: number;
  readonly pointer: string;
  readonly message: string;
  readonly keyword: string;
}

/**
 * The validator of a named schema. `report` is told of what cannot be checked exactly. The name of a request variant stands for what is sent, any other for what is received.
 *
 * @throws InputError where the API has no schema of that name.
 */
export function createDocumentValidator(api: Api, name: string, report: (diagnostic: Diagnostic) => void): Validate {
  const schemas = [...api.schemas.values()];
  const schema =
    schemas.find((one) => one.name === name || one.inputName === name) ??
    schemas.find(({ originalName }) => originalName === name);
  if (schema === undefined) {
    const names = schemas.flatMap((one) => (one.inputName === undefined ? [one.name] : [one.name, one.inputName]));
    throw new InputError(`The API has no schema named ${JSON.stringify(name)}.${suggestName(name, names)}`);
  }
  const direction = schema.inputName === name ? 'request' : 'response';
  return compileValidator(api, { $ref: refTo(schema.name) }, { direction, source: schema.source, report });
}

/**
 * Reads a JSON or YAML document and validates it.
 *
 * @throws InputError where it cannot be read; with line and column where it is neither JSON nor YAML.
 */
export async function validateFile(name: string, validate: Validate, cwd: string): Promise<DocumentProblem[]> {
  const file = path.resolve(cwd, name);
  const text = await readFile(file, 'utf8').catch((error: unknown) => {
    throw new InputError(`The file cannot be read: ${systemReason(error)}.`, { file });
  });
  const parsed = parseText(text);
  if (!parsed.ok) {
    const { message, line, column } = parsed.problem;
    throw new InputError(`The file is neither JSON nor YAML: ${message}`, { file, line, column });
  }
  const locate = createLocator(text);
  return validate(parsed.value).map((violation) => {
    const pointer = pointerOf(violation);
    return { file, ...locate(pointer), pointer, message: violation.message, keyword: violation.keyword };
  });
}

/** A member that should not be there is the place to look at, not the object that it is in. */
function pointerOf({ pointer, params }: ValidationError): string {
  const extra = params['additionalProperty'] ?? params['unevaluatedProperty'] ?? params['propertyName'];
  return typeof extra === 'string' ? appendPointer(pointer, extra) : pointer;
}
