import type { Diagnostic } from './diagnostic.js';

/**
 * The document cannot be used. The message is the first problem in one sentence, after its place, because a test runner
 * shows only the message; `diagnostics` has all problems.
 */
export class SpecError extends Error {
  override readonly name = 'SpecError';
  readonly diagnostics: readonly Diagnostic[];

  constructor(diagnostics: readonly Diagnostic[]) {
    super(diagnostics[0] === undefined ? 'The document cannot be used.' : describe(diagnostics[0]));
    this.diagnostics = diagnostics;
  }
}

function describe({ file, line, column, message }: Diagnostic): string {
  return `${[file, line, column].filter((part) => part !== undefined).join(':')}: ${message}`;
}
