import type { HeaderMap, Violation } from '../../http/messages.js';
import type { Exchange, ExchangeResponse } from './exchange.js';
import { lowerCaseNames } from './handler-call.js';
import type { PipelineOptions } from './pipeline-options.js';
import { HttpError } from '../../http/http-error.js';

/** Turns whatever was thrown into an answer in the error shape of the API. */
export type Refuse = (error: unknown, exchange: Exchange) => ExchangeResponse;

export function createRefuse({ renderError }: Pick<PipelineOptions, 'renderError'>): Refuse {
  return (error, exchange) => {
    const refusal = HttpError.is(error) ? error : toRefusal(error);
    exchange.violations = [
      ...exchange.violations,
      ...refusal.violations.filter((found) => !exchange.violations.includes(found)),
    ];
    const operation = exchange.compiled?.operation;
    const { body, headers } = renderError({
      status: refusal.status,
      message: refusal.message,
      details: refusal.details,
      ...(operation === undefined ? {} : { operation }),
      ...(refusal.violations.length === 0 ? {} : { violations: refusal.violations }),
    });
    const all: HeaderMap = { ...lowerCaseNames(headers), ...refusal.headers };
    return { status: refusal.status, body, headers: all, refusal: true, exempt: true };
  };
}

/** A bug: of the behaviour, of an answer that breaks the spec, or of ours. The client learns the words, not the stack. */
function toRefusal(error: unknown): HttpError {
  const words = error instanceof Error ? `${error.name}: ${error.message}` : String(error);
  const violation: Violation = { in: 'response', pointer: '', message: `the mock failed: ${words}` };
  return new HttpError(500, `The mock failed: ${words}`, { violations: [violation] });
}
