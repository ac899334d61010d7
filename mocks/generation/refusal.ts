import type { ErrorStatus } from '../../generated/generation/types.js';
import type { Call, OperationTypes, HandlerResponse } from '../../server/handler-api.js';
import type { Violation } from '../../http/messages.js';

type Status = 400 | 401 | 404 | 409 | 500 | 503;

/** A request that the model, a file, a setting or the state does not allow. */
export class GenerationRefusal extends Error {
  override readonly name = 'GenerationRefusal';
  readonly status: Status;
  readonly code: ErrorStatus;
  readonly violations: readonly Violation[];

  constructor(
    message: string,
    reason: { readonly status?: Status; readonly code?: ErrorStatus; readonly violations?: readonly Violation[] } = {},
  ) {
    super(message);
    this.status = reason.status ?? 400;
    this.code = reason.code ?? CODES[this.status];
    this.violations = reason.violations ?? [];
  }

  /** As an error body, for an event of a stream. */
  toBody(): { readonly error: { readonly code: number; readonly message: string; readonly status: ErrorStatus } } {
    return { error: { code: this.status, message: this.message, status: this.code } };
  }
}

const CODES: Readonly<Record<Status, ErrorStatus>> = {
  ...{
    400: 'INVALID_ARGUMENT',
    401: 'UNAUTHENTICATED',
    404: 'NOT_FOUND',
    409: 'ALREADY_EXISTS',
    500: 'INTERNAL',
    503: 'UNAVAILABLE',
  },
};

export function notFound(what: string): GenerationRefusal {
  return new GenerationRefusal(`${what} was not found.`, { status: 404 });
}

/** A member of the body breaks a rule that no schema can say. */
export function refuseMember(pointer: string, name: string, problem: string): GenerationRefusal {
  return new GenerationRefusal(`${name} ${problem}.`, { violations: [{ in: 'body', pointer, message: problem }] });
}

/** Answers what a handler refuses. */
export function refusing<Types extends OperationTypes[string]>(
  handler: (call: Call<Types>) => HandlerResponse | Promise<HandlerResponse>,
): (call: Call<Types>) => Promise<HandlerResponse> {
  return async (call) => {
    try {
      return await handler(call);
    } catch (error) {
      if (!(error instanceof GenerationRefusal)) throw error;
      const details = { status: error.code, ...(error.violations.length > 0 ? { violations: error.violations } : {}) };
      return call.refuse(error.status, error.message, details);
    }
  };
}
