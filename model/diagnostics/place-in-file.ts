import { readFileSync } from 'node:fs';

import type { SourceLocation } from './diagnostic.js';
import type { InputPlace } from './input-error.js';
import { locate } from './locate.js';

/**
 * The place of a value in a file that the user wrote, with line and column if the file is JSON or YAML. An empty `file`
 * means that the value was passed by a program.
 */
export function placeInFile({ file, pointer }: SourceLocation): InputPlace {
  if (file === '') return { pointer };
  return /\.(?:json|ya?ml)$/.test(file)
    ? { file, pointer, ...locate(readFileSync(file, 'utf8'), pointer) }
    : { file, pointer };
}
