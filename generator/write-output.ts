import { mkdirSync, readFileSync, readdirSync, renameSync, rmSync, rmdirSync, statSync, writeFileSync } from 'node:fs';
import path from 'node:path';

import { isRunning } from '../model/is-running.js';
import { InputError } from '../model/diagnostics/input-error.js';
import { hashContent, hashFile } from '../model/content-hash.js';
import type { GeneratedFile } from './emitter.js';
import { MANIFEST_FILE, type Manifest, type ManifestFile, printManifest } from './manifest.js';
import { OutputPaths } from './output-path.js';
import { type OutputStyle, applyStyle, hasBanner } from './output-style.js';

/** A difference between the folder and its expected state. */
export interface FileChange {
  /** Relative to the output folder, with `/`. */
  readonly path: string;
  readonly kind: 'added' | 'changed' | 'removed';
}

/** The steps that bring an output folder up to date; none is done yet. */
export interface OutputPlan {
  readonly folder: string;
  readonly changes: readonly FileChange[];
  readonly manifest: Manifest;
  readonly old: Manifest | undefined;
  /** Texts of the files that are added or changed, by path. */
  readonly texts: ReadonlyMap<string, string>;
}

/** The expected state of a folder. */
export interface WantedOutput {
  readonly folder: string;
  readonly files: readonly GeneratedFile[];
  readonly style: OutputStyle;
  /** The manifest of the last run. */
  readonly old: Manifest | undefined;
  /** Everything of the new manifest except its files. Called after all texts are made, which can report diagnostics. */
  readonly describe: () => Omit<Manifest, 'files'>;
}

/**
 * Compares an output folder with its expected state.
 *
 * @throws InputError if a path leaves the folder, occurs twice, or is taken by a file that specmill did not write.
 */
export async function planOutput(wanted: WantedOutput): Promise<OutputPlan> {
  refuseRepeatedPaths(wanted.files);
  const { folder, old } = wanted;
  if (statSync(folder, { throwIfNoEntry: false })?.isDirectory() === false)
    throw new InputError('The output cannot be written: there is a file where its folder should be.', { file: folder });
  const paths = new OutputPaths(folder);
  const changes: FileChange[] = [];
  const texts = new Map<string, string>();
  const records = new Map<string, ManifestFile>();
  for (const file of wanted.files) {
    const place = paths.resolve(file.path);
    const contents = typeof file.contents === 'string' ? file.contents : await file.contents();
    const text = applyStyle(file.path, contents, wanted.style);
    const hash = hashContent(text);
    records.set(file.path, { hash });
    const onDisk = hashFile(place);
    if (hash === onDisk) continue;
    if (old === undefined || !Object.hasOwn(old.files, file.path)) refuseForeignFile(place);
    texts.set(file.path, text);
    changes.push({ path: file.path, kind: onDisk === undefined ? 'added' : 'changed' });
  }
  for (const stale of findStaleFiles(wanted, paths)) changes.push({ path: stale, kind: 'removed' });
  const manifest = { ...wanted.describe(), files: Object.fromEntries(records) };
  const onDisk = hashFile(path.join(folder, MANIFEST_FILE));
  if (onDisk !== hashContent(printManifest(manifest)))
    changes.push({ path: MANIFEST_FILE, kind: onDisk === undefined ? 'added' : 'changed' });
  return { folder, changes, manifest, old, texts };
}

/**
 * Brings an output folder up to date. Each file is written under a temporary name and renamed, so that no file is ever
 * half-written, even with two runs at once. Before the first file the manifest is marked incomplete and lists the files
 * to write; after the last file it is complete. So the next run detects an interrupted one and recognises its files.
 */
export function writeOutput(plan: OutputPlan): void {
  if (plan.changes.length === 0) return;
  mkdirSync(plan.folder, { recursive: true });
  const paths = new OutputPaths(plan.folder);
  if (plan.changes.some(({ path: changed }) => changed !== MANIFEST_FILE))
    writeFile(path.join(plan.folder, MANIFEST_FILE), printManifest(startedManifest(plan)));
  const folders = new Set<string>();
  for (const [relative, text] of plan.texts) {
    const place = paths.resolve(relative);
    const folder = path.dirname(place);
    if (!folders.has(folder)) mkdirSync(folder, { recursive: true });
    folders.add(folder);
    writeFile(place, text);
  }
  for (const { path: stale, kind } of plan.changes)
    if (kind === 'removed') removeFile(paths.resolve(stale), plan.folder);
  removeLeftovers(plan);
  writeFile(path.join(plan.folder, MANIFEST_FILE), printManifest(plan.manifest));
}

/** Refuses repeated paths, ignoring letter case, because some file systems do. */
function refuseRepeatedPaths(files: readonly GeneratedFile[]): void {
  const seen = new Set<string>();
  for (const file of files) {
    const folded = file.path.toLowerCase();
    if (seen.has(folded)) throw new InputError(`Two emitters write the file ${JSON.stringify(file.path)}.`);
    seen.add(folded);
  }
}

function refuseForeignFile(place: string): void {
  const stat = statSync(place, { throwIfNoEntry: false });
  if (stat === undefined || (stat.isFile() && hasBanner(readFileSync(place, 'utf8')))) return;
  throw new InputError(
    'Output would overwrite this file, which specmill did not write; move it, or choose another output folder.',
    { file: place },
  );
}

/** Files of the last run that this run does not write, except those that a user has edited. */
function findStaleFiles(wanted: WantedOutput, paths: OutputPaths): string[] {
  const present = new Set(wanted.files.map((file) => file.path.toLowerCase()));
  return Object.entries(wanted.old?.files ?? {})
    .filter(([relative, { hash }]) => {
      if (present.has(relative.toLowerCase())) return false;
      const place = paths.resolve(relative);
      const onDisk = hashFile(place);
      return onDisk !== undefined && (onDisk === hash || hasBanner(readFileSync(place, 'utf8')));
    })
    .map(([relative]) => relative);
}

/** The manifest during a run: the files of the last run, and those that this run adds. */
function startedManifest({ manifest, old, texts }: OutputPlan): Manifest {
  const added = [...texts.keys()].map((file) => [file, { hash: '' }] as const);
  return { ...manifest, files: { ...Object.fromEntries(added), ...old?.files }, incomplete: true };
}

const TEMPORARY = /^\.specmill-(\d+)-\d+\.tmp$/;
let temporaryCount = 0;

function writeFile(place: string, text: string): void {
  const temporary = path.join(path.dirname(place), `.specmill-${process.pid}-${(temporaryCount += 1)}.tmp`);
  try {
    writeFileSync(temporary, text);
    renameSync(temporary, place);
  } catch (error) {
    rmSync(temporary, { force: true });
    throw error;
  }
}

/** Removes a file, and the folders that become empty. */
function removeFile(place: string, folder: string): void {
  rmSync(place, { force: true });
  for (let parent = path.dirname(place); parent !== folder; parent = path.dirname(parent)) {
    if (readdirSync(parent).length > 0) return;
    rmdirSync(parent);
  }
}

/** Removes temporary files of interrupted runs. */
function removeLeftovers({ folder, manifest }: OutputPlan): void {
  const folders = new Set([
    folder,
    ...Object.keys(manifest.files).map((file) => path.dirname(path.join(folder, file))),
  ]);
  for (const one of folders) {
    for (const name of readdirSync(one)) {
      const pid = TEMPORARY.exec(name)?.[1];
      if (pid !== undefined && !isRunning(Number(pid))) rmSync(path.join(one, name), { force: true });
    }
  }
}
