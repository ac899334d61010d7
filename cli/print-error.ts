import path from 'node:path';

import { InputError, type InputPlace, systemCode, systemReason } from '../model/diagnostics/input-error.js';
import { type Io, printJson, toTerminalText } from './io.js';
import { UsageError } from './usage-error.js';

/** How errors are shown. */
export interface ErrorStyle {
  readonly isDebug: boolean;
  readonly isJson: boolean;
}

/** An error as one plain sentence, with the place that it is about. */
export interface DescribedError extends InputPlace {
  readonly message: string;
}

/** Says in one sentence what went wrong; a stack trace only where it was asked for. */
export function printError(error: unknown, io: Io, style: ErrorStyle): void {
  const described = describeError(error);
  io.err(`specmill: ${formatPlace(described, io.cwd)}${toTerminalText(described.message)}\n`);
  if (style.isDebug && error instanceof Error) io.err(`${toTerminalText(error.stack ?? error.message, { lines: true })}\n`);
  if (style.isJson) printJson(io, { error: described });
}

/** Input errors speak for themselves, errors of the system are put into words, and anything else is a bug of ours. */
export function describeError(error: unknown): DescribedError {
  if (error instanceof InputError) return { message: error.message, ...error.place };
  if (error instanceof UsageError) return { message: error.message };
  if (error instanceof Error && systemCode(error) !== undefined && 'syscall' in error) {
    const file = 'path' in error && typeof error.path === 'string' ? { file: error.path } : {};
    return { message: `The file cannot be read or written: ${systemReason(error)}.`, ...file };
  }
  const reason = error instanceof Error ? error.message : String(error);
  return { message: `This is a bug of specmill: ${reason} (--debug shows where).` };
}

/** `file:line:column pointer `, the parts that are known, for a message to follow; files in `cwd` as relative paths. */
export function formatPlace({ file, line, column, pointer }: InputPlace, cwd: string): string {
  if (file === undefined) return '';
  const position = [line, column].filter((part) => part !== undefined).map((part) => `:${part}`);
  const words = [`${showPath(file, cwd)}${position.join('')}`, pointer === '' ? undefined : pointer];
  return `${words.filter((word) => word !== undefined).map((word) => toTerminalText(word)).join(' ')} `;
}

/** A path as short as it can be. */
export function showPath(file: string, cwd: string): string {
  if (!path.isAbsolute(file)) return file;
  const relative = path.relative(cwd, file);
  return relative === '' || relative.startsWith('..') ? file : relative;
}
