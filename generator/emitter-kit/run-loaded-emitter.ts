import type { Api } from '../../model/api.js';
import { getOrInsert } from '../../model/maps.js';
import { InputError } from '../../model/diagnostics/input-error.js';
import { isRecord } from '../../model/document/records.js';
import { checkSyntax } from '../check-syntax.js';
import { planClient } from '../client/group-operations.js';
import type { EmitOptions, GeneratedFile } from '../emitter.js';
import type { EmitterDefinition } from './contract.js';
import { type KitScope, openKit } from './create-kit.js';
import { emitterApi } from './emitter-api.js';
import { refuseClashes } from './exported-names.js';
import type { LoadedEmitter } from './load-emitters.js';
import { readNames } from './output-names.js';
import { reportMissingPeers } from './peers.js';

/** One run of `generate` for one API. */
export interface RunScope {
  readonly api: Api;
  readonly options: EmitOptions;
  /** Absolute path of the output folder. */
  readonly output: string;
}

/** The files of an emitter. */
export interface EmittedFiles {
  readonly files: readonly GeneratedFile[];
  /** The paths of those that `index.ts` exports. */
  readonly exported: readonly string[];
}

/**
 * Runs an emitter that is not one of the usual parts.
 *
 * @throws InputError if it fails, returns no files, or a file does not parse.
 */
export async function runLoadedEmitter(loaded: LoadedEmitter, scope: RunScope): Promise<EmittedFiles> {
  const { emitter, name } = loaded;
  if (!isDefinition(emitter)) {
    const returned: unknown = await wrapError(name, () => emitter.emit(scope.api, scope.options));
    return { files: checkFiles(name, returned), exported: [] };
  }
  const kitScope = await openScope(scope);
  const { kit, finish } = openKit(loaded.options, kitScope);
  const api = emitterApi(scope.api, scope.options.apiName);
  const returned: unknown = await wrapError(name, () => emitter.emit(api, kit));
  const files = [
    ...(await wrapError(name, finish)).map((file) => (loaded.isBuiltIn ? file : checked(name, file))),
    ...(returned === undefined ? [] : checkFiles(name, returned)),
  ];
  reportMissingPeers(loaded, { ...scope, files });
  if (emitter.exports !== true) return { files, exported: [] };
  const exported = files
    .map(({ path }) => path)
    .filter((path) => /(?<!\.d)\.ts$/.test(path) && !path.startsWith('runtime/'));
  refuseClashes(
    name,
    files.filter(({ path }) => exported.includes(path)),
    kitScope.names.exported,
  );
  return { files, exported };
}

function isDefinition(emitter: LoadedEmitter['emitter']): emitter is EmitterDefinition {
  return 'version' in emitter;
}

const scopes = new WeakMap<EmitOptions, Promise<KitScope>>();

/** What the emitters of a run share. */
function openScope({ api, options }: RunScope): Promise<KitScope> {
  return getOrInsert(scopes, options, async () => {
    const { helpers } = await planClient(api, options);
    return { api, options, helpers, names: readNames(api, options, helpers) };
  });
}

function checkFiles(name: string, files: unknown): GeneratedFile[] {
  const isList = Array.isArray(files) && files.every((file): file is GeneratedFile => isFile(file));
  if (!isList) throw notFiles(name);
  return files.map((file) => ({ path: file.path, contents: () => readContents(name, file) }));
}

async function readContents(name: string, { path, contents }: GeneratedFile): Promise<string> {
  const text: unknown = typeof contents === 'string' ? contents : await wrapError(name, contents);
  if (typeof text !== 'string') throw notFiles(name);
  checkSyntax(name, path, text);
  return text;
}

function checked(name: string, file: GeneratedFile): GeneratedFile {
  if (typeof file.contents === 'string' && !file.path.startsWith('runtime/'))
    checkSyntax(name, file.path, file.contents);
  return file;
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
async function wrapError<T>(name: string, work: () => T | Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (cause) {
    const reason = cause instanceof Error ? cause.message : String(cause);
    throw new InputError(`The emitter ${JSON.stringify(name)} failed: ${reason}`, {}, { cause });
  }
}
