import { readFile } from 'node:fs/promises';

import { withoutByteOrderMark } from './json-text.js';
import { parseJson } from './parse-json.js';
import { suggestFile } from './suggest-file.js';
import { findEncodingProblem } from './text-encoding.js';
import { InputError, systemReason } from '../diagnostics/input-error.js';

/**
 * Reads a text file that the user names, without the byte order mark that some editors and browsers add.
 *
 * @param subject - the first words of the error: `The journal`.
 * @throws InputError if it cannot be read, or is not text in UTF-8.
 */
export async function readTextFile(file: string, subject = 'The file'): Promise<string> {
  const bytes = await readFile(file).catch((error: unknown) => {
    const message = `${subject} cannot be read: ${systemReason(error)}.${suggestFile(file, error)}`;
    throw new InputError(message, { file }, { cause: error });
  });
  const problem = findEncodingProblem(bytes);
  if (problem !== undefined)
    throw new InputError(`${subject} cannot be read: ${problem.reason}.`, { file, line: problem.line });
  return withoutByteOrderMark(bytes.toString('utf8'));
}

/**
 * Reads a JSON or YAML file that the user names.
 *
 * @throws InputError if it cannot be read, or (with line and column) if it is neither JSON nor YAML.
 */
export async function readDataFile(file: string, subject: string): Promise<{ value: unknown; text: string }> {
  const text = await readTextFile(file, subject);
  if (text.trim() === '') throw new InputError(`${subject} cannot be read: the file is empty.`, { file });
  // Loaded on demand, because most commands read no such file.
  const { parseFile } = await import('./parse-file.js');
  const parsed = parseFile(file, text);
  const problem = parsed.ok ? parsed.repeated : parsed.problem;
  if (parsed.ok && problem === undefined) return { value: parsed.value, text };
  const { code: _, message = '', ...place } = problem ?? {};
  throw new InputError(`${subject} cannot be read: ${message.replace(/^The/, 'the')}`, { file, ...place });
}

/**
 * Parses a text that must be JSON, such as a recording.
 *
 * @param subject - the first words of the error: `The recording`.
 * @throws InputError with line and column if it is not.
 */
export function parseJsonInput(text: string, file: string, subject: string): unknown {
  const parsed = parseJson(text);
  if (parsed.ok) return parsed.value;
  const { message, line, column } = parsed.problem;
  throw new InputError(`${subject} is not JSON: ${message}`, { file, line, column });
}
