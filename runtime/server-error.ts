import type { Violation } from './server-types.js';

/**
 * Refuses a request. A handler or a function of `authenticate` may throw it; every other error is a bug and becomes 500.
 *
 * @example
 * ```ts
 * throw new ServerError(403, 'Only owners may do this.');
 * ```
 */
export class ServerError extends Error {
  override readonly name = 'ServerError';
  readonly status: number;
  readonly violations: readonly Violation[];
  readonly headers: Readonly<Record<string, string>>;

  constructor(
    status: number,
    message: string,
    {
      violations = [],
      headers = {},
    }: { readonly violations?: readonly Violation[]; readonly headers?: Readonly<Record<string, string>> } = {},
  ) {
    super(message);
    this.status = status;
    this.violations = violations;
    this.headers = headers;
  }
}

/** The refusal of a body that is too large. */
export function tooLarge(limit: number): ServerError {
  const message = `must NOT have more than ${limit} bytes`;
  return new ServerError(413, `The body ${message}.`, { violations: [{ in: 'body', pointer: '', message }] });
}
