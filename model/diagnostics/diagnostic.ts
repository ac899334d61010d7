/** A place in a document: a file and a JSON pointer into it. */
export interface SourceLocation {
  /** Absolute path or URL of the file. */
  readonly file: string;
  /** JSON pointer (RFC 6901), `''` for the whole document. */
  readonly pointer: string;
}

/**
 * The severity of a problem: with `error` the affected part is not used, `warning` changes the output, `info` is only
 * worth knowing.
 */
export type Severity = 'error' | 'warning' | 'info';

/** A problem in the input, as data. Bugs are exceptions; problems in the input never are. */
export interface Diagnostic {
  /** A key of the table in `codes.ts`. */
  readonly code: string;
  readonly severity: Severity;
  /** One plain sentence. */
  readonly message: string;
  readonly file: string;
  /** JSON pointer (RFC 6901) into the file. */
  readonly pointer: string;
  /** 1-based; absent if the place is not known. */
  readonly line?: number;
  /** 1-based. */
  readonly column?: number;
}

/** Whether a diagnostic has a line, without reading it: that would search the file. */
export function isLocated(diagnostic: Diagnostic): boolean {
  return Object.hasOwn(diagnostic, 'line');
}
