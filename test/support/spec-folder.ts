import { mkdirSync, symlinkSync } from 'node:fs';
import path from 'node:path';

import type { Api } from '../../model/api.js';
import { type ReadingOptions, loadApi } from '../../model/load-api.js';
import { tempFolder, writeTo } from './temp-folder.js';

/** Files by relative path: a text, an object that becomes JSON, or `{ link }` for a symbolic link. */
export type SpecFiles = Readonly<Record<string, string | object | { readonly link: string }>>;

/** Writes files into a fresh folder, which is removed after the test. */
export function specFolder(files: SpecFiles): string {
  const folder = tempFolder();
  for (const [name, content] of Object.entries(files)) {
    if (typeof content === 'string') writeTo(folder, name, content);
    else if ('link' in content) linkTo(content.link, path.join(folder, name));
    else writeTo(folder, name, JSON.stringify(content));
  }
  return folder;
}

function linkTo(target: string, file: string): void {
  mkdirSync(path.dirname(file), { recursive: true });
  symlinkSync(target, file);
}

/** Reads the first of some files as a spec. */
export function loadFiles(files: SpecFiles, options?: ReadingOptions): Promise<Api> {
  const [entry = ''] = Object.keys(files);
  return loadApi(path.join(specFolder(files), entry), options);
}

/** Reads a text as a spec. */
export function loadText(text: string, name = 'spec.yaml'): Promise<Api> {
  return loadFiles({ [name]: text });
}
