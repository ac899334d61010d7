import path from 'node:path';

import { parseJsonInput, readTextFile } from '../../model/document/read-input-file.js';
import { InputError } from '../../model/diagnostics/input-error.js';
import { isRecord } from '../../model/document/records.js';
import type { ContractOptions, ContractReport, Phase } from '../../entry/contract.js';
import type { Command } from '../command.js';
import { CHECKED_SPEC_FLAGS, readCheckedSpec } from '../checked-spec.js';
import { VENDOR_FLAG, parseHeaders, readGiven, readSwitches, readTexts, readWholeNumber } from '../options.js';
import { type ProgressLine, createProgressLine } from '../progress-line.js';
import { EXIT, type ExitStatus, type Io, printJson, toTerminalText } from '../io.js';
import type { ParsedArgs } from '../parsed-args.js';
import { type ReportKind, readReports, writeReport } from '../report-files.js';
import { UsageError } from '../usage-error.js';

export const contractCommand: Command = {
  name: 'contract',
  summary: 'Run contract tests against a server.',
  usage: '[api] --url URL',
  arity: { least: 0, most: 1 },
  flags: {
    url: { value: 'URL', description: 'The server. Requests go to no other host.' },
    ...CHECKED_SPEC_FLAGS,
    phase: { value: 'PHASES', description: 'Some of examples,stateful,boundary,negative,fuzz (default: all).' },
    seed: { value: 'N', description: 'The same seed repeats the run exactly (default: 1).' },
    'max-examples': { value: 'N', description: 'The most cases of an operation in a phase (default: 60).' },
    'max-time': { value: 'DURATION', description: 'The longest time of the run, including waits (default: 60s).' },
    'time-limit': { value: 'DURATION', description: 'Slower responses are findings (default: 10s).' },
    concurrency: {
      value: 'N',
      description: 'Concurrent requests, if they change nothing on the server (default: 4).',
    },
    ...VENDOR_FLAG,
    header: {
      value: "'K: V'|@FILE",
      repeated: true,
      description: 'Sent with each request, such as a credential. @FILE: one header per line.',
    },
    'other-header': {
      value: "'K: V'|@FILE",
      repeated: true,
      description: 'For a second identity, which must be refused access to what the first created.',
    },
    'touch-existing': { description: 'Also change and delete items from before the run.' },
    'read-only': { description: 'Send only GET, HEAD, OPTIONS and QUERY.' },
    include: { value: 'PATTERN', repeated: true, description: 'Test only tag:…, path:…, operation:… or method:….' },
    exclude: { value: 'PATTERN', repeated: true, description: 'Operations that are never sent, as for --include.' },
    shard: { value: 'N/M', description: 'Test the Nth of M parts of the operations.' },
    wait: { value: 'DURATION', description: 'How long to wait until the server responds (default: no waiting).' },
    ca: { value: 'FILE', description: 'An additional certificate authority (PEM).' },
    insecure: { description: 'Accept any certificate.' },
    baseline: { value: 'FILE', description: 'Leave out the findings of an earlier json report.' },
    'max-findings': { value: 'N', description: 'The most findings that are shown in full.' },
    'fail-on-unreached': { description: 'Exit 1 if an operation never succeeded.' },
    report: {
      value: 'junit|html|json|sarif=FILE|github',
      repeated: true,
      description: 'Write a report, or annotations for GitHub.',
    },
  },
  examples: [
    'specmill contract signing --url http://127.0.0.1:4010',
    "specmill contract --spec petstore.yaml --url https://staging.example.com --header 'Authorization: Bearer ...'",
    'specmill contract signing --url http://127.0.0.1:4010 --report junit=contract.xml --report html=contract.html',
  ],
  run: async (args, io) => {
    const options = await readOptions(args, io);
    const reports = readReports(args, io, ['junit', 'html', 'json', 'sarif']);
    // Fails before the run if a report file cannot be written.
    for (const file of reports) await writeReport(file, '');
    const { runContract } = await import('../../contract/run-contract.js');
    const line = createProgressLine(io);
    // The first Ctrl-C ends the run and reports the findings so far; the second ends the process.
    const signal = io.stopSignal();
    const report = await runContract({ ...options, signal, onProgress: createShow(line) }).finally(line.clear);
    await printReport(report, args, io);
    for (const file of reports) await writeReport(file, await renderReport(file.kind, report));
    return statusOf(report, args, io);
  },
};

const NUMBERS = { seed: 'seed', maxExamples: 'max-examples', concurrency: 'concurrency' } as const;
const TIMES = { maxTime: 'max-time', timeLimit: 'time-limit' } as const;
const SWITCHES = { touchExisting: 'touch-existing', readOnly: 'read-only', insecure: 'insecure' } as const;

async function readFiles(args: ParsedArgs, io: Io): Promise<Pick<ContractOptions, 'ca' | 'baseline'>> {
  const [ca, baseline] = [args.value('ca'), args.value('baseline')];
  return {
    ...(ca === undefined ? {} : { ca: await readTextFile(path.resolve(io.cwd, ca)) }),
    ...(baseline === undefined
      ? {}
      : { baseline: readBaseline(await readTextFile(path.resolve(io.cwd, baseline), 'The baseline'), baseline) }),
  };
}

/** Reads a list of findings, or a report that contains one. */
function readBaseline(text: string, file: string): NonNullable<ContractOptions['baseline']> {
  const value = parseJsonInput(text, file, 'The baseline');
  const list: unknown = Array.isArray(value) ? value : isRecord(value) ? value['findings'] : undefined;
  if (!Array.isArray(list) || !list.every((one) => isRecord(one) && typeof one['check'] === 'string'))
    throw new InputError('The baseline is neither a json report nor a list of findings.', { file });
  return list as NonNullable<ContractOptions['baseline']>;
}

/** Reads the given headers and those in files, which keep credentials out of the process list. */
async function readHeaderLines(flag: string, args: ParsedArgs, io: Io): Promise<Readonly<Record<string, string>>> {
  const lines: string[] = [];
  for (const text of args.values(flag)) {
    if (!text.startsWith('@')) lines.push(text);
    else
      lines.push(
        ...(await readTextFile(path.resolve(io.cwd, text.slice(1))))
          .split(/\r?\n/)
          .filter((line) => line.trim() !== ''),
      );
  }
  return parseHeaders(flag, lines);
}

async function readOptions(args: ParsedArgs, io: Io): Promise<ContractOptions> {
  const url = args.value('url');
  if (url === undefined) throw new UsageError('Missing --url URL: the server to test.');
  const phases = args.list('phase');
  return {
    url,
    cwd: io.cwd,
    headers: await readHeaderLines('header', args, io),
    ...(args.has('other-header') ? { otherHeaders: await readHeaderLines('other-header', args, io) } : {}),
    ...readSwitches(SWITCHES, args),
    ...(args.has('include') ? { includeOperations: args.values('include') } : {}),
    ...(args.has('exclude') ? { excludeOperations: args.values('exclude') } : {}),
    ...(await readFiles(args, io)),
    ...readCheckedSpec(args),
    ...(phases === undefined ? {} : { phases: phases as readonly Phase[] }),
    ...readGiven(NUMBERS, args, (flag) => readWholeNumber(flag, args)),
    ...readGiven(TIMES, args, (flag) => args.value(flag) ?? ''),
    ...readTexts(['vendor', 'config', 'shard', 'wait'], args),
  };
}

async function renderReport(kind: ReportKind, report: ContractReport): Promise<string> {
  if (kind === 'json') return `${JSON.stringify(report, undefined, 2)}\n`;
  if (kind === 'sarif') return (await import('../../reports/contract/sarif.js')).toSarif(report);
  if (kind === 'html') return (await import('../../reports/contract/html.js')).toHtml(report);
  return (await import('../../reports/contract/junit.js')).toJunit(report);
}

async function printReport(report: ContractReport, args: ParsedArgs, io: Io): Promise<void> {
  if (args.has('json')) {
    printJson(io, report);
    return;
  }
  const { toText } = await import('../../reports/contract/text.js');
  const maxFindings = args.has('max-findings') ? { maxFindings: readWholeNumber('max-findings', args) } : {};
  for (const line of toText(report, maxFindings)) io.out(`${toTerminalText(line)}\n`);
  if (!args.values('report').includes('github')) return;
  const { toAnnotations } = await import('../../reports/contract/annotations.js');
  for (const line of toAnnotations(report)) io.out(`${line}\n`);
}

/** A server that became unreachable, or that refused every request, was not tested. */
function statusOf(report: ContractReport, args: ParsedArgs, io: Io): ExitStatus {
  const { findings, stopped, unreached, nothingTested } = report;
  if (stopped === 'interrupted') return findings.length > 0 ? EXIT.found : EXIT.failed;
  if (nothingTested !== undefined) {
    io.err(`Nothing was tested: ${toTerminalText(nothingTested)}\n`);
    return EXIT.failed;
  }
  if (findings.length > 0) return EXIT.found;
  if (args.has('fail-on-unreached') && unreached.length > 0) return EXIT.found;
  return stopped === 'server-gone' ? EXIT.failed : EXIT.done;
}

/** Updates the progress at most ten times a second, and for each wait. */
function createShow(line: ProgressLine): NonNullable<ContractOptions['onProgress']> {
  let shownAt = 0;
  return ({ phase, operationId, requests, findings, waitMs }) => {
    if (waitMs === undefined && Date.now() - shownAt < 100) return;
    shownAt = Date.now();
    const what =
      waitMs === undefined ? operationId : `waiting ${Math.ceil(waitMs / 1_000)} s for a limit of the server`;
    line.show(`${phase}: ${what}, ${requests} requests, ${findings} found …`);
  };
}
