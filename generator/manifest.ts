import { readFileSync } from 'node:fs';
import path from 'node:path';

import { isRecord } from '../model/document/records.js';

/** The manifest's name in the output folder. */
export const MANIFEST_FILE = '.specmill.json';

/** What is known of a file of the output. */
export interface ManifestFile {
  /** `''` for a file that a run was about to write when this was recorded. */
  readonly hash: string;
  /** The emitter's key of the file, if it has one. */
  readonly key?: string;
  /** How many problems were reported while the text was made. */
  readonly diagnostics?: number;
}

/** The folder of an emitter that is not asked again while its key is the same. */
export interface ManifestPart {
  readonly key: string;
  /** The modules of the runtime that the files in the folder need. */
  readonly runtime: readonly string[];
  /** How many problems it reported before the first text was made. */
  readonly diagnostics?: number;
}

/** A part of the last run of which all files are as they were written. */
export interface KeptPart extends ManifestPart {
  /** Paths of the files in its folder. */
  readonly files: readonly string[];
}

/**
 * What an output folder was made of, and what is in it. It is checked in with the output, so it has nothing in it that
 * differs between machines: paths are relative to the folder, and there are no times.
 */
export interface Manifest {
  /** Version of specmill. */
  readonly specmill: string;
  /** Hash of the options. */
  readonly options: string;
  /** The files that were read -> their hash. */
  readonly inputs: Readonly<Record<string, string>>;
  /** How many problems were reported before the first text was made. */
  readonly diagnostics: number;
  /** The files that were written. */
  readonly files: Readonly<Record<string, ManifestFile>>;
  /** By the name of the emitter, which is that of its folder. */
  readonly parts: Readonly<Record<string, ManifestPart>>;
  /** Set while a run writes: it stays where the run was cut off. */
  readonly incomplete?: true;
}

/** Reads the manifest of a folder; `undefined` where there is none or it is damaged, for instance by a merge. */
export function readManifest(folder: string): Manifest | undefined {
  try {
    const value: unknown = JSON.parse(readFileSync(path.join(folder, MANIFEST_FILE), 'utf8'));
    return isManifest(value) ? value : undefined;
  } catch {
    return undefined;
  }
}

const printed = new WeakMap<Manifest, string>();

/** The manifest as it stands in its file. */
export function printManifest(manifest: Manifest): string {
  let text = printed.get(manifest);
  if (text === undefined) {
    const sortedFiles = Object.fromEntries(Object.entries(manifest.files).toSorted(([a], [b]) => (a < b ? -1 : 1)));
    text = `${JSON.stringify({ ...manifest, files: sortedFiles }, undefined, 1)}\n`;
    printed.set(manifest, text);
  }
  return text;
}

/** Whether problems were reported in the run: with `--strict` they count even where nothing changed. */
export function hasProblems(manifest: Manifest): boolean {
  return manifest.diagnostics > 0 || Object.values(manifest.files).some((file) => file.diagnostics !== undefined);
}

function isManifest(value: unknown): value is Manifest {
  return (
    isRecord(value) &&
    typeof value['specmill'] === 'string' &&
    typeof value['options'] === 'string' &&
    typeof value['diagnostics'] === 'number' &&
    isRecord(value['inputs']) &&
    Object.values(value['inputs']).every((hash) => typeof hash === 'string') &&
    isRecord(value['files']) &&
    Object.values(value['files']).every((file) => isRecord(file) && typeof file['hash'] === 'string') &&
    isRecord(value['parts']) &&
    Object.values(value['parts']).every(isPart)
  );
}

function isPart(value: unknown): value is ManifestPart {
  return isRecord(value) && typeof value['key'] === 'string' && Array.isArray(value['runtime']);
}
