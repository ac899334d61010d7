import path from 'node:path';

import type { Api } from '../../model/api.js';
import { BUILT_IN_APIS, findBuiltInApi, findBuiltInSpecs, findSpecsServedWith } from '../../config/built-in-apis.js';
import { findConfigured } from '../../config/find-configured.js';
import { unknownApi } from '../../config/resolve-config.js';
import { InputError } from '../../model/diagnostics/input-error.js';
import { toFileName } from '../../model/identifiers.js';
import { parseVendor } from '../../model/brand/parse-vendor.js';
import type { DefinedMock } from '../define-mock.js';
import { type InferredBehaviour, inferBehaviour } from '../infer/infer-behaviour.js';
import { loadBehaviourFile, loadBuiltInBehaviour } from '../load-behaviour.js';
import type { MockDefinition } from '../seams/behaviour.js';
import { importedFiles } from './imported-files.js';
import type { ResolvedMockOptions } from './mock-options.js';
import { type SpokenApi, readApi } from './read-api.js';
import { findUnknownHandlers } from './unknown-handlers.js';

/** What a mock is started with: the name of an API, an API, or what `defineMock` gave. */
export type MockSource = string | Api | DefinedMock;

/** An API and its behaviour, read. */
export interface LoadedSource extends SpokenApi {
  readonly name: string;
  /** What was written for it. */
  readonly definition: MockDefinition;
  /** What the spec alone gives, for the operations of which nothing was written. */
  readonly inferred: Partial<InferredBehaviour>;
  /** The files that a change of which makes another mock: absolute paths. */
  readonly files: readonly string[];
}

/** Where specs are looked for, and in which words they are read. */
export type SourceOptions = Pick<ResolvedMockOptions, 'spec' | 'configFile' | 'cwd' | 'vendor'>;

/**
 * Reads the spec and the behaviour of a mock, and lets that read what the options name: all that can be refused is refused
 * before a door opens.
 *
 * @throws InputError where there is no such API, or its behaviour cannot be loaded.
 * @throws SpecError where its spec cannot be used.
 */
export async function loadSource(source: MockSource, options: ResolvedMockOptions): Promise<LoadedSource> {
  const written = typeof source === 'object' && 'definition' in source ? source.definition : undefined;
  const target = typeof source === 'object' && 'definition' in source ? source.api : source;
  const found = typeof target === 'string' ? await findApi(target, options) : describeApi(target, options);
  const { name } = found;
  const { stateless } = options.pipeline;
  const own = stateless ? {} : (written ?? (await loadOwn(found.behaviour)));
  const builtIn = own === undefined && found.isBuiltIn ? await loadBuiltInBehaviour(name) : undefined;
  // The behaviours that come with specmill are written in the words of the seed.
  const spoken = await found.read(builtIn !== undefined);
  const files = [...spoken.api.files.map((file) => file.path), ...found.files];
  const definition = own ?? builtIn ?? {};
  await definition.prepare?.(options.behaviour);
  if (own !== undefined && found.behaviour !== undefined)
    findUnknownHandlers(own, spoken.api, found.behaviour).forEach(options.onDiagnostic);
  return { name, ...spoken, files, definition, inferred: stateless ? {} : inferBehaviour(spoken.api) };
}

/**
 * Reads the spec alone of what a mock could be started with, in the real names.
 *
 * @throws InputError where there is no such API.
 * @throws SpecError where its spec cannot be used.
 */
export async function readSource(
  source: string | Api,
  options: SourceOptions,
): Promise<{ readonly name: string; readonly api: Api }> {
  const { name, read } = typeof source === 'string' ? await findApi(source, options) : describeApi(source, options);
  return { name, api: (await read(false)).api };
}

/** @throws InputError where the behaviour cannot be loaded. */
async function loadOwn(file: string | undefined): Promise<MockDefinition | undefined> {
  return file === undefined ? undefined : loadBehaviourFile(file);
}

/** @throws InputError for the name of an API that the mock of another one serves. */
function refuseServedElsewhere(name: string): void {
  const { servedBy } = findBuiltInApi(name) ?? {};
  if (servedBy === undefined) return;
  throw new InputError(`The API ${name} is served and enforced by the mock of ${servedBy}: start that one.`);
}

interface FoundApi {
  readonly name: string;
  /** @throws SpecError where the spec cannot be used. */
  readonly read: (keepsWords: boolean) => Promise<SpokenApi>;
  /** Files that are read beside the spec. */
  readonly files: readonly string[];
  /** The user's own behaviour. */
  readonly behaviour?: string;
  readonly isBuiltIn: boolean;
}

/** An API that was loaded already keeps its words. */
function describeApi(api: Api, { vendor }: SourceOptions): FoundApi {
  const spoken = { api, shown: api, vendor: vendor === undefined ? undefined : parseVendor(vendor) };
  return { name: toFileName(api.title), read: () => Promise.resolve(spoken), files: [], isBuiltIn: false };
}

async function findApi(name: string, options: SourceOptions): Promise<FoundApi> {
  if (options.spec !== undefined) {
    const specs = options.spec.map((file) => path.resolve(options.cwd, file));
    const choice = { specs, operations: undefined, vendor: options.vendor };
    return { name, read: (keepsWords) => readApi(choice, keepsWords), files: [], isBuiltIn: false };
  }
  refuseServedElsewhere(name);
  const { configured, file, known } = await findConfigured(name, options);
  const builtIn = findBuiltInSpecs(name);
  const specs = configured?.specs ?? builtIn;
  if (specs === undefined) throw unknownApi(name, [...new Set([...known, ...BUILT_IN_APIS])]);
  const isBuiltIn = builtIn !== undefined && specs.join('\n') === builtIn.join('\n');
  const choice = {
    specs: isBuiltIn ? [...specs, ...findSpecsServedWith(name)] : specs,
    operations: configured,
    vendor: options.vendor ?? configured?.vendor,
  };
  const behaviour = configured?.mock;
  return {
    name,
    read: (keepsWords) => readApi(choice, keepsWords),
    files: [...(file === undefined ? [] : [file]), ...(behaviour === undefined ? [] : importedFiles(behaviour))],
    isBuiltIn,
    ...(behaviour === undefined ? {} : { behaviour }),
  };
}
