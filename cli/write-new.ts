import { existsSync } from 'node:fs';
import { mkdir, writeFile } from 'node:fs/promises';
import path from 'node:path';

import { InputError, systemCode } from '../model/diagnostics/input-error.js';

/**
 * Writes files and their folders. Writes nothing if one of them exists.
 *
 * @param files - texts by path.
 * @param command - its name in the message.
 * @throws InputError for a file that exists.
 */
export async function writeNew(files: ReadonlyMap<string, string>, command: string): Promise<void> {
  for (const file of files.keys()) refuseExisting(file, existsSync(file), command);
  for (const [file, text] of files) {
    await mkdir(path.dirname(file), { recursive: true });
    // `wx` refuses a file that was created since the check.
    await writeFile(file, text, { flag: 'wx' }).catch((error: unknown) => {
      refuseExisting(file, systemCode(error) === 'EEXIST', command);
      throw error;
    });
  }
}

/** @throws InputError if a file exists that a command would write. */
export function refuseExisting(file: string, exists: boolean, command: string): void {
  if (exists)
    throw new InputError(`The file exists already, and ${command} overwrites nothing; move it first.`, { file });
}
