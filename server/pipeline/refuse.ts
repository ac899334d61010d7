import type { Api } from '../../model/api.js';
import { lowerCaseNames, type HeaderMap, type Violation } from '../../http/messages.js';
import type { CompiledOperation, PipelineCall, PipelineResponse } from './pipeline-call.js';
import type { PipelineOptions } from './pipeline-options.js';
import { repairHeaders } from './sample-headers.js';
import { HttpError } from '../../http/http-error.js';

/** Turns any thrown value into a response in the API's error format. */
export type Refuse = (error: unknown, call: PipelineCall) => PipelineResponse;

export function createRefuse({ api, renderError }: Pick<PipelineOptions, 'api' | 'renderError'>): Refuse {
  return (error, call) => {
    const refusal = HttpError.is(error) ? error : toRefusal(error);
    const isBug = refusal !== error;
    if (isBug) call.failure = error;
    const place = isBug ? placeOf(error) : undefined;
    call.violations = [
      ...call.violations,
      ...refusal.violations
        .filter((found) => !call.violations.includes(found))
        .map((found) => (place === undefined ? found : { ...found, message: `${found.message} (${place})` })),
    ];
    const operation = call.compiled?.operation;
    const { headers, ...rendered } = renderError({
      status: refusal.status,
      message: refusal.message,
      details: refusal.details,
      ...(operation === undefined ? {} : { operation }),
      ...(refusal.violations.length === 0 ? {} : { violations: refusal.violations }),
    });
    const all: HeaderMap = { ...lowerCaseNames(headers), ...refusal.headers };
    const response: PipelineResponse = {
      status: refusal.status,
      ...rendered,
      headers: all,
      refusal: true,
      exempt: true,
    };
    return withRequiredHeaders(response, call.compiled, api);
  };
}

/** A refusal with the headers that its documented response requires. */
export function withRequiredHeaders(
  response: PipelineResponse,
  compiled: CompiledOperation | undefined,
  api: Api,
): PipelineResponse {
  const spec = compiled?.findResponseSpec(response.status);
  if (compiled === undefined || spec?.headers.some(({ required }) => required) !== true) return response;
  return { ...response, headers: repairHeaders(response.headers, spec, { api, seed: compiled.operation.id }) };
}

/** Makes a 500 for a bug in a handler, an invalid response, or our own bug. Shows the message, not the stack. */
function toRefusal(error: unknown): HttpError {
  const words = error instanceof Error ? `${error.name}: ${error.message}` : String(error);
  const violation: Violation = { in: 'response', pointer: '', message: `the mock failed: ${words}` };
  return new HttpError(500, `The mock failed: ${words}`, { violations: [violation] });
}

/** Returns the file and line of an error for the journal. Clients must not see paths of this machine. */
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
