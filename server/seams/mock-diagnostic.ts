import type { Violation } from '../../http/messages.js';

/**
 * A violation on its way through Prism, in the form of Prism's own diagnostics. It is written out, not derived from theirs:
 * declarations that users compile against must not lead into a package that has no types of its own.
 */
export interface MockDiagnostic {
  /** That of an error; Prism knows milder ones. */
  readonly severity: 0;
  readonly message: string;
  readonly violation: Violation;
  /** A status that says better than that of a violation what is wrong. */
  readonly status?: number;
  /** For 401: the value of `WWW-Authenticate`. */
  readonly challenge?: string;
}
