import { mkdirSync, readFileSync, readdirSync, renameSync, rmSync, rmdirSync, statSync, writeFileSync } from 'node:fs';
import path from 'node:path';

import { InputError } from '../model/diagnostics/input-error.js';
import { addBanner, hasBanner } from './banner.js';
import { hashContent, hashFile } from '../model/content-hash.js';
import type { GeneratedFile } from './emitter.js';
import { MANIFEST_FILE, type Manifest, type ManifestFile, printManifest } from './manifest.js';
import { OutputPaths } from './output-path.js';

/** A difference between the folder and what it should be. */
export interface FileChange {
  /** Relative to the output folder, with `/`. */
  readonly path: string;
  readonly kind: 'added' | 'changed' | 'removed';
}

/** What must be done to bring an output folder up to date; nothing is done yet. */
export interface OutputPlan {
  readonly folder: string;
  readonly changes: readonly FileChange[];
  readonly manifest: Manifest;
  readonly old: Manifest | undefined;
  /** Texts of the files that are added or changed, by path. */
  readonly texts: ReadonlyMap<string, string>;
}

/** What a folder is compared with. */
export interface WantedOutput {
  readonly folder: string;
  readonly files: readonly GeneratedFile[];
  /** Paths of files of `old` that are known to be as they should be. */
  readonly kept: readonly string[];
  /** The manifest of the last run. */
  readonly old: Manifest | undefined;
  /** Whether files may be kept because their key is the same as in `old`. */
  readonly trustKeys: boolean;
  /** All of the new manifest but its files. */
  readonly head: Omit<Manifest, 'files'>;
  /** How many problems were reported so far: making a text can report more. */
  readonly countProblems: () => number;
}

/**
 * Compares an output folder with what it should be. The text of a file is made only where its key or the file on disk
 * differs from the manifest.
 *
 * @throws InputError where a path leaves the folder, is given twice, or is taken by a file that is not ours.
 */
export async function planOutput(wanted: WantedOutput): Promise<OutputPlan> {
  refuseRepeatedPaths(wanted);
  const paths = new OutputPaths(wanted.folder);
  const changes: FileChange[] = [];
  const texts = new Map<string, string>();
  const records = new Map<string, ManifestFile>();
  for (const kept of wanted.kept) {
    const record = recordOf(wanted.old, kept);
    if (record !== undefined) records.set(kept, record);
  }
  for (const file of wanted.files) {
    const planned = await planFile(file, wanted, paths.resolve(file.path));
    records.set(file.path, planned.record);
    if (planned.change === undefined) continue;
    texts.set(file.path, planned.change.text);
    changes.push({ path: file.path, kind: planned.change.kind });
  }
  for (const stale of findStaleFiles(wanted, paths)) changes.push({ path: stale, kind: 'removed' });
  const manifest = { ...wanted.head, files: Object.fromEntries(records) };
  const onDisk = hashFile(path.join(wanted.folder, MANIFEST_FILE));
  if (onDisk !== hashContent(printManifest(manifest)))
    changes.push({ path: MANIFEST_FILE, kind: onDisk === undefined ? 'added' : 'changed' });
  return { folder: wanted.folder, changes, manifest, old: wanted.old, texts };
}

interface PlannedFile {
  readonly record: ManifestFile;
  /** Absent: the file on disk is as it should be. */
  readonly change?: { readonly kind: 'added' | 'changed'; readonly text: string };
}

async function planFile(file: GeneratedFile, wanted: WantedOutput, place: string): Promise<PlannedFile> {
  const onDisk = hashFile(place);
  const old = recordOf(wanted.old, file.path);
  const isKept = wanted.trustKeys && file.key !== undefined && file.key === old?.key && onDisk === old.hash;
  if (isKept) return { record: old };
  const problemsBefore = wanted.countProblems();
  const text = addBanner(file.path, typeof file.contents === 'string' ? file.contents : await file.contents());
  const problems = wanted.countProblems() - problemsBefore;
  const hash = hashContent(text);
  const record = {
    hash,
    ...(file.key === undefined ? {} : { key: file.key }),
    ...(problems === 0 ? {} : { diagnostics: problems }),
  };
  if (hash === onDisk) return { record };
  if (old === undefined) refuseForeignFile(place);
  return { record, change: { kind: onDisk === undefined ? 'added' : 'changed', text } };
}

/**
 * Brings an output folder up to date. Each file is written beside its place and renamed, so none is ever half-written,
 * not even by two runs at once. Before the first file the manifest says that a run is under way and which files it
 * writes, after the last file that it is complete: a run that was cut off is seen by the next one, and its files are
 * known as ours.
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

function recordOf(manifest: Manifest | undefined, file: string): ManifestFile | undefined {
  return manifest !== undefined && Object.hasOwn(manifest.files, file) ? manifest.files[file] : undefined;
}

function listPaths({ files, kept }: WantedOutput): string[] {
  return [...files.map((file) => file.path), ...kept];
}

/** Two paths that differ in letter case only are one file on some systems. */
function refuseRepeatedPaths(wanted: WantedOutput): void {
  const seen = new Set<string>();
  for (const file of listPaths(wanted)) {
    const folded = file.toLowerCase();
    if (seen.has(folded)) throw new InputError(`Two emitters write the file ${JSON.stringify(file)}.`);
    seen.add(folded);
  }
}

function refuseForeignFile(place: string): void {
  const stat = statSync(place, { throwIfNoEntry: false });
  if (stat === undefined || (stat.isFile() && hasBanner(readFileSync(place, 'utf8')))) return;
  throw new InputError(
    'A file that specmill did not write stands where output should be; move it, or choose another output folder.',
    { file: place },
  );
}

/** Files of the last run that this one does not have, except those that a user has made their own. */
function findStaleFiles(wanted: WantedOutput, paths: OutputPaths): string[] {
  const present = new Set(listPaths(wanted).map((file) => file.toLowerCase()));
  return Object.entries(wanted.old?.files ?? {})
    .filter(([relative, { hash }]) => {
      if (present.has(relative.toLowerCase())) return false;
      const place = paths.resolve(relative);
      const onDisk = hashFile(place);
      return onDisk !== undefined && (onDisk === hash || hasBanner(readFileSync(place, 'utf8')));
    })
    .map(([relative]) => relative);
}

/** The manifest of a run under way: the files of the last run, and those that this one adds. */
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

/** Removes a file, and the folders that it leaves empty. */
function removeFile(place: string, folder: string): void {
  rmSync(place, { force: true });
  for (let parent = path.dirname(place); parent !== folder; parent = path.dirname(parent)) {
    if (readdirSync(parent).length > 0) return;
    rmdirSync(parent);
  }
}

/** Removes what runs that were cut off left beside the files. */
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

function isRunning(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch (error) {
    return error instanceof Error && 'code' in error && error.code === 'EPERM';
  }
}
