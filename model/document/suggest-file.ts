import { existsSync, readdirSync } from 'node:fs';
import path from 'node:path';

import { suggestName } from '../diagnostics/closest-name.js';
import { systemCode } from '../diagnostics/input-error.js';

/**
 * ` Did you mean "api.yaml"?`, if a file that is not there has a name like another one of its folder, or the first missing
 * folder of its path has a name like another one. Empty if the error has another reason.
 *
 * @param pattern - the names of files that may be meant.
 */
export function suggestFile(file: string, error: unknown, pattern?: RegExp): string {
  return systemCode(error) === 'ENOENT' ? suggestMissingFile(file, pattern) : '';
}

/** The same for a file that is known to be missing. */
export function suggestMissingFile(file: string, pattern: RegExp = /(?:)/): string {
  const absolute = path.resolve(file);
  let missing = absolute;
  while (path.dirname(missing) !== missing && !existsSync(path.dirname(missing))) missing = path.dirname(missing);
  const rest = absolute.slice(missing.length);
  const folder = path.dirname(missing);
  const candidates = listNames(folder).filter((name) =>
    rest === '' ? pattern.test(name) : existsSync(path.join(folder, name) + rest),
  );
  return suggestName(path.basename(missing), candidates, (name) =>
    JSON.stringify((name + rest).split(path.sep).join('/')),
  );
}

function listNames(folder: string): readonly string[] {
  try {
    return readdirSync(folder);
  } catch {
    return [];
  }
}
