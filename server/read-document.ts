import type { Api } from '../model/api.js';
import { createDiagnostic } from '../model/diagnostics/create-diagnostic.js';
import { InputError, type InputPlace } from '../model/diagnostics/input-error.js';
import { SpecError } from '../model/diagnostics/spec-error.js';
import { createDocumentValidator, findProblems, readDocumentFile } from '../schema/validate-document.js';

/** A named schema of an API. */
export interface DocumentSchema {
  readonly api: Api;
  readonly name: string;
}

export interface CheckedDocument {
  /** Absolute path; absent if the document was given as a value. */
  readonly file?: string;
  readonly value: unknown;
  /** Returns the place of the value at a JSON pointer, for an `InputError` about it. */
  readonly placeOf: (pointer: string) => InputPlace;
}

/**
 * Reads a JSON or YAML file and checks it against a schema of an API, if one is given.
 *
 * @param source - the path of the file, or its content.
 * @throws InputError if it cannot be read.
 * @throws SpecError if it breaks the schema: each diagnostic has line and column.
 */
export async function readDocument(source: string | object, schema?: DocumentSchema): Promise<CheckedDocument> {
  const validate = schema === undefined ? () => [] : createDocumentValidator(schema.api, schema.name, () => {});
  if (typeof source !== 'string') {
    const [problem] = validate(source);
    if (problem === undefined) return { value: source, placeOf: (pointer) => ({ pointer }) };
    throw new InputError(`${problem.pointer} ${problem.message}`.trim(), { pointer: problem.pointer });
  }
  const document = await readDocumentFile(source);
  const { file, value, locate } = document;
  const problems = findProblems(document, validate);
  if (problems.length === 0) return { file, value, placeOf: (pointer) => ({ file, ...locate(pointer), pointer }) };
  throw new SpecError(
    problems.map(({ pointer, message, line, column }) => ({
      ...createDiagnostic('configuration-invalid', { file, pointer }, message),
      ...{ line, column },
    })),
  );
}
