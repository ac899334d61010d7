import type { Api } from '../model/api.js';
import type { ResolvedApi } from '../config/config-types.js';
import { suggestName } from '../model/diagnostics/closest-name.js';
import type { Diagnostic } from '../model/diagnostics/diagnostic.js';
import { InputError } from '../model/diagnostics/input-error.js';
import type { Emitter, GeneratedFile } from './emitter.js';
import { EMITTERS } from './emitters.js';
import type { KeptPart, ManifestPart } from './manifest.js';
import { runtimeFiles, runtimeName } from './runtime-files.js';

/** What is around the emitters while they run. */
export interface EmitSurroundings {
  readonly report: (diagnostic: Diagnostic) => void;
  /** Called before each emitter. */
  readonly onStart: (emitter: string) => void;
  /** What the last run made with this emitter and key, if all of it is still there as it was written. */
  readonly findPart: (emitter: string, key: string) => KeptPart | undefined;
}

/** What the emitters gave. */
export interface Emitted {
  readonly files: readonly GeneratedFile[];
  /** Paths of files of the last run that stay as they are. */
  readonly kept: readonly string[];
  readonly parts: Readonly<Record<string, ManifestPart>>;
  /** How many problems the emitters that were not asked had reported when they were. */
  readonly untold: number;
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
export async function runEmitters(api: Api, config: ResolvedApi<Emitter>, around: EmitSurroundings): Promise<Emitted> {
  const names = chooseEmitters(config);
  const options = { apiName: config.name, emitters: new Set(names), report: around.report };
  const { readHabits } = await import('./helpers/read-helpers.js');
  for (const problem of (await readHabits(api, config.name)).diagnostics) around.report(problem);
  const answers: Answer[] = [];
  for (const name of names) {
    around.onStart(name);
    const key = await EMITTERS[name]?.key?.(api);
    const old = key === undefined ? undefined : around.findPart(name, key);
    answers.push(old === undefined ? await askEmitter({ name, key }, [api, options], config) : keepPart(name, old));
  }
  const [{ emitIndex }, { emitReadme }] = await Promise.all([import('./emit-index.js'), import('./emit-readme.js')]);
  const files = answers.flatMap((answer) => answer.files);
  const kept = answers.flatMap((answer) => answer.kept);
  const paths = new Set([...files.map(({ path }) => path), ...kept]);
  return {
    // Emitters share modules of the runtime: the same module is the same object.
    files: [...new Set([...files, emitIndex(paths, api, config.name), await emitReadme(api, options)])],
    kept,
    parts: Object.fromEntries(answers.flatMap(({ name, part }) => (part === undefined ? [] : [[name, part]]))),
    untold: answers.reduce((sum, { untold }) => sum + untold, 0),
  };
}

/** What one emitter adds to an output. */
interface Answer {
  readonly name: string;
  readonly files: readonly GeneratedFile[];
  readonly kept: readonly string[];
  readonly part: ManifestPart | undefined;
  readonly untold: number;
}

function keepPart(name: string, { files: kept, ...part }: KeptPart): Answer {
  return { name, files: runtimeFiles(part.runtime), kept, part, untold: part.diagnostics ?? 0 };
}

/** Runs an emitter, and counts the problems that it reports before it makes a text. */
async function askEmitter(
  { name, key }: { readonly name: string; readonly key: string | undefined },
  [api, options]: Parameters<Emitter['emit']>,
  config: ResolvedApi<Emitter>,
): Promise<Answer> {
  let told = 0;
  const report = (diagnostic: Diagnostic): void => {
    told += 1;
    options.report(diagnostic);
  };
  const emitter = await EMITTERS[name]?.load();
  const files =
    emitter === undefined
      ? await runOwnEmitter(config.emitters, name, [api, options])
      : await emitter.emit(api, { ...options, report });
  const runtime = files.flatMap(({ path }) => runtimeName(path) ?? []);
  const part = key === undefined ? undefined : { key, runtime, ...(told === 0 ? {} : { diagnostics: told }) };
  return { name, files, kept: [], part, untold: 0 };
}

/** The code of a user's emitter can change without its keys changing, so its files are always made. */
async function runOwnEmitter(
  own: readonly Emitter[],
  name: string,
  args: Parameters<Emitter['emit']>,
): Promise<GeneratedFile[]> {
  const files = await blame(name, async () => own.find((one) => one.name === name)?.emit(...args) ?? []);
  return files.map(({ path, contents }) => ({
    path,
    contents: typeof contents === 'string' ? contents : async () => blame(name, contents),
  }));
}

/** What goes wrong in a user's emitter is no bug of ours. */
async function blame<T>(name: string, work: () => T | Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (cause) {
    const reason = cause instanceof Error ? cause.message : String(cause);
    throw new InputError(`The emitter ${JSON.stringify(name)} failed: ${reason}`, {}, { cause });
  }
}
