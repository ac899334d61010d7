import type { ContractOptions, ContractReport, Phase } from '../../entry/contract.js';
import type { Command } from '../command.js';
import { chooseApi } from '../choose-api.js';
import { READ_FLAGS, SPEC_FLAG, VENDOR_FLAG, readHeaders, readTexts, readWholeNumber } from '../options.js';
import { EXIT, type ExitStatus, type Io, printJson, toTerminalText } from '../io.js';
import type { ParsedArgs } from '../parsed-args.js';
import { type ReportKind, readReports, writeReport } from '../report-files.js';
import { UsageError } from '../usage-error.js';

/** `specmill contract`. */
export const contractCommand: Command = {
  name: 'contract',
  summary: 'Run contract tests against a server.',
  usage: '[api] --url URL',
  arity: { least: 0, most: 1 },
  flags: {
    url: { value: 'URL', description: 'The server. No other host is ever sent to.' },
    ...SPEC_FLAG,
    ...READ_FLAGS,
    'spec-header': { value: "'K: V'", repeated: true, description: 'Sent when the spec is fetched from a URL.' },
    phase: { value: 'PHASES', description: 'Of examples,stateful,boundary,negative,fuzz (default: all).' },
    seed: { value: 'N', description: 'The same seed repeats the run exactly (default: 1).' },
    'max-examples': { value: 'N', description: 'The most cases of an operation in a phase (default: 60).' },
    'max-time': { value: 'DURATION', description: 'The end of the run, waiting included (default: 60s).' },
    'time-limit': { value: 'DURATION', description: 'Slower answers are findings (default: 10s).' },
    concurrency: {
      value: 'N',
      description: 'Requests side by side, where they leave the server as it is (default: 4).',
    },
    ...VENDOR_FLAG,
    header: { value: "'K: V'", repeated: true, description: 'Sent with each request, such as a credential.' },
    report: { value: 'junit|html|json=FILE', repeated: true, description: 'Write a report.' },
  },
  examples: [
    'specmill contract signing --url http://127.0.0.1:4010',
    "specmill contract --spec petstore.yaml --url https://staging.example.com --header 'Authorization: Bearer ...'",
    'specmill contract signing --url http://127.0.0.1:4010 --report junit=contract.xml --report html=contract.html',
  ],
  run: async (args, io) => {
    const options = readOptions(args, io);
    const reports = readReports(args, io);
    // A run of a minute whose report then cannot be written would be in vain.
    for (const file of reports) await writeReport(file, '');
    const { runContract } = await import('../../entry/contract.js');
    const progress = createProgress(io);
    const report = await runContract({ ...options, onProgress: progress.show }).finally(progress.clear);
    await printReport(report, args, io);
    for (const file of reports) await writeReport(file, await renderReport(file.kind, report));
    return statusOf(report);
  },
};

const NUMBERS = { seed: 'seed', maxExamples: 'max-examples', concurrency: 'concurrency' } as const;
const TEXTS = { maxTime: 'max-time', timeLimit: 'time-limit', vendor: 'vendor', config: 'config' } as const;

function readOptions(args: ParsedArgs, io: Io): ContractOptions {
  const url = args.value('url');
  if (url === undefined) throw new UsageError('Missing --url URL: the server to test.');
  const { name: api, spec } = chooseApi(args);
  const phases = args.list('phase');
  return {
    url,
    cwd: io.cwd,
    headers: readHeaders('header', args),
    ...(spec === undefined || args.positionals.length > 0 ? { api } : {}),
    ...(spec === undefined ? {} : { spec }),
    ...(args.has('spec-header') ? { specHeaders: readHeaders('spec-header', args) } : {}),
    ...(args.has('allow-remote') ? { allowRemote: true } : {}),
    ...readTexts(['root'], args),
    ...(phases === undefined ? {} : { phases: phases as readonly Phase[] }),
    ...readGiven(NUMBERS, args, (flag) => readWholeNumber(flag, args)),
    ...readGiven(TEXTS, args, (flag) => args.value(flag) ?? ''),
  };
}

/** The options whose flags were given. */
function readGiven<Name extends string, Value>(
  flags: Readonly<Record<Name, string>>,
  args: ParsedArgs,
  read: (flag: string) => Value,
): Partial<Record<Name, Value>> {
  const given = Object.entries<string>(flags).filter(([, flag]) => args.has(flag));
  return Object.fromEntries(given.map(([name, flag]) => [name, read(flag)])) as Partial<Record<Name, Value>>;
}

async function renderReport(kind: ReportKind, report: ContractReport): Promise<string> {
  const { toHtml, toJunit } = await import('../../entry/contract.js');
  if (kind === 'json') return `${JSON.stringify(report, undefined, 2)}\n`;
  return kind === 'html' ? toHtml(report) : toJunit(report);
}

async function printReport(report: ContractReport, args: ParsedArgs, io: Io): Promise<void> {
  if (args.has('json')) {
    printJson(io, report);
    return;
  }
  const { toText } = await import('../../entry/contract.js');
  for (const line of toText(report)) io.out(`${toTerminalText(line)}\n`);
}

/** A server that went away was not held against anything. */
function statusOf({ findings, stopped }: ContractReport): ExitStatus {
  if (findings.length > 0) return EXIT.found;
  return stopped === 'server-gone' ? EXIT.failed : EXIT.done;
}

/** A line that is written over and over, on a terminal only. */
function createProgress(io: Io): {
  readonly show: NonNullable<ContractOptions['onProgress']>;
  readonly clear: () => void;
} {
  let width = 0;
  let shownAt = 0;
  const clear = (): void => {
    if (width > 0) io.err(`\r${' '.repeat(width)}\r`);
    width = 0;
  };
  return {
    clear,
    show: ({ phase, operationId, requests, findings, waitMs }) => {
      if (!io.isTerminal || (waitMs === undefined && Date.now() - shownAt < 100)) return;
      shownAt = Date.now();
      clear();
      const what =
        waitMs === undefined ? operationId : `waiting ${Math.ceil(waitMs / 1_000)} s for a limit of the server`;
      const line = toTerminalText(`${phase}: ${what}, ${requests} requests, ${findings} found …`).slice(0, 79);
      width = line.length;
      io.err(line);
    },
  };
}
