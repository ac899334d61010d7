import type { HeaderMap, Violation } from './messages.js';

/** The parts of an error response other than its status and message. */
export interface HttpErrorOptions extends ErrorOptions {
  /** More members of the error body, such as an error code of the API. */
  readonly details?: Readonly<Record<string, unknown>>;
  readonly violations?: readonly Violation[];
  /** Response headers, such as `allow` or `www-authenticate`. */
  readonly headers?: HeaderMap;
}

// A global symbol, so that errors of a second copy of this package in a user's module are recognised too.
const BRAND = Symbol.for('specmill.HttpError');

/**
 * Refuses a request. Thrown by handlers, middleware or the server itself, and rendered in the API's error format. Every
 * other error counts as a bug.
 */
export class HttpError extends Error {
  override readonly name: string = 'HttpError';
  readonly status: number;
  readonly details: Readonly<Record<string, unknown>>;
  readonly violations: readonly Violation[];
  readonly headers: HeaderMap;

  constructor(status: number, message: string, options: HttpErrorOptions = {}) {
    super(message, 'cause' in options ? { cause: options.cause } : {});
    this.status = status;
    this.details = options.details ?? {};
    this.violations = options.violations ?? [];
    this.headers = options.headers ?? {};
  }

  static {
    Object.defineProperty(this.prototype, BRAND, { value: true });
  }

  /** Whether a thrown value is an `HttpError` of this or another copy of the package. */
  static is(value: unknown): value is HttpError {
    // Not `instanceof Error`: test runners load modules in realms with their own `Error`.
    return typeof value === 'object' && value !== null && BRAND in value;
  }
}
