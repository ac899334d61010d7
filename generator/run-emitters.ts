import type { Api } from '../model/api.js';
import type { ResolvedApi } from '../config/config-types.js';
import { suggestName } from '../model/diagnostics/closest-name.js';
import type { Diagnostic } from '../model/diagnostics/diagnostic.js';
import { InputError } from '../model/diagnostics/input-error.js';
import type { EmitOptions, Emitter, GeneratedFile } from './emitter.js';
import type { LoadedEmitter } from './emitter-kit/load-emitters.js';
import { PRODUCTS } from './emitter-kit/products.js';
import { orderEmitters } from './order-emitters.js';
import { allOperations } from './type-names.js';

/** The usual parts of an output by name, each loaded when it runs. */
const PARTS: Readonly<Record<string, () => Promise<Emitter>>> = {
  types: async () => (await import('./types/emit-types.js')).typesEmitter,
  client: async () => (await import('./client/emit-client.js')).clientEmitter,
  validators: async () => (await import('./validators/emit-validators.js')).validatorsEmitter,
  fixtures: async () => (await import('./fixtures/emit-fixtures.js')).fixturesEmitter,
};

/** Services of the run for emitters. */
export interface EmitContext {
  readonly report: (diagnostic: Diagnostic) => void;
  /** Called before each emitter. */
  readonly onStart: (emitter: string) => void;
}

/**
 * The names of the emitters that run for an API, in order. Always includes `types`, because all parts need it, and what
 * the others require. Includes the emitters of the configuration unless the caller's `only` omits them; the `only` of
 * the configuration selects just the usual parts.
 *
 * @throws InputError if a name is neither that of a part nor of an emitter.
 */
export function chooseEmitters(api: ResolvedApi<LoadedEmitter>): readonly string[] {
  const known = [...Object.keys(PARTS), ...api.emitters.map(({ name }) => name)];
  const repeated = known.find((name, index) => known.indexOf(name) !== index);
  if (repeated !== undefined)
    throw new InputError(`There are two emitters named ${JSON.stringify(repeated)}; give yours another name.`);
  const { only } = api;
  const unknown = (only ?? []).find((name) => !known.includes(name));
  if (unknown !== undefined) {
    const all = [...new Set([...known, ...Object.keys(PRODUCTS)])];
    throw new InputError(
      `There is no emitter named ${JSON.stringify(unknown)}.${suggestName(unknown, all) || ` There are ${all.join(', ')}.`}`,
    );
  }
  const own =
    only === undefined || api.runsOwnEmitters
      ? api.emitters.flatMap(({ name, isListed }) => (isListed ? [name] : []))
      : [];
  const chosen = only === undefined ? Object.keys(PARTS) : only;
  return orderEmitters([...new Set(['types', ...chosen, ...own])], known, (name) => requirementsOf(name, api));
}

function requirementsOf(name: string, api: ResolvedApi<LoadedEmitter>): readonly string[] {
  return api.emitters.find((one) => one.name === name)?.requires ?? [];
}

/** Runs the chosen emitters, then adds the files of every output: `index.ts` and `README.md`. */
export async function runEmitters(
  api: Api,
  config: ResolvedApi<LoadedEmitter>,
  context: EmitContext,
): Promise<readonly GeneratedFile[]> {
  const names = chooseEmitters(config);
  // Without calls, nothing converts values.
  const types = allOperations(api).length === 0 ? undefined : config.types;
  const { name: apiName, group } = config;
  const options = { apiName, emitters: new Set(names), group, types, report: context.report };
  const { planClient } = await import('./client/group-operations.js');
  const { helpers, groups, diagnostics } = await planClient(api, options);
  for (const problem of diagnostics) context.report(problem);
  const emitted: GeneratedFile[] = [];
  const exported: string[] = [];
  for (const name of names) {
    context.onStart(name);
    const files = await runEmitter(name, { api, options, config });
    emitted.push(...files.files);
    exported.push(...files.exported);
  }
  const [{ emitIndex }, { emitReadme }] = await Promise.all([import('./emit-index.js'), import('./emit-readme.js')]);
  // Emitters share modules of the runtime: the same module is the same object.
  const files = [...new Set(emitted)];
  const paths = new Set(files.map(({ path }) => path));
  return [...files, emitIndex(paths, api, { apiName, groups, exported }), emitReadme(api, options, helpers)];
}

interface RunScope {
  readonly api: Api;
  readonly options: EmitOptions;
  readonly config: ResolvedApi<LoadedEmitter>;
}

interface EmittedFiles {
  readonly files: readonly GeneratedFile[];
  /** The paths of the files that `index.ts` exports beside those that it always exports. */
  readonly exported: readonly string[];
}

async function runEmitter(name: string, { api, options, config }: RunScope): Promise<EmittedFiles> {
  const part = PARTS[name];
  if (part !== undefined) return { files: await (await part()).emit(api, options), exported: [] };
  const loaded = config.emitters.find((one) => one.name === name);
  if (loaded === undefined) throw new Error(`The emitter ${name} is not loaded.`);
  const { runLoadedEmitter } = await import('./emitter-kit/run-loaded-emitter.js');
  return runLoadedEmitter(loaded, { api, options, output: config.output });
}
