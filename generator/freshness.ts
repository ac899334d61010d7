import path from 'node:path';

import type { Api } from '../model/api.js';
import type { ResolvedApi } from '../config/config-types.js';
import { readPackageVersion } from '../model/package-info.js';
import { hashContent, hashFile } from '../model/content-hash.js';
import type { Emitter } from './emitter.js';
import { type Manifest, type KeptPart, hasProblems } from './manifest.js';
import { OutputPaths } from './output-path.js';
import { isStamped } from './output-stamp.js';
import { chooseEmitters } from './run-emitters.js';

/** Decides by the manifest alone whether there is nothing to do: neither the model nor an emitter is loaded. */
export function isUpToDate(api: ResolvedApi<Emitter>, old: Manifest | undefined, strict: boolean): old is Manifest {
  // What a user's emitter makes of the same spec may have changed with its code.
  if (old === undefined || old.incomplete === true || api.emitters.length > 0 || !isSameWork(api, old)) return false;
  if (strict && hasProblems(old)) return false;
  const isSame = (file: string, hash: string): boolean =>
    !isRemote(file) && hashFile(path.resolve(api.output, file)) === hash;
  return (
    Object.entries(old.inputs).every(([file, hash]) => isSame(file, hash)) &&
    Object.entries(old.files).every(([file, { hash }]) => isSame(file, hash))
  );
}

/** Whether the output was made here, by this code and with these options, so that what its manifest says is true. */
export function isSameWork(api: ResolvedApi<Emitter>, old: Manifest): boolean {
  return old.specmill === readPackageVersion() && old.options === hashOptions(api) && isStamped(api.output, old);
}

/** What an emitter made in the last run, where its key is the same and each of its files is as it was written. */
export function findPart(
  api: ResolvedApi<Emitter>,
  old: Manifest,
  { emitter, key }: { readonly emitter: string; readonly key: string },
): KeptPart | undefined {
  // A user's emitter may write to any folder.
  const part = api.emitters.length === 0 && Object.hasOwn(old.parts, emitter) ? old.parts[emitter] : undefined;
  if (part?.key !== key) return undefined;
  const paths = new OutputPaths(api.output);
  const records = Object.entries(old.files).filter(([file]) => file.startsWith(`${emitter}/`));
  const isKept = records.every(([file, { hash }]) => hashFile(paths.resolve(file)) === hash);
  return isKept ? { ...part, files: records.map(([file]) => file) } : undefined;
}

/** What a manifest says of the code, the options and the inputs of a run. */
export function describeWork(
  config: ResolvedApi<Emitter>,
  api: Api,
): Pick<Manifest, 'specmill' | 'options' | 'inputs'> {
  const inputs = api.files.map((file) => [relativePath(config.output, file.path), file.hash] as const);
  return { specmill: readPackageVersion(), options: hashOptions(config), inputs: Object.fromEntries(inputs) };
}

/** Absolute paths (or addresses) of the files that an output is made of, as far as they are known without reading the spec. */
export function knownInputs(api: ResolvedApi<Emitter>, old: Manifest | undefined): string[] {
  const inputs = Object.keys(old?.inputs ?? {}).map((file) => (isRemote(file) ? file : path.resolve(api.output, file)));
  return [...new Set([...api.specs, ...inputs])];
}

/** All that decides about the output beside the content of the inputs and the code. */
function hashOptions(api: ResolvedApi<Emitter>): string {
  const specs = api.specs.map((spec) => relativePath(api.output, spec));
  return hashContent(
    JSON.stringify([
      api.name,
      specs,
      api.include,
      api.exclude,
      chooseEmitters(api),
      ...(api.vendor === undefined ? [] : [api.vendor]),
      ...(api.load.overlays === undefined && api.load.helpers === undefined
        ? []
        : [api.load.overlays?.map((overlay) => relativePath(api.output, overlay)), api.load.helpers]),
    ]),
  );
}

function relativePath(folder: string, file: string): string {
  return isRemote(file) ? file : path.relative(folder, file).split(path.sep).join('/');
}

function isRemote(file: string): boolean {
  return /^[a-z][a-z0-9+.-]+:\/\//i.test(file);
}
