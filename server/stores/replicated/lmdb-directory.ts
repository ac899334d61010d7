import { spawn } from 'node:child_process';
import { access, readFile, rm, stat, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { fileURLToPath } from 'node:url';

import { InputError } from '../../../model/diagnostics/input-error.js';
import { stringifyExactJson } from '../../../runtime/json-integers.js';

/** The data of a state directory. */
const DATA = 'state.mdb';
/** The file that describes the data at the time when the last process closed it. */
const CLOSED = 'closed.json';

/**
 * Refuses a directory with damaged data. LMDB maps its file into memory, and damage may crash the process. So another
 * process reads the file first, unless it is unchanged since it was closed.
 *
 * @throws InputError
 */
export async function checkDirectory(directory: string): Promise<void> {
  const data = path.join(directory, DATA);
  if (!(await exists(data)) || (await isAsClosed(directory))) return;
  if (await canBeRead(data)) return;
  throw new InputError(
    `The state directory ${directory} is damaged and was left as it is. Restore it from a copy, or move it aside and start with an empty one: mv ${directory} ${directory}.damaged`,
  );
}

/** Marks the directory as open: after a crash, all data must be read to check it. */
export async function markOpen(directory: string): Promise<void> {
  await rm(path.join(directory, CLOSED), { force: true });
}

/** Does nothing if the disk is full: without the mark, the next start reads all data. */
export async function markClosed(directory: string): Promise<void> {
  const text = stringifyExactJson(await describeData(directory));
  await writeFile(path.join(directory, CLOSED), text, { mode: 0o600 }).catch(() => {});
}

async function isAsClosed(directory: string): Promise<boolean> {
  const closed = await readFile(path.join(directory, CLOSED), 'utf8').catch(() => undefined);
  return closed !== undefined && closed === stringifyExactJson(await describeData(directory));
}

async function describeData(directory: string): Promise<object> {
  const { size, mtimeMs } = await stat(path.join(directory, DATA));
  return { size, mtimeMs };
}

async function exists(file: string): Promise<boolean> {
  return access(file).then(
    () => true,
    () => false,
  );
}

/** Whether another process can read all data. */
async function canBeRead(data: string): Promise<boolean> {
  const code = await new Promise<number | null>((resolve) => {
    const child = spawn(process.execPath, ['--input-type=module', '-e', READ_ALL], {
      cwd: path.dirname(fileURLToPath(import.meta.url)),
      env: { ...process.env, SPECMILL_STATE: data },
      stdio: 'ignore',
    });
    child.on('error', () => resolve(1));
    child.on('exit', resolve);
  });
  return code === 0;
}

/** A script that exits with an error unless all records can be read. */
const READ_ALL = `
  import { open } from 'lmdb';
  const root = open({ path: process.env.SPECMILL_STATE, encoding: 'string', readOnly: true, maxDbs: 6 });
  for (const name of ['heads', 'items', 'chunks'])
    for (const { value } of root.openDB(name, { encoding: 'binary' }).getRange()) value.length;
  process.exit(0);
`;
