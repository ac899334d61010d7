import { mkdir, writeFile } from 'node:fs/promises';
import path from 'node:path';

import { InputError, systemReason } from '../model/diagnostics/input-error.js';
import type { Io } from './io.js';
import type { ParsedArgs } from './parsed-args.js';
import { UsageError } from './usage-error.js';

const KINDS = ['junit', 'html', 'json'] as const;

export type ReportKind = (typeof KINDS)[number];

/** A report to write, with the file as an absolute path. */
export interface ReportFile {
  readonly kind: ReportKind;
  readonly file: string;
}

/** The reports that `--report` asks for. */
export function readReports(args: ParsedArgs, io: Io): ReportFile[] {
  return args.values('report').map((text) => {
    const place = text.indexOf('=');
    const kind = KINDS.find((one) => one === text.slice(0, place));
    const file = text.slice(place + 1);
    if (kind === undefined || file === '')
      throw new UsageError('The option --report is written junit=FILE, html=FILE or json=FILE.');
    return { kind, file: path.resolve(io.cwd, file) };
  });
}

/**
 * Writes a report; folders are made.
 *
 * @throws InputError where it cannot be written.
 */
export async function writeReport({ file }: ReportFile, text: string): Promise<void> {
  try {
    await mkdir(path.dirname(file), { recursive: true });
    await writeFile(file, text);
  } catch (error) {
    throw new InputError(`The report cannot be written: ${systemReason(error)}.`, { file }, { cause: error });
  }
}
