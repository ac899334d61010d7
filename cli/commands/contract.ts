import path from 'node:path';

import { parseJsonInput, readTextFile } from '../../model/document/read-input-file.js';
import { InputError } from '../../model/diagnostics/input-error.js';
import { isRecord, withoutUndefined } from '../../model/document/records.js';
import type { ContractOptions, ContractReport } from '../../entry/contract.js';
import type { CommonFlags, ContractCommand } from '../../generated/options/types.js';
import { failingFindings } from '../../reports/contract/contract-report.js';
import { chooseTarget } from '../choose-api.js';
import type { RunCommand } from '../command.js';
import { type ProgressLine, createProgressLine } from '../progress-line.js';
import { EXIT, type ExitStatus, type Io, printJson, toTerminalText } from '../io.js';
import { pickOptions } from '../read-flags.js';
import { type ReportKind, readReports, writeReport } from '../report-files.js';
import { writeJsonReport } from '../../reports/quote-text.js';

export const runContractTests: RunCommand<ContractCommand> = async (words, flags, io) => {
  const options = await readOptions(words, flags, io);
  const reports = readReports(flags.report, io, { kinds: REPORT_FILES, printed: PRINTED });
  // Fails before the run if a report file cannot be written.
  for (const file of reports) await writeReport(file, '');
  const { runContract } = await import('../../contract/run-contract.js');
  const line = createProgressLine(io);
  // The first Ctrl-C ends the run and reports the findings so far; the second ends the process.
  const signal = io.stopSignal();
  const report = await runContract({ ...options, signal, onProgress: createShow(line) }).finally(line.clear);
  await printReport(report, flags, io);
  for (const file of reports) await writeReport(file, await renderReport(file.kind, report));
  if (flags.report?.includes('github') === true) {
    const { addJobSummary } = await import('../github.js');
    await addJobSummary(await renderReport('markdown', report), io);
  }
  return statusOf(report, flags, io);
};

const REPORT_FILES = ['junit', 'html', 'json', 'sarif', 'markdown'] as const;
const PRINTED = ['github', 'markdown'];

type Flags = ContractCommand & CommonFlags;

async function readOptions(words: readonly string[], flags: ContractCommand, io: Io): Promise<ContractOptions> {
  const { caFile, baselineFile } = flags;
  const read = (file: string, subject?: string): Promise<string> => readTextFile(path.resolve(io.cwd, file), subject);
  return {
    ...pickOptions('ContractOptions', flags),
    ...chooseTarget(words, flags.spec),
    cwd: io.cwd,
    ...(caFile === undefined ? {} : { ca: await read(caFile) }),
    ...(baselineFile === undefined
      ? {}
      : { baseline: readBaseline(await read(baselineFile, 'The baseline'), baselineFile) }),
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

async function renderReport(kind: ReportKind, report: ContractReport): Promise<string> {
  if (kind === 'json') return writeJsonReport(report);
  if (kind === 'sarif') return (await import('../../reports/contract/sarif.js')).toSarif(report);
  if (kind === 'markdown') return (await import('../../reports/contract/markdown.js')).toMarkdown(report);
  if (kind === 'html') return (await import('../../reports/contract/html.js')).toHtml(report);
  return (await import('../../reports/contract/junit.js')).toJunit(report);
}

async function printReport(report: ContractReport, flags: Flags, io: Io): Promise<void> {
  if (flags.json === true) {
    printJson(io, report);
    return;
  }
  if (flags.report?.includes('markdown') === true) io.out(await renderReport('markdown', report));
  else {
    const { toText } = await import('../../reports/contract/text.js');
    for (const line of toText(report, withoutUndefined({ maxFindings: flags.maxFindings }))) io.out(`${line}\n`);
  }
  if (flags.report?.includes('github') === true) await printAnnotations(report, io);
}

/** Prints what GitHub shows beside the lines of the spec. */
async function printAnnotations(report: ContractReport, io: Io): Promise<void> {
  const { toAnnotations } = await import('../../reports/contract/annotations.js');
  const { pathInRepository } = await import('../github.js');
  const options = { pathInRepository: (file: string) => pathInRepository(file, io) };
  for (const line of toAnnotations(report, options)) io.out(`${line}\n`);
}

/** A server that became unreachable, or that refused every request, was not tested. */
function statusOf(report: ContractReport, flags: Flags, io: Io): ExitStatus {
  const { stopped, reach, nothingTested, credentialRefused } = report;
  const isFailed = failingFindings(report).length > 0;
  if (stopped === 'interrupted') return isFailed ? EXIT.found : EXIT.failed;
  if (nothingTested !== undefined) {
    io.err(`Nothing was tested: ${toTerminalText(nothingTested)}\n`);
    return EXIT.failed;
  }
  if (credentialRefused !== undefined) {
    io.err(`${toTerminalText(credentialRefused)}\n`);
    return EXIT.failed;
  }
  if (isFailed) return EXIT.found;
  if (flags.failOnUnreached === true && reach.refused.length + reach.notSent.length > 0) return EXIT.found;
  return stopped === 'server-gone' ? EXIT.failed : EXIT.done;
}

/** Updates the progress at most ten times a second, and for each wait. */
function createShow(line: ProgressLine): NonNullable<ContractOptions['onProgress']> {
  let shownAt = 0;
  return ({ phase, operationId, requests, findings, waitMs }) => {
    if (waitMs === undefined && Date.now() - shownAt < 100) return;
    shownAt = Date.now();
    const what =
      waitMs === undefined ? operationId : `waiting ${Math.ceil(waitMs / 1_000)} s for the server's rate limit`;
    line.show(`${phase}: ${what}, ${requests} requests, ${findings} found …`);
  };
}
