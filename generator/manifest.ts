import { readFileSync } from 'node:fs';
import path from 'node:path';

import { isRecord } from '../model/document/records.js';

/** The manifest's name in the output folder. */
export const MANIFEST_FILE = '.specmill.json';

/** An entry for a file of the output. */
export interface ManifestFile {
  /** `''` for a file that an interrupted run was about to write. */
  readonly hash: string;
}

/**
 * The inputs and files of an output folder. Checked in with the output, so it contains nothing that differs between
 * machines: paths are relative to the folder, and there are no times.
 */
export interface Manifest {
  readonly specmill: string;
  /** Hash of the options. */
  readonly options: string;
  /** Hashes by path of the files that were read. */
  readonly inputs: Readonly<Record<string, string>>;
  /** How many diagnostics were reported. */
  readonly diagnostics: number;
  /** The files that were written. */
  readonly files: Readonly<Record<string, ManifestFile>>;
  /** Set while a run writes; it remains if the run is interrupted. */
  readonly incomplete?: true;
}

/** Reads the manifest of a folder; `undefined` if it is missing or damaged, for example by a merge. */
export function readManifest(folder: string): Manifest | undefined {
  try {
    const value: unknown = JSON.parse(readFileSync(path.join(folder, MANIFEST_FILE), 'utf8'));
    return isManifest(value) ? value : undefined;
  } catch {
    return undefined;
  }
}

const printed = new WeakMap<Manifest, string>();

/** The text of the manifest file. */
export function printManifest(manifest: Manifest): string {
  let text = printed.get(manifest);
  if (text === undefined) {
    const sortedFiles = Object.fromEntries(Object.entries(manifest.files).toSorted(([a], [b]) => (a < b ? -1 : 1)));
    text = `${JSON.stringify({ ...manifest, files: sortedFiles }, undefined, 1)}\n`;
    printed.set(manifest, text);
  }
  return text;
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
    Object.values(value['files']).every((file) => isRecord(file) && typeof file['hash'] === 'string')
  );
}
