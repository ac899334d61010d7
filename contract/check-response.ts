import { readOptions } from '../config/read-options.js';
import { wireMethod } from '../model/http-method.js';
import type { Api, Operation } from '../model/api.js';
import { suggestName } from '../model/diagnostics/closest-name.js';
import { InputError } from '../model/diagnostics/input-error.js';
import { findDifferences } from './checks/check-documented-response.js';
import { checkServer } from './checks/check-status.js';
import { type TargetOptions, findTarget } from './load-api-under-test.js';
import { receivedJson } from './received-json.js';
import type { Problem } from './checks/problem.js';
import { stringifyExactJson } from '../runtime/json-integers.js';

/** A response and the operation that it belongs to. */
export interface ResponseCheckOptions extends TargetOptions {
  /** The id of the operation that was called. */
  readonly operation: string;
  readonly response: Response;
}

/** A difference between a response and the spec. */
export type ResponseProblem = Pick<Problem, 'check' | 'pointer' | 'message' | 'expected' | 'actual'>;

/**
 * Checks one response against the spec: its status, headers, content type and body. Consumes the body.
 *
 * @returns the violations; empty if the response fits.
 * @throws InputError if there is no such API or operation.
 * @throws SpecError if the spec cannot be used.
 * @example
 * const response = await fetch(`${url}/books/1`);
 * expect(await checkResponse({ spec: 'library.yaml', operation: 'getBook', response })).toEqual([]);
 */
export async function checkResponse(options: ResponseCheckOptions): Promise<ResponseProblem[]> {
  readOptions('ResponseCheckOptions', options);
  const { api } = await findTarget(options);
  const operation = findOperation(options.operation, api.operations);
  const { url, status, headers } = options.response;
  return findProblems(operation, { url, status, headers, text: await options.response.text() }, api);
}

/** A response that was read completely. */
export interface WholeResponse {
  readonly url: string;
  readonly status: number;
  readonly headers: Headers;
  readonly text: string;
}

/** Returns the differences between a response and the spec. */
export function findProblems(
  operation: Operation,
  { url, status, headers, text }: WholeResponse,
  api: Api,
): ResponseProblem[] {
  const json = receivedJson(text, headers.get('content-type'));
  const request = { method: wireMethod(operation.method), url, headers: {} };
  const exchange = { request, status, headers, text, durationMs: 0, ...(json === undefined ? {} : { json }) };
  const tried = {
    phase: 'examples',
    call: { operation, parameters: new Map() },
    expectation: { kind: 'valid' },
  } as const;
  const problems = [...checkServer(exchange, tried.call.operation), ...findDifferences(tried, exchange, api)];
  return problems.map(({ check, pointer, message, expected, actual }) => ({
    check,
    pointer,
    message,
    expected,
    actual,
  }));
}

/** @throws InputError if no operation has that id. */
export function findOperation(id: string, operations: readonly Operation[]): Operation {
  const operation = operations.find((one) => one.id === id);
  if (operation !== undefined) return operation;
  const known = operations.map((one) => one.id);
  throw new InputError(`The spec has no operation ${stringifyExactJson(id)}.${suggestName(id, known)}`);
}
