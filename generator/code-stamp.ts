import { createHash } from 'node:crypto';
import { mkdirSync, readFileSync, readdirSync, statSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';

import { packageRoot } from '../model/package-info.js';
import { hashContent } from './content-hash.js';

/**
 * In a checkout of specmill its code changes while its version does not. So here, and only here, a stamp beside the
 * build says which code wrote an output folder last. It is not in the manifest, which is checked in: there every change
 * of the code would show as a change of all output. In an installed package the version says it all.
 */
const isInstalled = packageRoot.split(path.sep).includes('node_modules');
const stampFolder = path.join(packageRoot, 'node_modules', '.cache', 'specmill');
/** The folder of the code that runs: the checkout, or the build in it. */
const codeRoot = path.dirname(path.dirname(fileURLToPath(import.meta.url)));

let codeHash: string | undefined;

/** Whether the code that runs is the code that wrote this output folder last. */
export function isCodeStamped(output: string): boolean {
  if (isInstalled) return true;
  try {
    return readFileSync(stampFile(output), 'utf8') === hashCode();
  } catch {
    return false;
  }
}

/** Remembers that the code that runs wrote this output folder. */
export function stampCode(output: string): void {
  if (isInstalled) return;
  try {
    mkdirSync(stampFolder, { recursive: true });
    writeFileSync(stampFile(output), hashCode());
  } catch {
    // Without a stamp the next run does all of its work again, which is slower and no less right.
  }
}

function stampFile(output: string): string {
  return path.join(stampFolder, hashContent(output));
}

function hashCode(): string {
  codeHash ??= computeCodeHash();
  return codeHash;
}

function computeCodeHash(): string {
  const hash = createHash('sha256');
  const folders = [
    ...['model', 'schema', 'generator'].map((name) => path.join(codeRoot, name)),
    path.join(packageRoot, 'generator', 'runtime'),
    path.join(packageRoot, 'templates'),
  ];
  for (const folder of folders) {
    for (const name of readdirSync(folder, { recursive: true, encoding: 'utf8' }).toSorted()) {
      if (/\.(js|ts|hbs)$/.test(name) && !name.endsWith('.d.ts'))
        hash.update(name).update(readFileSync(path.join(folder, name)));
    }
  }
  const lock = path.join(packageRoot, 'package-lock.json');
  if (statSync(lock, { throwIfNoEntry: false }) !== undefined) hash.update(readFileSync(lock));
  return hash.digest('hex');
}
