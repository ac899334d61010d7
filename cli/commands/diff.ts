import { resolveLoading } from '../../config/option-checks.js';
import { resolveAddress } from '../../model/document/address.js';
import type { ApiDiff, ChangeKind, ChangeSelection, Level, Position } from '../../diff/index.js';
import type { Api } from '../../model/api.js';
import { suggestName } from '../../model/diagnostics/closest-name.js';
import { SpecError } from '../../model/diagnostics/spec-error.js';
import type { Command } from '../command.js';
import { showPath } from '../format-place.js';
import { EXIT, type ExitStatus, type Io, printJson, toTerminalText } from '../io.js';
import { READ_FLAGS, VENDOR_FLAG, readChoice, readReadOptions } from '../options.js';
import type { ParsedArgs } from '../parsed-args.js';
import { UsageError } from '../usage-error.js';

/** `specmill diff`. */
export const diffCommand: Command = {
  name: 'diff',
  summary: 'Say what changed between two specs, breaking changes first.',
  usage: 'OLD NEW',
  arity: { least: 2, most: 2 },
  flags: {
    format: {
      value: 'text|markdown|json',
      description: 'How it is printed (default: text; --json is short for json).',
    },
    'fail-on': { value: 'breaking|risky|none', description: 'The level from which it exits 1 (default: breaking).' },
    only: { value: 'LEVELS', description: 'List some of breaking,risky,safe; the others still count.' },
    ignore: {
      value: 'KINDS',
      description: 'Kinds of change that are accepted, such as operation-id-changed,sunset-set.',
    },
    all: { description: 'List changes of words too: descriptions, examples, tags.' },
    ...VENDOR_FLAG,
    ...READ_FLAGS,
  },
  examples: [
    'specmill diff old/openapi.yaml openapi.yaml',
    'git show main:openapi.yaml > old.yaml && specmill diff old.yaml openapi.yaml --format markdown',
  ],
  run: async (args, io) => {
    const format = readFormat(args);
    const failOn = readChoice('fail-on', ['breaking', 'risky', 'none'] as const, args) ?? 'breaking';
    const { diffApis, isChangeKind, changeKinds, selectChanges } = await import('../../diff/index.js');
    const selection: ChangeSelection = {
      ...readOnly(args),
      ignore: (args.list('ignore') ?? []).map((name): ChangeKind => {
        if (isChangeKind(name)) return name;
        throw new UsageError(`There is no kind of change named ${name}.${suggestName(name, changeKinds())}`);
      }),
      all: args.has('all'),
    };
    const [old = '', next = ''] = args.positionals;
    const [oldApi, api] = await Promise.all([loadSpec(old, args, io), loadSpec(next, args, io)]);
    const diff = selectChanges(diffApis(oldApi, api), selection);
    await printDiff(diff, format, io);
    return statusOf(diff, failOn);
  },
};

const FORMATS = ['text', 'markdown', 'json'] as const;

type Format = (typeof FORMATS)[number];

function readFormat(args: ParsedArgs): Format {
  const format = readChoice('format', FORMATS, args);
  if (!args.has('json')) return format ?? 'text';
  if (format === undefined || format === 'json') return 'json';
  throw new UsageError(`--json and --format ${format} cannot be used together.`);
}

const LEVELS: readonly Level[] = ['breaking', 'risky', 'safe'];

function readOnly(args: ParsedArgs): { readonly only?: readonly Level[] } {
  const names = args.list('only');
  if (names === undefined) return {};
  const only = LEVELS.filter((level) => names.includes(level));
  if (only.length !== new Set(names).size || only.length === 0)
    throw new UsageError('The option --only takes some of breaking,risky,safe.');
  return { only };
}

/** A spec with errors says less than it means: what is missing in it would look like a change. */
async function loadSpec(file: string, args: ParsedArgs, io: Io): Promise<Api> {
  const { loadApi } = await import('../../model/load-api.js');
  const options = { ...resolveLoading(readReadOptions(args), io.cwd), vendor: args.value('vendor') };
  const api = await loadApi(resolveAddress(io.cwd, file), options);
  const errors = api.diagnostics.filter(({ severity }) => severity === 'error');
  if (errors.length > 0) throw new SpecError(errors);
  return api;
}

async function printDiff(diff: ApiDiff, format: Format, io: Io): Promise<void> {
  const showFile = (file: string): string => showPath(file, io.cwd);
  const { diffToMarkdown, diffToText } = await import('../../diff/index.js');
  if (format === 'json') printJson(io, withShortPaths(diff, showFile));
  else if (format === 'markdown') io.out(diffToMarkdown(diff, { showFile }));
  else for (const line of diffToText(diff, { showFile })) io.out(`${toTerminalText(line)}\n`);
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

function statusOf({ counts }: ApiDiff, failOn: 'breaking' | 'risky' | 'none'): ExitStatus {
  const found = counts.breaking + (failOn === 'risky' ? counts.risky : 0);
  return failOn !== 'none' && found > 0 ? EXIT.found : EXIT.done;
}
