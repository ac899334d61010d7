import { execFile } from 'node:child_process';
import { existsSync } from 'node:fs';
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';

import { isUrl } from '../model/document/address.js';
import { InputError } from '../model/diagnostics/input-error.js';
import { stringifyExactJson } from '../runtime/json-integers.js';

/** A file in a revision of a git repository. */
export interface GitFile {
  /** A branch, a tag, a commit or any other name of a commit, such as `HEAD~1`. */
  readonly revision: string;
  /** Path in the repository: relative to its root, or to the working directory if it starts with `./`. */
  readonly file: string;
  /** Whether files outside its folder are needed as well. Default: `false`. */
  readonly wholeTree?: boolean;
}

/** The files of a revision in a temporary folder. */
export interface CheckedOutFile {
  /** Absolute path of the file. */
  readonly file: string;
  /** Absolute path of the folder that stands for the root of the repository. */
  readonly root: string;
  readonly remove: () => Promise<void>;
}

/** Reads `REVISION:FILE`, as git writes it; `undefined` for a path or URL. */
export function readGitFile(word: string, cwd: string): GitFile | undefined {
  const [, revision = '', file = ''] = /^([^:]{2,}):(.+)$/.exec(word) ?? [];
  if (file === '' || isUrl(word) || word.startsWith('file:') || existsSync(path.resolve(cwd, word))) return undefined;
  return { revision, file };
}

/** Limits of the files that are checked out: bytes, number, and milliseconds for git. */
const SIZE_LIMIT = 256 * 1_024 * 1_024;
const FILE_LIMIT = 5_000;
const TIME_LIMIT = 60_000;

/**
 * Writes the YAML and JSON files of a revision at or below the file's folder to a temporary folder, so that references
 * work. Git runs as a child process with fixed arguments and without a shell. Hooks, filters and links are not
 * followed.
 *
 * @throws InputError if git, the repository, the revision or the file is missing.
 */
export async function checkOutFile(
  { revision, file, wholeTree = false }: GitFile,
  cwd: string,
): Promise<CheckedOutFile> {
  const git = (input: string | undefined, ...args: string[]): Promise<Buffer> => runGit(cwd, args, input);
  const prefix = (await git(undefined, 'rev-parse', '--show-prefix')).toString('utf8').trim();
  const inRepository = path.posix.normalize(/^\.{1,2}\//.test(file) ? path.posix.join(prefix, file) : file);
  if (inRepository.startsWith('../') || inRepository.startsWith('/'))
    throw new InputError(`The file ${stringifyExactJson(file)} is not inside the repository.`);
  const commit = await git(undefined, 'rev-parse', '--verify', '--quiet', '--end-of-options', `${revision}^{commit}`)
    .then((out) => out.toString('utf8').trim())
    .catch(() => {
      throw new InputError(`The repository has no revision ${stringifyExactJson(revision)}.`);
    });
  const folder = path.posix.dirname(inRepository);
  const below = wholeTree || folder === '.' ? [] : ['--', `${folder}/`];
  const listed = await git(undefined, 'ls-tree', '-r', '-z', '--full-tree', commit, ...below);
  const entries = readTree(listed.toString('utf8'), inRepository);
  if (!entries.some((entry) => entry.name === inRepository))
    throw new InputError(`The revision ${revision} has no file ${stringifyExactJson(inRepository)}.`);
  if (entries.length > FILE_LIMIT)
    throw new InputError(
      `The folder of ${stringifyExactJson(inRepository)} has more than ${FILE_LIMIT} YAML and JSON files.`,
    );
  const blobs = await git(entries.map(({ hash }) => `${hash}\n`).join(''), 'cat-file', '--batch');
  const root = await mkdtemp(path.join(tmpdir(), 'specmill-diff-'));
  const remove = (): Promise<void> => rm(root, { recursive: true, force: true });
  try {
    for (const [index, content] of readBatch(blobs).entries()) {
      const target = path.join(root, entries[index]?.name ?? '');
      await mkdir(path.dirname(target), { recursive: true });
      await writeFile(target, content, { flag: 'wx' });
    }
  } catch (error) {
    await remove();
    throw error;
  }
  return { file: path.join(root, inRepository), root, remove };
}

interface TreeEntry {
  readonly name: string;
  readonly hash: string;
}

/** The regular files in the output of `git ls-tree -r -z`: those that a spec can refer to, and the wanted one. */
function readTree(text: string, wanted: string): TreeEntry[] {
  return text.split('\0').flatMap((line): TreeEntry[] => {
    const [, hash = '', name = ''] = /^100(?:644|755) blob ([0-9a-f]+)\t([\s\S]+)$/.exec(line) ?? [];
    const isSpec = name === wanted || /\.(?:ya?ml|json)$/i.test(name);
    const isSafe = !name.split('/').includes('..') && !name.includes('\\');
    return name !== '' && isSpec && isSafe ? [{ name, hash }] : [];
  });
}

/** Reads the contents from the output of `git cat-file --batch`: `<hash> blob <size>`, the bytes, a line feed. */
function readBatch(output: Buffer): Buffer[] {
  const contents: Buffer[] = [];
  for (let offset = 0; offset < output.length;) {
    const end = output.indexOf(10, offset);
    const size = Number(output.toString('utf8', offset, end).split(' ')[2]);
    if (end === -1 || !Number.isInteger(size)) break;
    contents.push(output.subarray(end + 1, end + 1 + size));
    offset = end + 1 + size + 1;
  }
  return contents;
}

function runGit(cwd: string, args: readonly string[], input: string | undefined): Promise<Buffer> {
  return new Promise((resolve, reject) => {
    const child = execFile(
      'git',
      ['-C', cwd, ...args],
      {
        encoding: 'buffer',
        maxBuffer: SIZE_LIMIT,
        timeout: TIME_LIMIT,
        env: { ...process.env, GIT_TERMINAL_PROMPT: '0', GIT_OPTIONAL_LOCKS: '0' },
      },
      (error, stdout, stderr) =>
        error === null ? resolve(stdout) : reject(explainGit(error, stderr.toString('utf8'))),
    );
    child.stdin?.on('error', () => undefined);
    child.stdin?.end(input ?? '');
  });
}

function explainGit(error: Error, stderr: string): InputError {
  if ('code' in error && error.code === 'ENOENT')
    return new InputError('A revision needs git, which is not installed or not on the PATH.');
  const line = stderr.split('\n').find((text) => text !== '') ?? error.message;
  return new InputError(`Git cannot read the revision: ${line.replace(/^fatal: /, '')}.`);
}
