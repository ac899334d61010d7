import type { HeaderMap, MockAnswer, Violation } from '../../http/messages.js';
import { renderProblem } from '../../http/errors/render-error.js';
import { Refusal } from '../pipeline/refusal.js';

/** The control interface refuses a request; the message is one plain sentence. Members of a mock throw it too. */
export class ControlError extends Error {
  override readonly name = 'ControlError';
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

/** The refusal of a body or parameter that means nothing. */
export function badInput(message: string, pointer = ''): ControlError {
  return new ControlError(422, message, { violations: [{ in: 'body', pointer, message }] });
}

/** An answer of the control interface. It carries no CORS headers, and nobody may keep it. */
export function answerJson(status: number, value: unknown): MockAnswer {
  return {
    status,
    headers: { 'content-type': 'application/json', 'cache-control': 'no-store' },
    body: { kind: 'json', value },
  };
}

export const NO_CONTENT: MockAnswer = { status: 204, headers: { 'cache-control': 'no-store' } };

/** Any error as problem details; one that is no refusal is a bug of ours. */
export function answerProblem(error: unknown): MockAnswer {
  const { status, message, violations, headers: own } = toControlError(error);
  const { body, headers } = renderProblem({ status, message, violations });
  return { status, headers: { ...headers, ...own, 'cache-control': 'no-store' }, body };
}

/** Whether an error says what is wrong with the request. All others are bugs. */
export function isRefusal(error: unknown): error is ControlError | Refusal {
  return error instanceof ControlError || error instanceof Refusal;
}

function toControlError(error: unknown): ControlError {
  if (error instanceof ControlError) return error;
  const words = error instanceof Error ? error.message : String(error);
  return isRefusal(error) ? new ControlError(error.status, words) : new ControlError(500, `The mock failed: ${words}`);
}
