import path from 'node:path';

import type { InputPlace } from '../model/diagnostics/input-error.js';
import { toTerminalText } from './io.js';

/**
 * The known parts of `file:line:column pointer `, to precede a message. Files in `cwd` are shown with relative paths.
 */
export function formatPlace({ file, line, column, pointer }: InputPlace, cwd: string): string {
  if (file === undefined) return '';
  const position = [line, column].filter((part) => part !== undefined).map((part) => `:${part}`);
  const words = [`${showPath(file, cwd)}${position.join('')}`, pointer === '' ? undefined : pointer];
  return `${words
    .filter((word) => word !== undefined)
    .map((word) => toTerminalText(word))
    .join(' ')} `;
}

/** The shortest form of a path. */
export function showPath(file: string, cwd: string): string {
  if (!path.isAbsolute(file)) return file;
  const relative = path.relative(cwd, file);
  return relative === '' || relative.startsWith('..') ? file : relative;
}
