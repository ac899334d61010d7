import path from 'node:path';

import type { Api } from '../../model/api.js';
import { packageRoot } from '../../model/package-info.js';
import { renderProblem } from '../errors/render-error.js';
import { HttpError } from '../http-error.js';
import type { MockResponse, MockRequest } from '../messages.js';

export type HandleControl = (request: MockRequest) => Promise<MockResponse>;

let spec: Promise<Api> | undefined;

/** Loads specs/control, which describes the control API of mocks and proxies. Once for all of them in the process. */
export function loadControlApi(): Promise<Api> {
  return (spec ??= import('../../model/load-api.js').then(({ loadApi }) =>
    loadApi(path.join(packageRoot, 'specs/control/openapi.yaml')),
  ));
}

/** Makes a response with problem details. Any error other than an `HttpError` is our bug. */
export function controlProblem(error: unknown): MockResponse {
  const { status, message, violations, headers: own } = HttpError.is(error) ? error : toBug(error);
  const { body, headers } = renderProblem({ status, message, violations });
  return { status, headers: { ...headers, ...own, 'cache-control': 'no-store' }, body };
}

function toBug(error: unknown): HttpError {
  return new HttpError(500, `The mock failed: ${error instanceof Error ? error.message : String(error)}`);
}
