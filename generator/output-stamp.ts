import { mkdirSync, readFileSync, readdirSync, statSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';

import { packageRoot } from '../model/package-info.js';
import { hashContent } from '../model/content-hash.js';
import { type Manifest, printManifest } from './manifest.js';

/**
 * A manifest is checked in, so it can be edited, merged, or written by another machine: by itself it proves nothing. A
 * stamp beside the package records the last manifest that this machine wrote to an output folder, and the code that
 * wrote it. Only a stamped manifest is trusted; without a stamp, the output is generated again and compared
 * (docs/adr/0011-regeneration.md).
 */
const installed = path.dirname(packageRoot);
const isInstalled = path.basename(installed) === 'node_modules';
const stampFolder = path.join(isInstalled ? installed : path.join(packageRoot, 'node_modules'), '.cache', 'specmill');
/** The folder of the running code: the checkout, or the build in it. */
const codeRoot = path.dirname(path.dirname(fileURLToPath(import.meta.url)));

let code: string | undefined;

/** Whether this code wrote this manifest to this folder, on this machine. */
export function isStamped(output: string, manifest: Manifest): boolean {
  try {
    return readFileSync(stampFile(output), 'utf8') === printStamp(manifest);
  } catch {
    return false;
  }
}

/** Records that this code wrote this manifest to this folder. */
export function stampOutput(output: string, manifest: Manifest): void {
  try {
    mkdirSync(stampFolder, { recursive: true });
    writeFileSync(stampFile(output), printStamp(manifest));
  } catch {
    // Without a stamp the next run generates again, which is slower but correct.
  }
}

function stampFile(output: string): string {
  return path.join(stampFolder, hashContent(output));
}

function printStamp(manifest: Manifest): string {
  code ??= isInstalled ? '' : hashCode();
  return hashContent(`${code}\n${printManifest(manifest)}`);
}

/**
 * In a checkout of specmill the code changes while the version does not. Hashes the times and sizes of its files, in a
 * tenth of the time that their contents would take. In an installed package, the version is enough.
 */
function hashCode(): string {
  const folders = [
    ...['config', 'generator', 'model', 'schema'].map((name) => path.join(codeRoot, name)),
    path.join(packageRoot, 'runtime'),
    path.join(packageRoot, 'templates'),
  ];
  const files = folders.flatMap((folder) =>
    readdirSync(folder, { recursive: true, encoding: 'utf8' })
      .filter((name) => /\.(js|ts|hbs)$/.test(name) && !name.endsWith('.d.ts'))
      .map((name) => path.join(folder, name)),
  );
  return hashContent([...files, path.join(packageRoot, 'package-lock.json')].toSorted().map(describeFile).join('\n'));
}

function describeFile(file: string): string {
  const { size, mtimeMs, ctimeMs } = statSync(file, { throwIfNoEntry: false }) ?? {};
  return [file, size, mtimeMs, ctimeMs].join(' ');
}
