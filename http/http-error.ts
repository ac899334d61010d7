import type { HeaderMap, Violation } from './messages.js';

/** The parts of an error response besides its status and message. */
export interface HttpErrorOptions extends ErrorOptions {
  /** More members of the error body, such as a code of the API. */
  readonly details?: Readonly<Record<string, unknown>>;
  readonly violations?: readonly Violation[];
  /** Response headers, such as `allow` or `www-authenticate`. */
  readonly headers?: HeaderMap;
}

// Registered globally: a user's module may load a second copy of this package, and its errors count as well.
const BRAND = Symbol.for('specmill.HttpError');

/**
 * Refuses a request: thrown by a handler, a middleware or the server itself, and rendered in the error format of the
 * API. It is no bug of the server, unlike every other error.
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

  /** Whether a thrown value is an `HttpError`, of this copy of the package or of another one. */
  static is(value: unknown): value is HttpError {
    // Not `instanceof Error`: test runners load modules in realms with an `Error` of their own.
    return typeof value === 'object' && value !== null && BRAND in value;
  }
}
