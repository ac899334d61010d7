import path from 'node:path';

import type { Api } from '../../model/api.js';
import { BUILT_IN_APIS, findBuiltInSpecs } from '../../model/config/built-in-specs.js';
import type { ResolvedApi } from '../../model/config/config-types.js';
import { hasConfig, loadConfig } from '../../model/config/load-config.js';
import { resolveApis, unknownApi } from '../../model/config/resolve-config.js';
import { selectOperations } from '../../model/config/select-operations.js';
import { InputError } from '../../model/diagnostics/input-error.js';
import { SpecError } from '../../model/diagnostics/spec-error.js';
import { toFileName } from '../../model/identifiers.js';
import type { DefinedMock } from '../define-mock.js';
import { inferBehaviour } from '../inference/infer-behaviour.js';
import { loadBehaviourFile, loadBuiltInBehaviour } from '../load-behaviour.js';
import type { MockDefinition } from '../seams/behaviour.js';
import { importedFiles } from './imported-files.js';
import type { ResolvedMockOptions } from './mock-options.js';

/** What a mock is started with: the name of an API, an API, or what `defineMock` gave. */
export type MockSource = string | Api | DefinedMock;

/** An API and its behaviour, read. */
export interface LoadedSource {
  readonly name: string;
  readonly api: Api;
  /** What was written for it. */
  readonly definition: MockDefinition;
  /** What the spec alone gives, for the operations of which nothing was written. */
  readonly inferred: MockDefinition;
  /** The files that a change of which makes another mock: absolute paths. */
  readonly files: readonly string[];
}

/** APIs that are no servers of their own, by the one that serves them. */
const SERVED_BY: Readonly<Record<string, string>> = { 'rate-limits': 'notifications' };

/**
 * Reads the spec and the behaviour of a mock.
 *
 * @throws InputError where there is no such API, or its behaviour cannot be loaded.
 * @throws SpecError where its spec cannot be used.
 */
export async function loadSource(source: MockSource, options: ResolvedMockOptions): Promise<LoadedSource> {
  const written = typeof source === 'object' && 'definition' in source ? source.definition : undefined;
  const target = typeof source === 'object' && 'definition' in source ? source.api : source;
  const found = typeof target === 'string' ? await findApi(target, options) : describeApi(target);
  const files = [...found.api.files.map((file) => file.path), ...found.files];
  const { name, api } = found;
  if (options.pipeline.stateless) return { name, api, files, definition: {}, inferred: {} };
  const own = written ?? (found.behaviour === undefined ? undefined : await loadBehaviourFile(found.behaviour));
  const definition = own ?? (found.isBuiltIn ? await loadBuiltInBehaviour(name) : undefined) ?? {};
  await definition.prepare?.(options.behaviour);
  return { name, api, files, definition, inferred: inferBehaviour(api) };
}

/** @throws InputError for the name of an API that the mock of another one serves. */
function refuseServedElsewhere(name: string): void {
  const server = Object.hasOwn(SERVED_BY, name) ? SERVED_BY[name] : undefined;
  if (server === undefined) return;
  throw new InputError(`The API ${name} is served and enforced by the mock of ${server}: start that one.`);
}

interface FoundApi {
  readonly name: string;
  readonly api: Api;
  /** Files that are read beside the spec. */
  readonly files: readonly string[];
  /** The user's own behaviour. */
  readonly behaviour?: string;
  readonly isBuiltIn: boolean;
}

function describeApi(api: Api): FoundApi {
  return { name: toFileName(api.title), api, files: [], isBuiltIn: false };
}

async function findApi(name: string, options: ResolvedMockOptions): Promise<FoundApi> {
  if (options.spec !== undefined) {
    const specs = options.spec.map((file) => path.resolve(options.cwd, file));
    return { name, api: await loadSpec(specs), files: [], isBuiltIn: false };
  }
  refuseServedElsewhere(name);
  const { configured, file, known } = await findConfigured(name, options);
  const builtIn = findBuiltInSpecs(name);
  const specs = configured?.specs ?? builtIn;
  if (specs === undefined) throw unknownApi(name, [...new Set([...known, ...BUILT_IN_APIS])]);
  const isBuiltIn = builtIn !== undefined && specs.join('\n') === builtIn.join('\n');
  const loaded = await loadSpec(isBuiltIn ? [...specs, ...servedWith(name)] : specs);
  const api = configured === undefined ? loaded : selectOperations(loaded, configured);
  const behaviour = configured?.mock;
  const files = [...(file === undefined ? [] : [file]), ...(behaviour === undefined ? [] : importedFiles(behaviour))];
  return { name, api, files, isBuiltIn, ...(behaviour === undefined ? {} : { behaviour }) };
}

interface Configured {
  readonly configured: ResolvedApi<unknown> | undefined;
  readonly file: string | undefined;
  readonly known: readonly string[];
}

async function findConfigured(name: string, { configFile, cwd }: ResolvedMockOptions): Promise<Configured> {
  if (configFile === undefined && !hasConfig(cwd)) return { configured: undefined, file: undefined, known: [] };
  const { file, config } = await loadConfig({
    cwd,
    file: configFile,
    isEmitter: (value): value is unknown => value !== undefined,
    exports: { defineConfig: (value: unknown) => value },
  });
  const known = Object.keys(config.apis);
  if (!known.includes(name)) return { configured: undefined, file, known };
  const [configured] = resolveApis(config, path.dirname(file), { names: [name] });
  return { configured, file, known };
}

/** The documents of the APIs that this one serves as well; schemas that are no documents of routes are left out. */
function servedWith(name: string): readonly string[] {
  const others = Object.entries(SERVED_BY).filter(([, server]) => server === name);
  return others
    .flatMap(([other]) => findBuiltInSpecs(other) ?? [])
    .filter((file) => path.basename(file).startsWith('openapi'));
}

async function loadSpec(specs: readonly string[]): Promise<Api> {
  const { loadApi } = await import('../../model/load-api.js');
  const api = await loadApi(specs);
  const errors = api.diagnostics.filter(({ severity }) => severity === 'error');
  if (errors.length > 0 && api.operations.length === 0) throw new SpecError(errors);
  return api;
}
