import type { ApiResult, GenerateResult } from '../generator/generate.js';
import { MANIFEST_FILE } from '../generator/manifest.js';
import type { ParsedArgs } from './parsed-args.js';
import { EXIT, type ExitStatus, type Io, printJson, toTerminalText } from './io.js';
import { printDiagnostics } from './print-diagnostics.js';
import { showPath } from './format-place.js';
import { describeError, printError } from './print-error.js';

/** How many files of one API `--check` lists. */
const LISTED = 20;

/** Prints the result of a run: the table (or JSON) on stdout, then diagnostics and errors on stderr. */
export function reportRun(result: GenerateResult, args: ParsedArgs, io: Io): void {
  if (args.has('json')) printJson(io, { apis: result.apis.map(jsonResult) });
  else {
    io.out(formatTable(result.apis));
    for (const api of result.apis) if (api.status === 'out-of-date') io.out(listChanges(api, io.cwd));
  }
  for (const api of result.apis) {
    printDiagnostics(api.diagnostics, io, { withInfos: args.has('strict') });
    if (api.error !== undefined) printError(api.error, io, { isDebug: args.has('debug'), isJson: false });
    if (api.status === 'failed') io.err(`specmill: ${api.name} is not generated; any earlier output stays as it was\n`);
  }
}

/** A failure outweighs output that is out of date. */
export function runStatus({ apis }: GenerateResult): ExitStatus {
  if (apis.some(({ status }) => status === 'failed')) return EXIT.failed;
  return apis.some(({ status }) => status === 'out-of-date') ? EXIT.found : EXIT.done;
}

function jsonResult(api: ApiResult): object {
  const { error, inputs: _, ...rest } = api;
  return error === undefined ? rest : { ...rest, error: describeError(error) };
}

function listChanges(api: ApiResult, cwd: string): string {
  const lines = api.changes
    .slice(0, LISTED)
    .map(({ path, kind }) => `  ${KIND_WORDS[kind]}  ${toTerminalText(path)}\n`);
  const more = api.changes.length > LISTED ? `  … and ${api.changes.length - LISTED} more\n` : '';
  return `\n${toTerminalText(showPath(api.output, cwd))} is out of date:\n${lines.join('')}${more}`;
}

const KIND_WORDS = { added: 'missing', changed: 'differs', removed: 'stale  ' } as const;

/** The manifest is no file that a user counts. */
function countFiles(changes: ApiResult['changes']): number {
  return changes.filter(({ path }) => path !== MANIFEST_FILE).length;
}

function formatTable(apis: readonly ApiResult[]): string {
  const rows = apis.map((api) => [
    api.name,
    ...(api.status === 'failed' ? ['failed', ''] : [String(api.files), String(countFiles(api.changes))]),
    String(api.ms),
  ]);
  const all = [['API', 'files', 'changed', 'ms'], ...rows];
  const widths = [0, 1, 2, 3].map((column) => Math.max(...all.map((row) => row[column]?.length ?? 0)));
  const line = (row: readonly string[]): string =>
    row
      .map((cell, column) => (column === 0 ? cell.padEnd(widths[0] ?? 0) : cell.padStart(widths[column] ?? 0)))
      .join('  ');
  return all.map((row) => `${line(row)}\n`).join('');
}
