import { readFile } from 'node:fs/promises';

import { withoutByteOrderMark } from './json-text.js';
import { InputError, systemReason } from '../diagnostics/input-error.js';

/**
 * Reads a text file that the user names, without the byte order mark that some editors and browsers add.
 *
 * @param subject - the first words of the error: `The journal`.
 * @throws InputError if it cannot be read.
 */
export async function readTextFile(file: string, subject = 'The file'): Promise<string> {
  const text = await readFile(file, 'utf8').catch((error: unknown) => {
    throw new InputError(`${subject} cannot be read: ${systemReason(error)}.`, { file }, { cause: error });
  });
  return withoutByteOrderMark(text);
}

/**
 * Reads a JSON or YAML file that the user names.
 *
 * @throws InputError if it cannot be read, or (with line and column) if it is neither JSON nor YAML.
 */
export async function readDataFile(file: string, subject: string): Promise<{ value: unknown; text: string }> {
  const text = await readTextFile(file, subject);
  // Loaded on demand, because most commands read no such file.
  const { parseFile } = await import('./parse-file.js');
  const parsed = parseFile(file, text);
  if (parsed.ok) return { value: parsed.value, text };
  const { code: _, message, ...place } = parsed.problem;
  throw new InputError(`${subject} cannot be read: ${message.replace(/^The/, 'the')}`, { file, ...place });
}
