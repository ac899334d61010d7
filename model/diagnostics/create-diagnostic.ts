import { DIAGNOSTIC_CODES, type DiagnosticCode } from './codes.js';
import type { Diagnostic, SourceLocation } from './diagnostic.js';
import type { TextPosition } from './locate.js';

/** A diagnostic with the severity of its code. `message` is one plain sentence about this place. */
export function createDiagnostic(code: DiagnosticCode, location: SourceLocation, message: string): Diagnostic {
  return { code, severity: DIAGNOSTIC_CODES[code].severity, message, file: location.file, pointer: location.pointer };
}

/** Collects diagnostics, one for each place and code. */
export class DiagnosticCollector {
  #byKey = new Map<string, Diagnostic>();

  /** Reports a problem; pass `position` if line and column are known already. */
  report(code: DiagnosticCode, location: SourceLocation, message: string, position: Partial<TextPosition> = {}): void {
    const key = `${code} ${location.file}#${location.pointer}`;
    if (!this.#byKey.has(key)) this.#byKey.set(key, { ...createDiagnostic(code, location, message), ...position });
  }

  /** Adds problems that count before those reported so far. */
  putFirst(others: DiagnosticCollector): void {
    const first = others.#byKey;
    this.#byKey = new Map([...first, ...[...this.#byKey].filter(([key]) => !first.has(key))]);
  }

  get all(): Diagnostic[] {
    return [...this.#byKey.values()];
  }
}
