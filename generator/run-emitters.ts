import type { Api } from '../model/api.js';
import type { ResolvedApi } from '../config/config-types.js';
import { suggestName } from '../model/diagnostics/closest-name.js';
import type { Diagnostic } from '../model/diagnostics/diagnostic.js';
import { InputError } from '../model/diagnostics/input-error.js';
import { isRecord } from '../model/document/records.js';
import type { Emitter, GeneratedFile } from './emitter.js';
import { allOperations } from './type-names.js';

/** The built-in emitters by name, each loaded when it runs. A new one is added here. */
const EMITTERS: Readonly<Record<string, () => Promise<Emitter>>> = {
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
 * The names of the emitters that run for an API, in order. Always includes `types`, because all parts need it. Includes
 * custom emitters unless the caller's `only` omits them; the `only` of the configuration selects just the built-in
 * ones.
 *
 * @throws InputError if a name is neither a built-in emitter nor one of the API's own.
 */
export function chooseEmitters(api: ResolvedApi<Emitter>): readonly string[] {
  const known = [...Object.keys(EMITTERS), ...api.emitters.map(({ name }) => name)];
  const repeated = known.find((name, index) => known.indexOf(name) !== index);
  if (repeated !== undefined)
    throw new InputError(`There are two emitters named ${JSON.stringify(repeated)}; give yours another name.`);
  const { only } = api;
  if (only === undefined) return known;
  const unknown = only.find((name) => !known.includes(name));
  if (unknown !== undefined) {
    throw new InputError(
      `There is no emitter named ${JSON.stringify(unknown)}.${suggestName(unknown, known) || ` There are ${known.join(', ')}.`}`,
    );
  }
  const own = api.runsOwnEmitters ? api.emitters.map(({ name }) => name) : [];
  return known.filter((name) => name === 'types' || only.includes(name) || own.includes(name));
}

/** Runs the chosen emitters, then adds the files of every output: `index.ts` and `README.md`. */
export async function runEmitters(
  api: Api,
  config: ResolvedApi<Emitter>,
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
  for (const name of names) {
    context.onStart(name);
    emitted.push(...(await runEmitter(name, [api, options], config)));
  }
  const [{ emitIndex }, { emitReadme }] = await Promise.all([import('./emit-index.js'), import('./emit-readme.js')]);
  // Emitters share modules of the runtime: the same module is the same object.
  const files = [...new Set(emitted)];
  const paths = new Set(files.map(({ path }) => path));
  return [...files, emitIndex(paths, api, { apiName, groups }), emitReadme(api, options, helpers)];
}

async function runEmitter(
  name: string,
  args: Parameters<Emitter['emit']>,
  config: ResolvedApi<Emitter>,
): Promise<readonly GeneratedFile[]> {
  const builtIn = EMITTERS[name];
  return builtIn === undefined ? runUserEmitter(config.emitters, name, args) : (await builtIn()).emit(...args);
}

async function runUserEmitter(
  own: readonly Emitter[],
  name: string,
  args: Parameters<Emitter['emit']>,
): Promise<GeneratedFile[]> {
  const files: unknown = await wrapUserError(name, async () => own.find((one) => one.name === name)?.emit(...args));
  const isList = Array.isArray(files) && files.every((file): file is GeneratedFile => isFile(file));
  if (!isList) throw notFiles(name);
  return files.map((file) => ({ path: file.path, contents: () => readContents(name, file) }));
}

async function readContents(name: string, { path, contents }: GeneratedFile): Promise<string> {
  const text: unknown = typeof contents === 'string' ? contents : await wrapUserError(name, contents);
  if (typeof text !== 'string') throw notFiles(name);
  const { checkSyntax } = await import('./check-syntax.js');
  checkSyntax(name, path, text);
  return text;
}

function isFile(value: unknown): value is GeneratedFile {
  return (
    isRecord(value) && typeof value['path'] === 'string' && ['string', 'function'].includes(typeof value['contents'])
  );
}

/** A configuration in JavaScript is not type-checked, so an emitter can return anything. */
function notFiles(name: string): InputError {
  return new InputError(
    `The emitter ${JSON.stringify(name)} must return a list of files: objects with a path, and contents that are a text or a function that returns one.`,
  );
}

/** Converts an error of a user's emitter to an InputError, because it is not a bug of specmill. */
async function wrapUserError<T>(name: string, work: () => T | Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (cause) {
    const reason = cause instanceof Error ? cause.message : String(cause);
    throw new InputError(`The emitter ${JSON.stringify(name)} failed: ${reason}`, {}, { cause });
  }
}
