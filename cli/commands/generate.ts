import path from 'node:path';

import { countOf } from '../../reports/counts.js';
import { type GenerateResult, generate, type ApiResult } from '../../generator/generate.js';
import type { GenerateOptions } from '../../generator/generate-options.js';
import { fileNameOfSpec, isSpecAddress, nameOfSpec } from '../../model/document/address.js';
import { toFileName } from '../../model/identifiers.js';
import type { CommonFlags, GenerateCommand } from '../../generated/options/types.js';
import type { RunCommand } from '../command.js';
import { type Io, EXIT, type ExitStatus, printJson, toTerminalText } from '../io.js';
import { pickOptions } from '../read-flags.js';
import { createProgressLine } from '../progress-line.js';
import { UsageError } from '../usage-error.js';
import { MANIFEST_FILE } from '../../generator/manifest.js';
import { printDiagnostics } from '../print-diagnostics.js';
import { showPath } from '../format-place.js';
import { describeError, printError } from '../print-error.js';

export const runGenerate: RunCommand<GenerateCommand> = async (words, flags, io) => {
  if (flags.watch === true && flags.check === true)
    throw new UsageError('--watch and --check cannot be used together.');
  const options = generateOptions(words, flags, io);
  if (flags.watch !== true) return runStatus(await runOnce(options, flags, io));
  const { watchRuns } = await import('../watch-generate.js');
  return watchRuns(() => runOnce(options, flags, io), { io, configFile: flags.configFile });
};

type Flags = GenerateCommand & CommonFlags;

async function runOnce(options: GenerateOptions, flags: Flags, io: Io): Promise<GenerateResult> {
  const line = createProgressLine(io);
  try {
    const result = await generate({ ...options, onProgress: ({ api, step }) => line.show(`${api}: ${step} …`) });
    line.clear();
    reportRun(result, flags, io);
    return result;
  } finally {
    line.clear();
  }
}

function generateOptions(words: readonly string[], flags: Flags, io: Io): GenerateOptions {
  if (flags.only?.length === 0)
    throw new UsageError('The option --only needs at least one part, such as --only types,client.');
  const { configFile, ...options } = { ...pickOptions('GenerateOptions', flags), cwd: io.cwd };
  const { spec: specs = [] } = flags;
  if (specs.length > 0) return { ...options, config: { apis: specConfig(specs, words, flags) } };
  if (words.some(isSpecAddress)) return { ...options, config: { apis: argumentConfig(words, flags) } };
  if (flags.out !== undefined)
    throw new UsageError(
      'The option --out goes with a spec: name its path or URL, such as ./openapi.yaml; the configuration names the output of its APIs.',
    );
  return { ...options, apis: words, ...(configFile === undefined ? {} : { configFile }) };
}

function specConfig(
  specs: readonly string[],
  words: readonly string[],
  { out: output }: Flags,
): Record<string, { spec: readonly string[]; output: string }> {
  if (output === undefined) throw new UsageError('Missing --out DIR: the folder for the output of --spec.');
  const [name, ...others] = words;
  if (others.length > 0) throw new UsageError('With --spec there is one API, so at most one name.');
  return { [name ?? nameOf(specs[0] ?? '', output)]: { spec: specs, output } };
}

/** Makes a configuration from the arguments: each spec becomes an API. Several get a folder each. */
function argumentConfig(
  words: readonly string[],
  { out: output }: Flags,
): Record<string, { spec: string; output: string }> {
  const name = words.find((word) => !isSpecAddress(word));
  if (output === undefined) throw new UsageError('Missing --out DIR: the folder for the output of a spec.');
  if (name !== undefined)
    throw new UsageError(`The API ${name} of the configuration cannot be generated together with a spec.`);
  const [only = '', ...others] = words;
  if (others.length === 0) return { [nameOf(only, output)]: { spec: only, output } };
  const apis: Record<string, { spec: string; output: string }> = {};
  for (const spec of words) {
    const own = nameOfSpec(spec);
    const other = Object.hasOwn(apis, own) ? apis[own] : undefined;
    if (other !== undefined)
      throw new UsageError(
        `The specs ${other.spec} and ${spec} would both be the API ${own}; generate each with its own --out.`,
      );
    apis[own] = { spec, output: path.join(output, own) };
  }
  return apis;
}

/** The name of the spec file, or of the output folder if the file has a generic name. */
function nameOf(spec: string, output: string): string {
  const name = toFileName(fileNameOfSpec(spec) ?? path.basename(path.resolve(output)));
  return /^[a-z]/.test(name) ? name : `api-${name}`;
}

/** The most files of one API that `--check` lists. */
const LISTED = 20;

/** Prints the result of a run: the table (or JSON) on stdout, then diagnostics and errors on stderr. */
function reportRun(result: GenerateResult, { json, strict = false, debug = false }: Flags, io: Io): void {
  if (json === true) printJson(io, { apis: result.apis.map(jsonResult) });
  else {
    io.out(formatTable(result.apis));
    for (const api of result.apis) if (api.status === 'out-of-date') io.out(listChanges(api, io.cwd));
  }
  for (const api of result.apis) {
    printDiagnostics(api.diagnostics, io, { withInfos: strict });
    if (api.earlierDiagnostics !== undefined && json !== true)
      io.err(
        `specmill: ${api.name} is unchanged, with ${countOf(api.earlierDiagnostics, 'diagnostic')}; --strict reports them\n`,
      );
    if (api.error !== undefined) printError(api.error, io, { isDebug: debug, isJson: false });
    if (api.status === 'failed') io.err(`specmill: ${api.name} failed; its earlier output, if any, is unchanged\n`);
  }
}

/** A failure takes precedence over outdated output. */
function runStatus({ apis }: GenerateResult): ExitStatus {
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

/** Counts the changed files, without the manifest. */
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
