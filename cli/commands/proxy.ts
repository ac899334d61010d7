import type { ProxyOptions, ProxyReport } from '../../entry/mock.js';
import { type ChosenApi, chooseApi, defaultPort } from '../choose-api.js';
import type { Command } from '../command.js';
import { EXIT, type Io, toJsonText, toTerminalText } from '../io.js';
import {
  READ_FLAGS,
  SPEC_FLAG,
  VENDOR_FLAG,
  explainBusyPort,
  readReadOptions,
  readTexts,
  readWholeNumber,
} from '../options.js';
import type { ParsedArgs } from '../parsed-args.js';
import { printDiagnostics } from '../print-diagnostics.js';
import { describeCall, describeReport } from '../../reports/proxy/text.js';
import { readReports, writeReport } from '../report-files.js';
import { UsageError } from '../usage-error.js';

export const proxyCommand: Command = {
  name: 'proxy',
  summary: 'Check traffic against a spec on its way to a server.',
  usage: '[api] --upstream URL',
  arity: { least: 0, most: 1 },
  flags: {
    upstream: {
      value: 'URL',
      description:
        'The server, with its base path if it has one. It replaces the base path of the spec. No other host is contacted.',
    },
    ...SPEC_FLAG,
    ...READ_FLAGS,
    port: { value: 'N', description: "The port to listen on. 0: a free port (default: that of the API's mock)." },
    host: { value: 'HOST', description: 'The address to listen on (default: 127.0.0.1).' },
    errors: { description: 'Refuse requests that violate the spec; send 502 instead of responses that do.' },
    record: { value: 'FILE', description: 'Write the traffic to a HAR file, without credentials.' },
    report: { value: 'junit|html|json=FILE', repeated: true, description: 'Write a report when the proxy stops.' },
    timeout: {
      value: 'DURATION',
      description: 'The longest time without data before a response begins (default: 60s).',
    },
    'allowed-host': {
      value: 'NAME',
      repeated: true,
      description: 'Another host name of the proxy, besides the address that it listens on.',
    },
    'mock-missing': { description: 'If the server responds 501, the mock of the API responds instead.' },
    ...VENDOR_FLAG,
  },
  notes: [
    'Violations are printed at once and listed by GET /__specmill/requests?violations=true. Those found before the',
    'body is sent are also in the header Sl-Violations. Ctrl-C or SIGTERM stops the proxy: it writes the recording',
    'and the report, and the exit status is 1 if there were violations.',
  ],
  examples: [
    'specmill proxy signing --upstream https://staging.example.com',
    'specmill proxy petstore.yaml --upstream http://127.0.0.1:3000/api --errors',
    'specmill proxy signing --upstream http://127.0.0.1:3000 --record traffic.har --report json=report.json',
  ],
  run: async (args, io) => {
    const api = chooseApi(args);
    const options = readOptions(api, args, io);
    const reports = readReports(args, io, ['junit', 'html', 'json']);
    const startedAt = new Date().toISOString();
    const started = performance.now();
    const signal = io.stopSignal();
    const { startProxy } = await import('../../entry/mock.js');
    const { name } = api;
    const proxy = await startProxy(name, options).catch(explainBusyPort);
    printDiagnostics(proxy.api.diagnostics, io, { withInfos: false });
    printReady({ name, url: proxy.url, upstream: String(options.upstream) }, args, io);
    await untilAborted(signal);
    // If the recording cannot be written, the error is printed and the report is still written.
    const problem = await proxy.close().then(
      () => undefined,
      (error: unknown) => error,
    );
    const report = proxy.report();
    printReport(report, args, io);
    const durationMs = performance.now() - started;
    const { renderProxyReport } = await import('../../reports/proxy/files.js');
    for (const file of reports)
      await writeReport(file, renderProxyReport(file.kind, { api: proxy.api, report, startedAt, durationMs }));
    if (problem !== undefined) throw problem;
    return report.violations.length > 0 ? EXIT.found : EXIT.done;
  },
};

function readOptions(api: ChosenApi, args: ParsedArgs, io: Io): ProxyOptions {
  const upstream = args.value('upstream');
  if (upstream === undefined) throw new UsageError('Missing --upstream URL: the server that traffic is forwarded to.');
  return {
    upstream,
    cwd: io.cwd,
    port: args.has('port') ? readWholeNumber('port', args) : defaultPort(api, [api]),
    errors: args.has('errors'),
    mockMissing: args.has('mock-missing'),
    allowedHost: args.values('allowed-host'),
    ...readTexts(['host', 'record', 'timeout', 'vendor', 'config'], args),
    ...readReadOptions(args),
    ...(api.spec === undefined ? {} : { spec: api.spec }),
    onDiagnostic: (diagnostic) => printDiagnostics([diagnostic], io, { withInfos: false }),
    ...(args.has('json') ? {} : { onCall: (call) => printCall(call, io) }),
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
function printReady(proxy: ReadyProxy, args: ParsedArgs, io: Io): void {
  if (args.has('json')) io.out(`${toJsonText({ proxy })}\n`);
  else
    io.out(
      toTerminalText(`${proxy.name}: ${proxy.url} passes on to ${proxy.upstream}; Ctrl-C stops it and reports`) + '\n',
    );
}

async function untilAborted(signal: AbortSignal): Promise<void> {
  if (signal.aborted) return;
  await new Promise<void>((resolve) => signal.addEventListener('abort', () => resolve(), { once: true }));
}

function printReport(report: ProxyReport, args: ParsedArgs, io: Io): void {
  if (args.has('json')) io.out(`${toJsonText(report)}\n`);
  else for (const line of describeReport(report)) io.out(`${line}\n`);
}
