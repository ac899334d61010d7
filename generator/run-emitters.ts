import type { Api } from '../model/api.js';
import type { ResolvedApi } from '../config/config-types.js';
import { suggestName } from '../model/diagnostics/closest-name.js';
import type { Diagnostic } from '../model/diagnostics/diagnostic.js';
import { InputError } from '../model/diagnostics/input-error.js';
import type { Emitter, GeneratedFile } from './emitter.js';
import { EMITTERS } from './emitters.js';
import type { KeptPart, ManifestPart } from './manifest.js';
import { runtimeFiles, runtimeName } from './runtime-files.js';

/** What the run offers the emitters. */
export interface EmitContext {
  readonly report: (diagnostic: Diagnostic) => void;
  /** Called before each emitter. */
  readonly onStart: (emitter: string) => void;
  /** What the last run made with this emitter and key, if all of it is still there as it was written. */
  readonly findPart: (emitter: string, key: string) => KeptPart | undefined;
}

/** What the emitters returned. */
export interface Emitted {
  readonly files: readonly GeneratedFile[];
  /** Paths of files of the last run that stay as they are. */
  readonly kept: readonly string[];
  readonly parts: Readonly<Record<string, ManifestPart>>;
  /** How many problems the skipped emitters had reported when they last ran. */
  readonly suppressed: number;
}

/**
 * The names of the emitters that run for an API, in order. All parts need the types, so `types` is always among them.
 *
 * @throws InputError where a name is neither a built-in emitter nor one of the API's own.
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
  return known.filter((name) => name === 'types' || only.includes(name));
}

/** Runs the chosen emitters that have something new to make, then adds what every output has: `index.ts` and `README.md`. */
export async function runEmitters(api: Api, config: ResolvedApi<Emitter>, context: EmitContext): Promise<Emitted> {
  const names = chooseEmitters(config);
  const options = { apiName: config.name, emitters: new Set(names), report: context.report };
  const { readHelpers } = await import('./helpers/read-helpers.js');
  for (const problem of (await readHelpers(api, config.name)).diagnostics) context.report(problem);
  const results: EmitterResult[] = [];
  for (const name of names) {
    context.onStart(name);
    const key = await EMITTERS[name]?.key?.(api);
    const old = key === undefined ? undefined : context.findPart(name, key);
    results.push(old === undefined ? await runEmitter({ name, key }, [api, options], config) : keepPart(name, old));
  }
  const [{ emitIndex }, { emitReadme }] = await Promise.all([import('./emit-index.js'), import('./emit-readme.js')]);
  const files = results.flatMap((result) => result.files);
  const kept = results.flatMap((result) => result.kept);
  const paths = new Set([...files.map(({ path }) => path), ...kept]);
  return {
    // Emitters share modules of the runtime: the same module is the same object.
    files: [...new Set([...files, emitIndex(paths, api, config.name), await emitReadme(api, options)])],
    kept,
    parts: Object.fromEntries(results.flatMap(({ name, part }) => (part === undefined ? [] : [[name, part]]))),
    suppressed: results.reduce((sum, { suppressed }) => sum + suppressed, 0),
  };
}

/** What one emitter adds to an output. */
interface EmitterResult {
  readonly name: string;
  readonly files: readonly GeneratedFile[];
  readonly kept: readonly string[];
  readonly part: ManifestPart | undefined;
  readonly suppressed: number;
}

function keepPart(name: string, { files: kept, ...part }: KeptPart): EmitterResult {
  return { name, files: runtimeFiles(part.runtime), kept, part, suppressed: part.diagnostics ?? 0 };
}

/** Runs an emitter, and counts the problems that it reports before it makes a text. */
async function runEmitter(
  { name, key }: { readonly name: string; readonly key: string | undefined },
  [api, options]: Parameters<Emitter['emit']>,
  config: ResolvedApi<Emitter>,
): Promise<EmitterResult> {
  let reported = 0;
  const report = (diagnostic: Diagnostic): void => {
    reported += 1;
    options.report(diagnostic);
  };
  const emitter = await EMITTERS[name]?.load();
  const files =
    emitter === undefined
      ? await runOwnEmitter(config.emitters, name, [api, options])
      : await emitter.emit(api, { ...options, report });
  const runtime = files.flatMap(({ path }) => runtimeName(path) ?? []);
  const part = key === undefined ? undefined : { key, runtime, ...(reported === 0 ? {} : { diagnostics: reported }) };
  return { name, files, kept: [], part, suppressed: 0 };
}

/** The code of a user's emitter can change without its keys changing, so its files are always made. */
async function runOwnEmitter(
  own: readonly Emitter[],
  name: string,
  args: Parameters<Emitter['emit']>,
): Promise<GeneratedFile[]> {
  const files = await wrapUserError(name, async () => own.find((one) => one.name === name)?.emit(...args) ?? []);
  return files.map(({ path, contents }) => ({
    path,
    contents: typeof contents === 'string' ? contents : async () => wrapUserError(name, contents),
  }));
}

/** Turns an error of a user's emitter into an InputError: it is not a bug of specmill. */
async function wrapUserError<T>(name: string, work: () => T | Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (cause) {
    const reason = cause instanceof Error ? cause.message : String(cause);
    throw new InputError(`The emitter ${JSON.stringify(name)} failed: ${reason}`, {}, { cause });
  }
}
