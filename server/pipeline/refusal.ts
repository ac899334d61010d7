import type { HeaderMap, Violation } from '../../http/messages.js';

/** The mock refuses a request: told in the error shape of the API. Not a bug of the mock. */
export class Refusal extends Error {
  override readonly name = 'Refusal';
  readonly status: number;
  readonly violations: readonly Violation[];
  readonly headers: HeaderMap;

  constructor(
    status: number,
    message: string,
    more: { readonly violations?: readonly Violation[]; readonly headers?: HeaderMap } = {},
  ) {
    super(message);
    this.status = status;
    this.violations = more.violations ?? [];
    this.headers = more.headers ?? {};
  }
}
