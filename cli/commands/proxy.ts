import type { ProxyOptions, ProxyReport, ValidationProxy } from '../../entry/mock.js';
import type { CommonFlags, ProxyCommand } from '../../generated/options/types.js';
import { type ChosenApi, chooseApi, defaultPort, explainBusyPort } from '../choose-api.js';
import type { RunCommand } from '../command.js';
import { EXIT, type Io, toJsonText, toTerminalText } from '../io.js';
import { pickOptions } from '../read-flags.js';
import { printDiagnostics } from '../print-diagnostics.js';
import { printError } from '../print-error.js';
import { describeOverlay } from '../../reports/written-overlay.js';
import { describeCall, describeReport } from '../../reports/proxy/text.js';
import { readReports, writeReport } from '../report-files.js';

export const runProxy: RunCommand<ProxyCommand> = async (words, flags, io) => {
  const api = chooseApi(words, flags.spec);
  const options = readOptions(api, flags, io);
  const reports = readReports(flags.report, io, { kinds: ['junit', 'html', 'json'] });
  const startedAt = new Date().toISOString();
  const started = performance.now();
  const signal = io.stopSignal();
  const { startProxy } = await import('../../entry/mock.js');
  const { name } = api;
  const proxy = await startProxy(name, options).catch(explainBusyPort);
  printDiagnostics(proxy.api.diagnostics, io, { withInfos: false });
  printReady({ name, url: proxy.url, upstream: String(options.upstream) }, flags, io);
  if (flags.writeOverlay !== undefined) io.onWriteSignal(() => void writeNow(proxy, io));
  await untilAborted(signal);
  // If the recording cannot be written, the error is printed and the report is still written.
  const problem = await proxy.close().then(
    () => undefined,
    (error: unknown) => error,
  );
  const report = proxy.report();
  printReport(report, flags, io);
  const durationMs = performance.now() - started;
  const { renderProxyReport } = await import('../../reports/proxy/files.js');
  for (const file of reports)
    await writeReport(file, renderProxyReport(file.kind, { api: proxy.api, report, startedAt, durationMs }));
  if (problem !== undefined) throw problem;
  return report.violations.length > 0 ? EXIT.found : EXIT.done;
};

/** Writes the overlay while the proxy goes on. */
async function writeNow(proxy: ValidationProxy, io: Io): Promise<void> {
  try {
    const overlay = await proxy.writeOverlay();
    for (const line of overlay === undefined ? [] : describeOverlay(overlay)) io.err(`${toTerminalText(line)}\n`);
  } catch (error) {
    printError(error, io, { isDebug: false, isJson: false });
  }
}

function readOptions(api: ChosenApi, flags: ProxyCommand & CommonFlags, io: Io): ProxyOptions {
  return {
    port: defaultPort(api, [api]),
    ...pickOptions('ProxyOptions', flags),
    ...(api.spec === undefined ? {} : { spec: api.spec }),
    cwd: io.cwd,
    onDiagnostic: (diagnostic) => printDiagnostics([diagnostic], io, { withInfos: false }),
    ...(flags.json === true ? {} : { onCall: (call) => printCall(call, io) }),
  };
}

function printCall(call: Parameters<typeof describeCall>[0], io: Io): void {
  for (const line of describeCall(call)) io.err(`${line}\n`);
}

interface ReadyProxy {
  readonly name: string;
  readonly url: string;
  readonly upstream: string;
}

/** Prints the proxy's URL; with --json, one line that announces that it is ready. */
function printReady(proxy: ReadyProxy, { json }: CommonFlags, io: Io): void {
  if (json === true) io.out(`${toJsonText({ proxy })}\n`);
  else
    io.out(
      toTerminalText(
        `${proxy.name}: ${proxy.url} forwards to ${proxy.upstream}; Ctrl-C stops the proxy and prints the report`,
      ) + '\n',
    );
}

async function untilAborted(signal: AbortSignal): Promise<void> {
  if (signal.aborted) return;
  await new Promise<void>((resolve) => signal.addEventListener('abort', () => resolve(), { once: true }));
}

function printReport(report: ProxyReport, { json }: CommonFlags, io: Io): void {
  if (json === true) io.out(`${toJsonText(report)}\n`);
  else for (const line of describeReport(report)) io.out(`${line}\n`);
}
