import { existsSync, readFileSync } from 'node:fs';
import path from 'node:path';

import type { Api } from '../../model/api.js';
import { BUILT_IN_APIS, findBuiltInApi, findBuiltInSpecs, findSpecsServedWith } from '../../config/built-in-apis.js';
import { mergeLoading } from '../../config/option-checks.js';
import { findConfigured } from '../../config/find-configured.js';
import { unknownApi } from '../../config/resolve-config.js';
import { InputError } from '../../model/diagnostics/input-error.js';
import { toFileName } from '../../model/identifiers.js';
import { parseVendor, type VendorNames, renameApi, renameText } from '../../model/rename-vendor.js';
import type { LoadOptions } from '../../model/load-api.js';
import { readApiWord, resolveAddress } from '../../model/document/address.js';
import { type OperationChoice, selectOperations } from '../../config/select-operations.js';
import { SpecError } from '../../model/diagnostics/spec-error.js';
import { checkCorrections } from '../../resources/check-corrections.js';
import type { StartData } from '../data/start-data.js';
import type { DataCollections } from '../data/data-collection.js';
import type { Scenarios } from '../faults/fault.js';
import { withoutUndefined } from '../../model/document/records.js';
import type { DefinedMock } from '../define-mock.js';
import { type InferredBehaviour, inferBehaviour } from '../infer/infer-behaviour.js';
import { openCollections } from '../data/open-collections.js';
import { loadBehaviourFile, loadBuiltInBehaviour } from '../load-behaviour.js';
import type { MockDefinition, PreparedMock } from '../mock-definition.js';
import { readExchanges } from '../../http/recording/read-exchanges.js';
import { createRedact } from '../../http/secrets/redaction.js';
import { type RecordingIndex, indexRecording } from '../replay/index-recording.js';
import type { ResolvedMockOptions } from './mock-options.js';
import { suggestName } from '../../model/diagnostics/closest-name.js';
import { createDiagnostic } from '../../model/diagnostics/create-diagnostic.js';
import type { Diagnostic } from '../../model/diagnostics/diagnostic.js';

/** The source of a mock: the name of an API, the path or URL of a spec, an API, or the result of `defineMock`. */
export type MockSource = string | Api | DefinedMock;

/** An API and its behaviour, loaded. */
export interface LoadedSource {
  readonly name: string;
  readonly api: Api;
  readonly realName: (word: string) => string;
  readonly definition: MockDefinition;
  readonly prepared: PreparedMock;
  /** Recorded calls that are replayed. */
  readonly recording?: RecordingIndex;
  readonly inferred: Partial<InferredBehaviour>;
  /** The collections that start data and the control API can fill. */
  readonly collections: DataCollections;
  /** The items that every sandbox starts with. */
  readonly startData?: StartData;
  /** Named lists of faults. */
  readonly scenarios?: Scenarios;
  /** Absolute paths of the files that require a reload when they change. */
  readonly files: readonly string[];
}

export type SourceOptions = Pick<ResolvedMockOptions, 'spec' | 'configFile' | 'cwd' | 'vendor' | 'load'>;

/**
 * Reads the spec and the behaviour of a mock, and runs `prepare`, which reads the files that options name. All invalid
 * input is refused here, before a transport opens.
 *
 * @throws InputError if there is no such API, or its behaviour cannot be loaded.
 * @throws SpecError if its spec cannot be used.
 */
export async function loadSource(source: MockSource, options: ResolvedMockOptions): Promise<LoadedSource> {
  const written = typeof source === 'object' && 'definition' in source ? source.definition : undefined;
  const target = typeof source === 'object' && 'definition' in source ? source.api : source;
  const found = typeof target === 'string' ? await findApi(target, options) : describeApi(target, options);
  const { name } = found;
  const { stateless } = options.pipeline;
  const own = stateless ? {} : (written ?? (await loadOwn(found.behaviour)));
  const builtIn = own === undefined && found.isBuiltIn ? await loadBuiltInBehaviour(name) : undefined;
  const described = await found.read();
  const definition = own ?? builtIn ?? {};
  const { vendor } = found;
  const realName = (word: string): string => (vendor === undefined ? word : renameText(word, vendor));
  const prepared = (await definition.prepare?.(options.behaviour, { api: described, realName })) ?? {};
  const { api = described } = prepared;
  const files = [...described.files.map((file) => file.path), ...found.files, ...(prepared.files ?? [])];
  const { replay } = options;
  if (replay !== undefined) files.push(replay);
  if (own !== undefined && found.behaviour !== undefined)
    findUnknownHandlers(own, described, found.behaviour).forEach(options.onDiagnostic);
  const inferred = inferState(api, definition, options);
  const collections = openCollections(inferred, { api, definition, prepared, seed: options.seed });
  const data = options.data ?? found.data;
  const scenarioFiles = options.scenarios ?? found.scenarios;
  files.push(...data, ...scenarioFiles);
  const startData = await loadStartData(data, collections);
  const scenarios = await loadScenarios(scenarioFiles, api);
  return {
    name,
    api,
    realName,
    files,
    definition,
    prepared,
    ...(replay === undefined ? {} : { recording: await readReplay(replay, api) }),
    inferred,
    collections,
    ...withoutUndefined({ startData, scenarios }),
  };
}

async function readReplay(file: string, api: Api): Promise<RecordingIndex> {
  const source = { cwd: '', subject: 'The recording', only: 'har', isLenient: true } as const;
  return indexRecording(readExchanges(file, source), api, createRedact(api));
}

function inferState(
  api: Api,
  { resources }: MockDefinition,
  { pipeline, items, seed }: ResolvedMockOptions,
): Partial<InferredBehaviour> {
  if (pipeline.stateless) return {};
  const generate = { count: items, seed };
  return inferBehaviour(api, resources === undefined ? { generate } : { hooks: resources, generate });
}

/** Loaded on demand, because most mocks start without scenarios. */
async function loadScenarios(files: readonly string[], api: Api): Promise<Scenarios | undefined> {
  if (files.length === 0) return undefined;
  const { readScenarios } = await import('../faults/read-scenarios.js');
  return readScenarios(files, api);
}

/** Loaded on demand, because most mocks start without data. */
async function loadStartData(files: readonly string[], collections: DataCollections): Promise<StartData | undefined> {
  if (files.length === 0) return undefined;
  const { readStartData } = await import('../data/start-data.js');
  return readStartData(files, collections);
}

/**
 * Reads only the spec of a source, with the vendor's real names.
 *
 * @throws InputError if there is no such API.
 * @throws SpecError if its spec cannot be used.
 */
export async function readSource(
  source: string | Api,
  options: SourceOptions,
): Promise<{ readonly name: string; readonly api: Api }> {
  const { name, read } = typeof source === 'string' ? await findApi(source, options) : describeApi(source, options);
  return { name, api: await read() };
}

/** @throws InputError if the behaviour cannot be loaded. */
async function loadOwn(file: string | undefined): Promise<MockDefinition | undefined> {
  return file === undefined ? undefined : loadBehaviourFile(file);
}

/** @throws InputError if the API is served by the mock of another API. */
function refuseServedElsewhere(name: string): void {
  const { servedBy } = findBuiltInApi(name) ?? {};
  if (servedBy === undefined) return;
  throw new InputError(`The API ${name} is served and enforced by the mock of ${servedBy}: start that one.`);
}

interface FoundApi {
  readonly name: string;
  /** @throws SpecError if the spec cannot be used. */
  readonly read: () => Promise<Api>;
  readonly vendor: VendorNames | undefined;
  /** Files that are read in addition to the spec. */
  readonly files: readonly string[];
  readonly behaviour?: string;
  /** Files of start data of the configuration. */
  readonly data: readonly string[];
  /** Files of scenarios of the configuration. */
  readonly scenarios: readonly string[];
  readonly isBuiltIn: boolean;
}

function describeApi(api: Api, options: SourceOptions): FoundApi {
  const vendor = readVendor(options.vendor);
  const read = async (): Promise<Api> => (vendor === undefined ? api : renameApi(api, vendor));
  return { name: toFileName(api.title), read, vendor, files: [], data: [], scenarios: [], isBuiltIn: false };
}

async function findApi(word: string, options: SourceOptions): Promise<FoundApi> {
  const { name, spec } = options.spec === undefined ? readApiWord(word) : { name: word, spec: options.spec };
  if (spec !== undefined) {
    const specs = spec.map((file) => resolveAddress(options.cwd, file));
    const choice = { specs, operations: undefined, vendor: options.vendor, load: options.load };
    return { name, ...readsSpec(choice), files: [], data: [], scenarios: [], isBuiltIn: false };
  }
  const { configured, file, known } = await findConfigured(name, options);
  const builtIn = findBuiltInSpecs(name);
  const specs = configured?.specs ?? builtIn;
  if (builtIn?.some((file) => specs?.includes(file)) === true) refuseServedElsewhere(name);
  if (specs === undefined) throw unknownApi(name, { configured: known, packaged: BUILT_IN_APIS });
  const isBuiltIn = builtIn !== undefined && specs.join('\n') === builtIn.join('\n');
  const choice = {
    specs: isBuiltIn ? [...specs, ...findSpecsServedWith(name)] : specs,
    operations: configured,
    load: mergeLoading(configured?.load, options.load),
    vendor: options.vendor ?? configured?.vendor,
  };
  const behaviour = configured?.mock;
  return {
    name,
    ...readsSpec(choice),
    files: [...(file === undefined ? [] : [file]), ...(behaviour === undefined ? [] : importedFiles(behaviour))],
    data: configured?.data ?? [],
    scenarios: configured?.scenarios ?? [],
    isBuiltIn,
    ...(behaviour === undefined ? {} : { behaviour }),
  };
}

interface ApiChoice {
  readonly specs: readonly string[];
  /** Default: all operations. */
  readonly operations: OperationChoice | undefined;
  readonly vendor: string | undefined;
  readonly load: LoadOptions;
}

function readsSpec({ specs, operations, vendor, load }: ApiChoice): Pick<FoundApi, 'read' | 'vendor'> {
  const read = async (): Promise<Api> => {
    const { loadApi } = await import('../../model/load-api.js');
    const api = await checkCorrections(await loadApi(specs, { ...load, vendor, isLazy: true }));
    if (api.operations.length === 0) refuseErrors(api);
    return operations === undefined ? api : selectOperations(api, operations);
  };
  return { read, vendor: readVendor(vendor) };
}

/** @throws SpecError if the diagnostics of a spec have errors. */
function refuseErrors({ diagnostics }: Api): void {
  const errors = diagnostics.filter(({ severity }) => severity === 'error');
  if (errors.length > 0) throw new SpecError(errors);
}

function readVendor(vendor: string | undefined): VendorNames | undefined {
  return vendor === undefined ? undefined : parseVendor(vendor);
}

/** Matches an import of a local file: `from './x.js'`, `import './x.js'`, `import('./x.js')`. */
const IMPORT = /(?:\bfrom|\bimport)\s*(?:\(\s*)?["'](\.{1,2}\/[^"'\n]+)["']/g;
const ENDINGS = ['', '.ts', '.mts', '.js', '.mjs', '.json', '/index.ts', '/index.js'];

/** Returns a module and every file that it imports by relative path, transitively. Packages are left out. */
function importedFiles(entry: string): readonly string[] {
  const files = new Set([path.resolve(entry)]);
  // Iterating over a set includes the files that are added meanwhile.
  for (const file of files) {
    if (!/\.[mc]?[jt]s$/.test(file) || !existsSync(file)) continue;
    for (const [, specifier = ''] of readFileSync(file, 'utf8').matchAll(IMPORT)) {
      const found = resolveImport(path.resolve(path.dirname(file), specifier));
      if (found !== undefined) files.add(found);
    }
  }
  return [...files];
}

/** TypeScript imports a file by the name of its compiled output, such as `.js` for `.ts`. */
function resolveImport(target: string): string | undefined {
  const names = [target.replace(/\.([mc]?)js$/, '.$1ts'), ...ENDINGS.map((ending) => target + ending)];
  return names.find((name) => existsSync(name) && path.extname(name) !== '');
}

/** Finds handlers of no operation. Loading does not type-check the behaviour file, so only this check reports them. */
function findUnknownHandlers({ operations = {} }: MockDefinition, api: Api, file: string): Diagnostic[] {
  const names = new Set(api.operations.flatMap(({ name, id }) => [name, id]));
  return Object.keys(operations)
    .filter((name) => !names.has(name))
    .map((name) => {
      const message = `The behaviour has a handler for ${name}, which is no operation of the API.${suggestName(name, [...names])}`;
      return createDiagnostic('handler-unknown', { file, pointer: '' }, message);
    });
}
