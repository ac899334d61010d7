import { mkdirSync, readFileSync, readdirSync, statSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';

import { packageRoot } from '../model/package-info.js';
import { hashContent } from '../model/content-hash.js';
import { type Manifest, printManifest } from './manifest.js';

/**
 * A manifest is checked in, so it can be edited, merged, or written by another machine: by itself it proves nothing. A
 * stamp beside the package says which manifest this machine wrote to an output folder last, and with which code. Only a
 * manifest that has its stamp saves work; without one all is made again and compared (docs/adr/0011-regeneration.md).
 */
const installed = path.dirname(packageRoot);
const isInstalled = path.basename(installed) === 'node_modules';
const stampFolder = path.join(isInstalled ? installed : path.join(packageRoot, 'node_modules'), '.cache', 'specmill');
/** The folder of the code that runs: the checkout, or the build in it. */
const codeRoot = path.dirname(path.dirname(fileURLToPath(import.meta.url)));

let code: string | undefined;

/** Whether this is the manifest that the code that runs wrote to this folder last, on this machine. */
export function isStamped(output: string, manifest: Manifest): boolean {
  try {
    return readFileSync(stampFile(output), 'utf8') === printStamp(manifest);
  } catch {
    return false;
  }
}

/** Remembers that the code that runs wrote this manifest to this folder. */
export function stampOutput(output: string, manifest: Manifest): void {
  try {
    mkdirSync(stampFolder, { recursive: true });
    writeFileSync(stampFile(output), printStamp(manifest));
  } catch {
    // Without a stamp the next run does all of its work again, which is slower and no less right.
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
 * In a checkout of specmill its code changes while its version does not. Times and sizes tell of a change as well as
 * the content does, in a tenth of the time; in an installed package the version says it all.
 */
function hashCode(): string {
  const folders = [
    ...['model', 'schema', 'generator'].map((name) => path.join(codeRoot, name)),
    path.join(packageRoot, 'generator', 'runtime'),
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
