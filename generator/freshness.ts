import path from 'node:path';

import { hasScheme } from '../model/document/address.js';
import type { Api } from '../model/api.js';
import type { ResolvedApi } from '../config/config-types.js';
import { readPackageVersion } from '../model/package-info.js';
import { hashContent, hashFile } from '../model/content-hash.js';
import type { LoadedEmitter } from './emitter-kit/load-emitters.js';
import type { Manifest } from './manifest.js';
import { isStamped } from './output-stamp.js';
import { chooseEmitters } from './run-emitters.js';

/**
 * Whether nothing changed since the last run: neither the code, the options, the inputs nor the files of the output.
 * Needs only the manifest, so neither the model nor an emitter is loaded.
 */
export function isUpToDate(
  api: ResolvedApi<LoadedEmitter>,
  old: Manifest | undefined,
  strict: boolean,
): old is Manifest {
  // The output of a user's emitter may change with its code, which is not tracked.
  if (old === undefined || old.incomplete === true || api.emitters.some(({ isBuiltIn }) => !isBuiltIn)) return false;
  // The packages that the output of an emitter needs may have been removed.
  if (strict && (old.diagnostics > 0 || api.emitters.length > 0)) return false;
  if (old.specmill !== readPackageVersion() || old.options !== hashOptions(api) || !isStamped(api.output, old))
    return false;
  const isSame = (file: string, hash: string): boolean =>
    !hasScheme(file) && hashFile(path.resolve(api.output, file)) === hash;
  return (
    Object.entries(old.inputs).every(([file, hash]) => isSame(file, hash)) &&
    Object.entries(old.files).every(([file, { hash }]) => isSame(file, hash))
  );
}

/** The part of a manifest that describes the code, the options and the inputs of a run. */
export function describeWork(
  config: ResolvedApi<LoadedEmitter>,
  api: Api,
): Pick<Manifest, 'specmill' | 'options' | 'inputs'> {
  const inputs = api.files.map((file) => [relativePath(config.output, file.path), file.hash] as const);
  return { specmill: readPackageVersion(), options: hashOptions(config), inputs: Object.fromEntries(inputs) };
}

/** Absolute paths (or URLs) of the inputs of an output, as far as known without reading the spec. */
export function knownInputs(api: ResolvedApi<LoadedEmitter>, old: Manifest | undefined): string[] {
  const inputs = Object.keys(old?.inputs ?? {}).map((file) =>
    hasScheme(file) ? file : path.resolve(api.output, file),
  );
  return [...new Set([...api.specs, ...inputs])];
}

/** Everything that the output depends on besides the inputs and the code. */
function hashOptions(api: ResolvedApi<LoadedEmitter>): string {
  const specs = api.specs.map((spec) => relativePath(api.output, spec));
  return hashContent(
    JSON.stringify([
      api.name,
      specs,
      api.include,
      api.exclude,
      chooseEmitters(api).map((name) => withOptions(name, api)),
      api.vendor,
      api.importExtension,
      api.header,
      api.group,
      api.types,
      api.names?.toString(),
      api.load.overlays?.map((overlay) => relativePath(api.output, overlay)),
      api.load.helpers,
      api.load.resources,
      api.load.formats,
    ]),
  );
}

/** The name of an emitter, with its options if it has some. */
function withOptions(name: string, { emitters }: ResolvedApi<LoadedEmitter>): string | readonly [string, object] {
  const { options = {} } = emitters.find((one) => one.name === name) ?? {};
  return Object.keys(options).length === 0 ? name : [name, options];
}

function relativePath(folder: string, file: string): string {
  return hasScheme(file) ? file : path.relative(folder, file).split(path.sep).join('/');
}
