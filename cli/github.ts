import { appendFile } from 'node:fs/promises';
import path from 'node:path';

import { systemReason } from '../model/diagnostics/input-error.js';
import { isUrl, isWithin } from '../model/document/address.js';
import { type Io, toTerminalText } from './io.js';

/** Adds Markdown to the summary of a job of GitHub Actions. Elsewhere, does nothing. */
export async function addJobSummary(markdown: string, io: Io): Promise<void> {
  const file = process.env['GITHUB_STEP_SUMMARY'];
  if (file === undefined || file === '') return;
  try {
    await appendFile(file, `${markdown}\n`);
  } catch (error) {
    io.err(`The job summary cannot be written: ${toTerminalText(systemReason(error))}.\n`);
  }
}

/** Returns the path of a file in the repository that a job has checked out; `undefined` if it is elsewhere. */
export function pathInRepository(file: string, io: Io): string | undefined {
  if (isUrl(file)) return undefined;
  const root = process.env['GITHUB_WORKSPACE'] ?? io.cwd;
  const absolute = path.resolve(io.cwd, file);
  return isWithin(absolute, root) ? path.relative(root, absolute).replaceAll('\\', '/') : undefined;
}
