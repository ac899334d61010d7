import { readOptions } from '../config/read-options.js';
import type { Api } from '../model/api.js';
import type { Explanation, ExplainOptions } from './explain.js';
import { InputError } from '../model/diagnostics/input-error.js';
import type { LoadOptions } from '../model/load-api.js';

export type * from '../model/api.js';
export type { ApiConfig, Selection, SpecmillConfig } from '../config/config-types.js';
export type {
  ContractConfig,
  ContractHookRequest,
  ContractHookRun,
  ContractRequestChange,
  ContractSetUp,
  ContractSkip,
} from '../config/contract-config.js';
export type { Diagnostic, Severity, SourceLocation } from '../model/diagnostics/diagnostic.js';
export { InputError } from '../model/diagnostics/input-error.js';
export { SpecError } from '../model/diagnostics/spec-error.js';
export { type Schema, type SchemaObject, refName, refTo } from '../model/schema-types.js';
export type { Emitter, EmitOptions, GeneratedFile } from '../generator/emitter.js';
export type * from '../generator/emitter-kit/contract.js';
export { defineEmitter } from '../generator/emitter-kit/define-emitter.js';
export type { EmitterEntry } from '../generator/emitter-kit/load-emitters.js';
export { visitSchema } from '../generator/emitter-kit/visit-schema.js';
export { type ApiResult, type GenerateResult, generate } from '../generator/generate.js';
export { type GenerateOptions, type GenerateProgress, defineConfig } from '../generator/generate-options.js';
export type { Explanation, ExplainOptions } from './explain.js';
export type { FileChange } from '../generator/write-output.js';

/**
 * Reads a spec (OpenAPI 2.0, 3.0, 3.1 or 3.2, or a bare JSON Schema, as JSON or YAML) and every file that it refers to.
 * Several sources become one API.
 *
 * @param source - path or URL of the spec, or several of them.
 * @throws InputError if an option is unknown or invalid, or a correction does not fit the spec.
 * @throws SpecError if a document cannot be read. Other problems are in the `diagnostics` of the result.
 * @example
 * const api = await loadApi('specs/signing/openapi.yaml');
 * api.operations.map((operation) => operation.id);
 */
export async function loadApi(source: string | readonly string[], options: LoadOptions = {}): Promise<Api> {
  readOptions('LoadOptions', options);
  if (typeof source !== 'string' && !Array.isArray(source))
    throw new InputError('loadApi needs the path or URL of a spec, or a list of them.');
  // Loaded late, so that a configuration that imports `defineConfig` does not load the parsers.
  const [model, { checkCorrections }] = await Promise.all([
    import('../model/load-api.js'),
    import('../resources/check-corrections.js'),
  ]);
  return checkCorrections(await model.loadApi(source, options));
}

/**
 * Explains what an API manages: its resources with their ids, operations, pages, parents and references, each with the
 * reason and the place in the spec, and the operations without state.
 *
 * @param source - the name of an API (from the configuration, or else a built-in one), the path or URL of a spec, or a
 *   loaded API.
 * @throws InputError if there is no such API, or an option is invalid.
 * @throws SpecError if its spec cannot be used.
 * @example
 * const { resources } = await explain('openapi.yaml');
 * resources.map(({ path, id }) => `${path}: ${id?.member}`); // ['/customers: /external_id']
 */
export async function explain(source: string | Api, options: ExplainOptions = {}): Promise<Explanation> {
  const { explainSource } = await import('./explain.js');
  return explainSource(source, options);
}
