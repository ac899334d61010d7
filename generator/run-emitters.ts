import type { Api } from '../model/api.js';
import type { ResolvedApi } from '../model/config/config-types.js';
import { suggestName } from '../model/diagnostics/closest-name.js';
import type { Diagnostic } from '../model/diagnostics/diagnostic.js';
import { InputError } from '../model/diagnostics/input-error.js';
import type { Emitter, GeneratedFile } from './emitter.js';
import { EMITTERS } from './emitters.js';

/** What the emitters tell while they run. */
export interface EmitListeners {
  readonly report: (diagnostic: Diagnostic) => void;
  /** Called before each emitter. */
  readonly onStart: (emitter: string) => void;
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

/** Runs the chosen emitters, then adds what every output has: `index.ts` and `README.md`. */
export async function runEmitters(
  api: Api,
  config: ResolvedApi<Emitter>,
  listeners: EmitListeners,
): Promise<GeneratedFile[]> {
  const names = chooseEmitters(config);
  const options = { apiName: config.name, emitters: new Set(names), report: listeners.report };
  const { readHabits } = await import('./habits/read-habits.js');
  for (const problem of (await readHabits(api, config.name)).diagnostics) listeners.report(problem);
  const files: GeneratedFile[] = [];
  for (const name of names) {
    listeners.onStart(name);
    const builtIn = EMITTERS[name];
    if (builtIn !== undefined) files.push(...(await (await builtIn()).emit(api, options)));
    else files.push(...(await runOwnEmitter(config.emitters, name, () => [api, options])));
  }
  const [{ emitIndex }, { emitReadme }] = await Promise.all([import('./emit-index.js'), import('./emit-readme.js')]);
  // Emitters share modules of the runtime: the same module is the same object.
  return [...new Set([...files, emitIndex(files, api, config.name), emitReadme(api, options)])];
}

/** The code of a user's emitter can change without its keys changing, so its files are always made. */
async function runOwnEmitter(
  own: readonly Emitter[],
  name: string,
  args: () => Parameters<Emitter['emit']>,
): Promise<GeneratedFile[]> {
  const files = await blame(name, async () => own.find((one) => one.name === name)?.emit(...args()) ?? []);
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
