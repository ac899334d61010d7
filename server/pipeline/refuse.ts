import type { HeaderMap, Violation } from '../../http/messages.js';
import type { Exchange, ExchangeResponse } from './exchange.js';
import { lowerCaseNames } from './handler-call.js';
import type { PipelineOptions } from './pipeline-options.js';
import { HttpError } from '../../http/http-error.js';

/** Turns whatever was thrown into a response in the error shape of the API. */
export type Refuse = (error: unknown, exchange: Exchange) => ExchangeResponse;

export function createRefuse({ renderError }: Pick<PipelineOptions, 'renderError'>): Refuse {
  return (error, exchange) => {
    const refusal = HttpError.is(error) ? error : toRefusal(error);
    const isBug = refusal !== error;
    if (isBug) exchange.failure = error;
    const place = isBug ? placeOf(error) : undefined;
    exchange.violations = [
      ...exchange.violations,
      ...refusal.violations
        .filter((found) => !exchange.violations.includes(found))
        .map((found) => (place === undefined ? found : { ...found, message: `${found.message} (${place})` })),
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

/** A bug: of the behaviour, of a response that breaks the spec, or of ours. The client learns the words, not the stack. */
function toRefusal(error: unknown): HttpError {
  const words = error instanceof Error ? `${error.name}: ${error.message}` : String(error);
  const violation: Violation = { in: 'response', pointer: '', message: `the mock failed: ${words}` };
  return new HttpError(500, `The mock failed: ${words}`, { violations: [violation] });
}

/** The file and line where an error was made, for the journal. The client does not learn paths of this machine. */
function placeOf(error: unknown): string | undefined {
  const stack = error instanceof Error ? (error.stack ?? '') : '';
  for (const line of stack.split('\n')) {
    if (!line.trimStart().startsWith('at ') || line.includes('node:')) continue;
    const place = line.slice(Math.max(line.lastIndexOf('('), line.lastIndexOf(' ')) + 1).replace(/\)$/, '');
    const column = place.lastIndexOf(':');
    if (column > 0) return place.slice(0, column).replace(/^file:\/\//, '');
  }
  return undefined;
}
