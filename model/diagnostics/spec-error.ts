import type { Diagnostic } from './diagnostic.js';

/** The document cannot be used. The message is the first problem in one sentence; `diagnostics` has all of them. */
export class SpecError extends Error {
  override readonly name = 'SpecError';
  readonly diagnostics: readonly Diagnostic[];

  constructor(diagnostics: readonly Diagnostic[]) {
    super(diagnostics[0]?.message ?? 'The document cannot be used.');
    this.diagnostics = diagnostics;
  }
}
