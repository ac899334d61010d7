import path from 'node:path';

import { resolveLoading } from '../../config/option-checks.js';
import { applyDefaults } from '../../config/read-options.js';
import { resolveAddress } from '../../model/document/address.js';
import { hasConfig } from '../../config/load-config.js';
import type { ApiComparison, ApiDiff, ChangeKind, DiffPolicy, Level, Position } from '../../diff/index.js';
import type { GitFile } from '../git-revision.js';
import type { Api } from '../../model/api.js';
import { suggestName } from '../../model/diagnostics/closest-name.js';
import { locateDiagnostics } from '../../model/diagnostics/locate-diagnostics.js';
import { SpecError } from '../../model/diagnostics/spec-error.js';
import type { CommonFlags, DiffCommand } from '../../generated/options/types.js';
import type { RunCommand } from '../command.js';
import { showPath } from '../format-place.js';
import { EXIT, type ExitStatus, type Io, printJson, toTerminalText } from '../io.js';
import { pickOptions } from '../read-flags.js';
import { UsageError } from '../usage-error.js';

export const runDiff: RunCommand<DiffCommand> = async (words, flags, io) => {
  const format = readFormat(flags);
  const { failOn, ignore, all } = applyDefaults('DiffCommand', flags);
  if (flags.affected === true && flags.traffic === undefined)
    throw new UsageError('--affected needs --traffic FILE|URL: the recorded calls.');
  const { compareApis, selectChanges } = await import('../../diff/index.js');
  const only = flags.only === undefined ? {} : { only: flags.only };
  const selection = { ...only, ignore: await Promise.all(ignore.map(readKind)), all };
  const policy = await readPolicy(words, flags, io);
  const specs = await readSpecs(words, flags, io);
  try {
    const [old, next] = await Promise.all(specs.map((spec) => loadSpec(spec, flags, io)));
    if (old === undefined || next === undefined) throw new UsageError('Missing spec: specmill diff OLD NEW.');
    const comparison = compareApis(old, next, { policy });
    const counted = selectChanges(comparison.diff, { ignore: selection.ignore, all: true });
    const measured = await measureTraffic({ old, new: next }, { ...comparison, diff: counted }, flags.traffic, io);
    const diff = selectChanges(measured, selection);
    const failing = failingLevels(failOn);
    const onlyAffected = flags.affected === true;
    await printDiff(diff, { format, failing, onlyAffected, showFile: fileNames(specs, io) }, io);
    return statusOf(diff, failing, onlyAffected);
  } finally {
    await Promise.all(specs.map(async ({ remove }) => remove?.()));
  }
};

/** A spec to compare: a path or URL, or a file of a revision that was checked out for the run. */
interface NamedSpec {
  readonly address: string;
  /** For a revision: the folder that stands for the repository, and the name of the revision. */
  readonly checkedOut?: { readonly root: string; readonly revision: string };
  readonly remove?: () => Promise<void>;
}

async function readSpecs(
  [first = '', second]: readonly string[],
  { fromGit: revision, root: folder }: DiffCommand,
  io: Io,
): Promise<readonly NamedSpec[]> {
  if (revision === undefined && second === undefined)
    throw new UsageError('Missing NEW: specmill diff OLD NEW, or specmill diff --from-git REV FILE.');
  if (revision !== undefined && second !== undefined)
    throw new UsageError('With --from-git there is one file: specmill diff --from-git REV FILE.');
  const { checkOutFile, readGitFile } = await import('../git-revision.js');
  const read = async (git: GitFile): Promise<NamedSpec> => {
    const { file, root, remove } = await checkOutFile({ ...git, wholeTree: folder !== undefined }, io.cwd);
    return { address: file, checkedOut: { root, revision: git.revision }, remove };
  };
  const open = async (word: string): Promise<NamedSpec> => {
    const git = readGitFile(word, io.cwd);
    return git === undefined ? { address: word } : read(git);
  };
  if (revision === undefined) return [await open(first), await open(second ?? '')];
  const file = `./${path.relative(io.cwd, path.resolve(io.cwd, first)).split(path.sep).join('/')}`;
  return [await read({ revision, file }), { address: first }];
}

/** Shows files in the working directory with relative paths, and those of a revision as git names them. */
function fileNames(specs: readonly NamedSpec[], io: Io): (file: string) => string {
  return (file) => {
    for (const { checkedOut } of specs) {
      if (checkedOut === undefined || !file.startsWith(checkedOut.root + path.sep)) continue;
      return `${checkedOut.revision}:${path.relative(checkedOut.root, file).split(path.sep).join('/')}`;
    }
    return showPath(file, io.cwd);
  };
}

/** @throws UsageError if the kind does not exist. */
async function readKind(name: string): Promise<ChangeKind> {
  const { isChangeKind, changeKinds } = await import('../../diff/index.js');
  if (isChangeKind(name)) return name;
  throw new UsageError(
    `There is no kind of change named ${name}.${suggestName(name, changeKinds()) || ' docs/diff.md lists them.'}`,
  );
}

/** Reads the policy of the configuration, if there is one: for all APIs, and for the one whose spec is compared. */
async function readPolicy(
  words: readonly string[],
  { config: configFile, strictResponses }: DiffCommand,
  io: Io,
): Promise<DiffPolicy> {
  const strict = strictResponses === true ? { strictResponses } : {};
  if (configFile === undefined && !hasConfig(io.cwd)) return strict;
  const { readConfig } = await import('../../generator/generate-options.js');
  const { config, folder } = await readConfig(io.cwd, configFile);
  const { readGitFile } = await import('../git-revision.js');
  const compared = new Set(words.map((word) => resolveAddress(io.cwd, readGitFile(word, io.cwd)?.file ?? word)));
  const own = Object.values(config.apis).find(({ spec }) =>
    [spec].flat().some((address) => compared.has(resolveAddress(folder, address))),
  );
  const configs = [config.diff ?? {}, own?.diff ?? {}];
  const levels = Object.assign({}, ...configs.map((one) => one.levels)) as NonNullable<DiffPolicy['levels']>;
  const waivers = configs.flatMap((one) => one.waivers ?? []) as NonNullable<DiffPolicy['waivers']>;
  const kinds = [...Object.keys(levels), ...waivers.flatMap(({ kind }) => kind ?? [])];
  for (const kind of kinds) await readKind(kind);
  return { ...config.diff, ...own?.diff, levels, waivers, ...strict };
}

type Format = Required<DiffCommand>['format'];

function readFormat({ format, json }: DiffCommand & CommonFlags): Format {
  if (json !== true) return format ?? 'text';
  if (format === undefined || format === 'json') return 'json';
  throw new UsageError(`--json and --format ${format} cannot be used together.`);
}

/** Refuses a spec with errors, as `generate` does: missing parts would look like changes. */
async function loadSpec({ address, checkedOut }: NamedSpec, flags: DiffCommand, io: Io): Promise<Api> {
  const { loadApi } = await import('../../model/load-api.js');
  const options = { ...resolveLoading(pickOptions('ReadingOptions', flags), io.cwd), vendor: flags.vendor };
  const root = checkedOut === undefined || flags.root === undefined ? {} : { root: checkedOut.root };
  const api = await loadApi(resolveAddress(io.cwd, address), { ...options, ...root });
  const { findUnchecked } = await import('../../schema/find-unchecked-schemas.js');
  // Only a named schema can lead back to itself, so the operations need no check.
  const unchecked = locateDiagnostics([...findUnchecked(api, [])].flat(), api.files);
  const errors = [...api.diagnostics, ...unchecked].filter(({ severity }) => severity === 'error');
  if (errors.length > 0) throw new SpecError(errors);
  return api;
}

/** Counts the recorded calls that the changes affect, if there are recordings. */
async function measureTraffic(
  apis: { readonly old: Api; readonly new: Api },
  comparison: ApiComparison,
  recordings: DiffCommand['traffic'],
  io: Io,
): Promise<ApiDiff> {
  if (recordings === undefined) return comparison.diff;
  const { measureChanges } = await import('../../traffic/changes/measure-changes.js');
  const { readAllExchanges } = await import('../../http/recording/read-exchanges.js');
  return measureChanges(apis, comparison, readAllExchanges(recordings, { cwd: io.cwd, subject: 'The recording' }));
}

interface PrintOptions {
  readonly format: Format;
  readonly failing: readonly Level[];
  /** Whether only changes that affect a recorded call fail. */
  readonly onlyAffected: boolean;
  readonly showFile: (file: string) => string;
}

async function printDiff(diff: ApiDiff, options: PrintOptions, io: Io): Promise<void> {
  const { format, failing, onlyAffected, showFile } = options;
  const reports = await import('../../diff/index.js');
  const lines = (texts: readonly string[]): void => {
    for (const line of texts) io.out(`${toTerminalText(line)}\n`);
  };
  switch (format) {
    case 'json':
      return printJson(io, withShortPaths(diff, showFile));
    case 'markdown':
      return io.out(reports.diffToMarkdown(diff, { showFile }));
    case 'html':
      return io.out(reports.diffToHtml(diff, { showFile }));
    case 'junit':
      return io.out(reports.diffToJunit(diff, { showFile, failing, onlyAffected }));
    case 'github':
      return lines(reports.diffToGithub(diff, { showFile }));
    case 'text':
      return lines(reports.diffToText(diff, { showFile }));
  }
}

function withShortPaths(diff: ApiDiff, showFile: (file: string) => string): ApiDiff {
  const shorten = <Place extends Position | ApiDiff['old']>(place: Place): Place => ({
    ...place,
    file: showFile(place.file),
  });
  return {
    ...diff,
    old: shorten(diff.old),
    new: shorten(diff.new),
    changes: diff.changes.map((change) => ({ ...change, old: shorten(change.old), new: shorten(change.new) })),
  };
}

function failingLevels(failOn: 'breaking' | 'risky' | 'none'): readonly Level[] {
  if (failOn === 'none') return [];
  return failOn === 'risky' ? ['breaking', 'risky'] : ['breaking'];
}

function statusOf({ counts, traffic }: ApiDiff, failing: readonly Level[], onlyAffected: boolean): ExitStatus {
  const countOf = (level: Level): number => (onlyAffected ? (traffic?.affecting[level].changes ?? 0) : counts[level]);
  return failing.some((level) => countOf(level) > 0) ? EXIT.found : EXIT.done;
}
