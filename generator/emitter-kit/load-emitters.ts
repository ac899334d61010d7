import path from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';

import type { ResolvedApi } from '../../config/config-types.js';
import { importModule } from '../../config/import-module.js';
import { suggestName } from '../../model/diagnostics/closest-name.js';
import { InputError, type InputPlace } from '../../model/diagnostics/input-error.js';
import { placeInFile } from '../../model/diagnostics/place-in-file.js';
import { toPointer } from '../../model/document/pointer.js';
import { isRecord } from '../../model/document/records.js';
import type { Emitter } from '../emitter.js';
import type { EmitterDefinition } from './contract.js';
import { readEmitterOptions } from './emitter-options.js';
import { PACKAGE_EXPORTS } from './package-exports.js';
import { PRODUCTS, loadProduct } from './products.js';

type AnyEmitter = Emitter | EmitterDefinition<never>;

/** An emitter in a configuration: itself, its name, or either with its options. */
export type EmitterEntry = AnyEmitter | string | readonly [emitter: AnyEmitter | string, options?: object];

/** An emitter that can run. */
export interface LoadedEmitter {
  readonly name: string;
  readonly requires: readonly string[];
  /** The options that the user gave, checked, with their defaults. */
  readonly options: object;
  /** Whether it comes with specmill, so that its code changes only with the version. */
  readonly isBuiltIn: boolean;
  /** Whether the configuration lists it; else it was loaded because `only` names it or another emitter requires it. */
  readonly isListed: boolean;
  readonly emitter: Emitter | EmitterDefinition;
}

/** Where emitters are named. */
export interface EmitterPlaces {
  /** The folder that paths and packages are found from: that of the configuration. */
  readonly folder: string;
  /** The configuration; absent if it was passed as a value. */
  readonly file?: string | undefined;
}

/**
 * Loads the emitters of an API: those of the configuration, the built-in ones that `only` names, and those that others
 * require.
 *
 * @throws InputError if there is no such emitter, its module is broken, or its options are wrong.
 */
export async function loadEmitters(
  api: ResolvedApi<EmitterEntry>,
  places: EmitterPlaces,
): Promise<ResolvedApi<LoadedEmitter>> {
  const loaded: LoadedEmitter[] = [];
  for (const [index, entry] of api.emitters.entries()) {
    const pointer = toPointer(['apis', api.name, 'emitters', String(index)]);
    loaded.push(await loadAt(placeInFile({ file: places.file ?? '', pointer }), entry, places));
  }
  const isLoaded = (name: string): boolean => loaded.some((one) => one.name === name);
  // Iterating a list also visits what is added on the way.
  const wanted = [...(api.only ?? []), ...loaded.flatMap(({ requires }) => requires)];
  for (const name of wanted) {
    if (!Object.hasOwn(PRODUCTS, name) || isLoaded(name)) continue;
    const product = await loadEntry(name, places);
    loaded.push({ ...product, isListed: false });
    wanted.push(...product.requires);
  }
  return { ...api, emitters: loaded };
}

/** Adds the place in the configuration to an error that has none. */
async function loadAt(place: InputPlace, entry: EmitterEntry, places: EmitterPlaces): Promise<LoadedEmitter> {
  try {
    return await loadEntry(entry, places);
  } catch (error) {
    if (!(error instanceof InputError) || error.place.file !== undefined) throw error;
    throw new InputError(error.message, place, { cause: error });
  }
}

async function loadEntry(entry: EmitterEntry, places: EmitterPlaces): Promise<LoadedEmitter> {
  // Cast: `Array.isArray` does not narrow a readonly tuple.
  const [given, options = {}] = (Array.isArray(entry) ? entry : [entry]) as readonly [AnyEmitter | string, object?];
  const emitter =
    typeof given === 'string'
      ? await findEmitter(given, places)
      : readEmitter(given, 'An emitter of the configuration');
  const isNew = 'version' in emitter;
  return {
    name: emitter.name,
    requires: isNew ? (emitter.requires ?? []) : [],
    options: readEmitterOptions(isNew ? emitter : { ...emitter, version: 1, options: {} }, options),
    isBuiltIn: typeof given === 'string' && Object.hasOwn(PRODUCTS, given),
    isListed: true,
    emitter,
  };
}

async function findEmitter(name: string, { folder }: EmitterPlaces): Promise<Emitter | EmitterDefinition> {
  if (Object.hasOwn(PRODUCTS, name)) return loadProduct(name);
  const file = /^\.{0,2}\/|^[A-Za-z]:[\\/]/.test(name)
    ? path.resolve(folder, name)
    : await resolvePackage(name, folder);
  const subject = `The emitter ${JSON.stringify(name)}`;
  return readEmitter(await importModule(file, { subject, virtualModules: { specmill: PACKAGE_EXPORTS } }), subject);
}

/** The file of an installed package. Prefers one for specmill to the library of the same name. */
async function resolvePackage(name: string, folder: string): Promise<string> {
  const { createJiti } = await import('jiti');
  const jiti = createJiti(pathToFileURL(path.join(folder, 'package.json')).href);
  for (const id of [`specmill-emitter-${name}`, name]) {
    const found = resolveFrom(() => jiti.esmResolve(id));
    if (found?.startsWith('file:') === true) return fileURLToPath(found);
  }
  throw new InputError(
    `There is no emitter ${JSON.stringify(name)}: it is neither built in nor a package that is installed for ${folder}.${
      suggestName(name, Object.keys(PRODUCTS)) || ' A file is named by its path, such as ./my-emitter.ts.'
    }`,
  );
}

function resolveFrom(resolve: () => string): string | undefined {
  try {
    return resolve();
  } catch {
    return undefined;
  }
}

/** The emitter that a module exports by default. A CommonJS module is its own default export. */
function readEmitter(module: unknown, subject: string): Emitter | EmitterDefinition {
  const inner = isRecord(module) ? module['default'] : undefined;
  const found = [isRecord(inner) ? inner['default'] : undefined, inner, module].find(isEmitter);
  if (found === undefined)
    throw new InputError(
      `${subject} exports no emitter: its default export must be the result of defineEmitter, or an object with a name and a function emit.`,
    );
  const { version = 1 } = found as { readonly version?: unknown };
  if (version === 1) return found;
  throw new InputError(
    `${subject} is written for version ${JSON.stringify(version)} of the contract of emitters, but this specmill has version 1.`,
  );
}

function isEmitter(value: unknown): value is Emitter | EmitterDefinition {
  return (
    isRecord(value) && typeof value['name'] === 'string' && value['name'] !== '' && typeof value['emit'] === 'function'
  );
}
