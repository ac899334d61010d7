import { inspect } from 'node:util';

import type { Diagnostic } from '../model/diagnostics/diagnostic.js';
import { InputError, type InputPlace, systemCode, systemReason } from '../model/diagnostics/input-error.js';
import { suggestFile } from '../model/document/suggest-file.js';
import { SpecError } from '../model/diagnostics/spec-error.js';
import { formatPlace } from './format-place.js';
import { type Io, printJson, toTerminalText } from './io.js';
import { printDiagnostics } from './print-diagnostics.js';
import { UsageError } from './usage-error.js';

export interface ErrorStyle {
  readonly isDebug: boolean;
  readonly isJson: boolean;
}

/** An error as one plain sentence, with its place. */
export interface DescribedError extends InputPlace {
  readonly message: string;
  /** All diagnostics, if the spec is broken. */
  readonly diagnostics?: readonly Diagnostic[];
}

/** Prints an error as one sentence. A stack trace is printed only with `--debug`. */
export function printError(error: unknown, io: Io, style: ErrorStyle): void {
  const described = describeError(error);
  if (described.diagnostics !== undefined) printDiagnostics(described.diagnostics, io, { withInfos: false });
  else io.err(`specmill: ${formatPlace(described, io.cwd)}${toTerminalText(described.message)}\n`);
  if (style.isDebug) io.err(`${toTerminalText(inspect(error), { lines: true })}\n`);
  if (style.isJson) printJson(io, { error: described });
}

/** Describes an error: input errors as they are, system errors in words, and anything else as a bug in specmill. */
export function describeError(error: unknown): DescribedError {
  if (error instanceof InputError) return { message: error.message, ...error.place };
  if (error instanceof SpecError)
    return { message: error.diagnostics[0]?.message ?? error.message, diagnostics: error.diagnostics };
  if (error instanceof UsageError) return { message: error.message };
  if (error instanceof Error && systemCode(error) !== undefined && 'syscall' in error) {
    const file = 'path' in error && typeof error.path === 'string' ? { file: error.path } : {};
    const suggestion = file.file === undefined ? '' : suggestFile(file.file, error);
    return { message: `The file cannot be read or written: ${systemReason(error)}.${suggestion}`, ...file };
  }
  const reason = error instanceof Error ? error.message : String(error);
  return { message: `This is a bug of specmill: ${reason} (--debug shows where).` };
}
