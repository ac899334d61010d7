import type { Api, Operation } from '../../model/api.js';
import { loadFiles } from './spec-folder.js';

export interface ReadOperation {
  readonly api: Api;
  /** The first operation. */
  readonly operation: Operation;
  readonly codes: readonly string[];
}

/** Reads an OpenAPI document with these paths, and more where a test needs it. */
export async function readPaths(paths: object, more: object = {}): Promise<ReadOperation> {
  const document = { openapi: '3.1.0', info: { title: 'T', version: '1' }, paths, ...more };
  const api = await loadFiles({ 'spec.json': document });
  const [operation] = [...api.operations, ...api.webhooks];
  if (operation === undefined) throw new Error('No operation was read.');
  return { api, operation, codes: api.diagnostics.map(({ code }) => code) };
}

/** Reads one operation, `GET /x`. */
export function readOperation(operation: object, more: object = {}): Promise<ReadOperation> {
  return readPaths({ '/x': { get: { operationId: 'x', ...operation } } }, more);
}
