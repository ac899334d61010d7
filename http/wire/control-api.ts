import { renderProblem } from '../errors/render-error.js';
import { HttpError } from '../http-error.js';
import type { MockResponse, MockRequest } from '../messages.js';

export type HandleControl = (request: MockRequest) => Promise<MockResponse>;

/** Makes a response of the control API, without CORS headers and never cached. */
export function controlJson(status: number, value: unknown): MockResponse {
  return {
    status,
    headers: { 'content-type': 'application/json', 'cache-control': 'no-store' },
    body: { kind: 'json', value },
  };
}

export const CONTROL_NO_CONTENT: MockResponse = { status: 204, headers: { 'cache-control': 'no-store' } };

/** Responds with problem details. Any error other than an `HttpError` is our bug. */
export function controlProblem(error: unknown): MockResponse {
  const { status, message, violations, headers: own } = HttpError.is(error) ? error : toBug(error);
  const { body, headers } = renderProblem({ status, message, violations });
  return { status, headers: { ...headers, ...own, 'cache-control': 'no-store' }, body };
}

function toBug(error: unknown): HttpError {
  return new HttpError(500, `The mock failed: ${error instanceof Error ? error.message : String(error)}`);
}

/** Reads a boolean query parameter. @throws HttpError 422 */
export function readBoolean(name: string, value: string | null): boolean {
  if (value === null || /^false$/i.test(value)) return false;
  if (/^true$/i.test(value)) return true;
  const message = 'must be true or false';
  throw new HttpError(422, `The query parameter ${name} ${message}.`, {
    violations: [{ in: 'query', pointer: `/${name}`, message }],
  });
}
