import { mkdir, writeFile } from 'node:fs/promises';
import path from 'node:path';

import { InputError, systemReason } from '../model/diagnostics/input-error.js';
import type { Io } from './io.js';
import { UsageError } from './usage-error.js';

export type ReportKind = 'junit' | 'html' | 'json' | 'sarif' | 'markdown';

/** A report to write. `file`: absolute path. */
export interface ReportFile<Kind extends ReportKind = ReportKind> {
  readonly kind: Kind;
  readonly file: string;
}

/** The reports of `--report` that are files. `printed`: the forms that go to the terminal instead. */
export function readReports<Kind extends ReportKind>(
  given: readonly string[] | undefined,
  io: Io,
  { kinds, printed = [] }: { readonly kinds: readonly Kind[]; readonly printed?: readonly string[] },
): ReportFile<Kind>[] {
  const texts = (given ?? []).filter((text) => !printed.includes(text));
  return texts.map((text) => {
    const place = text.indexOf('=');
    const kind = kinds.find((one) => one === text.slice(0, place));
    const file = text.slice(place + 1);
    if (kind === undefined || file === '') {
      const forms = [...printed, ...kinds.map((one) => `${one}=FILE`)];
      throw new UsageError(`The option --report is written ${forms.slice(0, -1).join(', ')} or ${forms.at(-1)}.`);
    }
    return { kind, file: path.resolve(io.cwd, file) };
  });
}

/**
 * Writes a report. Creates missing folders.
 *
 * @throws InputError if it cannot be written.
 */
export async function writeReport({ file }: ReportFile, text: string): Promise<void> {
  try {
    await mkdir(path.dirname(file), { recursive: true });
    await writeFile(file, text);
  } catch (error) {
    throw new InputError(`The report cannot be written: ${systemReason(error)}.`, { file }, { cause: error });
  }
}
