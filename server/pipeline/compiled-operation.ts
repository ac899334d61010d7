import { getOrInsert } from '../../model/maps.js';
import type { Operation } from '../../model/api.js';
import type { Handler, OperationTypes } from '../handler-api.js';
import { compileResponses, type FindResponseSpec } from '../../http/response/response-spec.js';
import type { PipelineOptions } from './pipeline-options.js';
import { compileRequestReader, type RequestReader } from '../../http/request/read-request.js';

export interface CompiledOperation {
  readonly operation: Operation;
  readonly readRequest: RequestReader['read'];
  readonly findResponseSpec: FindResponseSpec;
  readonly handler: Handler<OperationTypes[string]> | undefined;
}

/** Finds a handler by the operation's name in the generated types, or by its id. */
export function findHandler<Found>(
  handlers: Readonly<Record<string, Found | undefined>> = {},
  { name, id }: Operation,
): Found | undefined {
  const key = [name, id].find((one) => Object.hasOwn(handlers, one));
  return key === undefined ? undefined : handlers[key];
}

/** Compiles each operation on its first call, so that large specs do not slow down the start. */
export function createCompiler({
  api,
  handlerOf,
  options,
  report,
}: PipelineOptions): (operation: Operation) => CompiledOperation {
  const compiled = new Map<Operation, CompiledOperation>();
  const context = { api, report };
  return (operation) => {
    return getOrInsert(compiled, operation, () => ({
      operation,
      readRequest: compileRequestReader(operation, context).read,
      findResponseSpec: compileResponses(operation, context),
      handler: options.stateless ? undefined : handlerOf(operation),
    }));
  };
}
