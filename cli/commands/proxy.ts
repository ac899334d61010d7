import { FIRST_OTHER_PORT, FIRST_PORT, findBuiltInApi } from '../../config/built-in-apis.js';
import { InputError } from '../../model/diagnostics/input-error.js';
import type { ProxyOptions, ProxyReport } from '../../entry/mock.js';
import type { Command } from '../command.js';
import { EXIT, type Io, toJsonText, toTerminalText } from '../io.js';
import type { ParsedArgs } from '../parsed-args.js';
import { printDiagnostics } from '../print-diagnostics.js';
import { describeCall, describeReport } from '../../reports/proxy/text.js';
import { readReports, writeReport } from '../report-files.js';
import { UsageError } from '../usage-error.js';

/** `specmill proxy`. */
export const proxyCommand: Command = {
  name: 'proxy',
  summary: 'Check traffic against a spec on its way to a server.',
  usage: '[api] --upstream URL',
  arity: { least: 0, most: 1 },
  flags: {
    upstream: {
      value: 'URL',
      description: 'The server, with its base path if it has one. No other host is contacted.',
    },
    spec: { value: 'FILE', repeated: true, description: 'Any spec, without a configuration.' },
    port: { value: 'N', description: "The port to serve on. 0: any free one (default: that of the API's mock)." },
    host: { value: 'HOST', description: 'The address to listen on (default: 127.0.0.1).' },
    errors: { description: 'Refuse requests that break the spec; answer 502 in the place of answers that do.' },
    record: { value: 'FILE', description: 'Write the traffic to a HAR file, without credentials.' },
    report: { value: 'junit|html|json=FILE', repeated: true, description: 'Write a report when the proxy stops.' },
    timeout: { value: 'DURATION', description: 'How long nothing may move before an answer begins (default: 60s).' },
    'mock-missing': { description: 'Where the server answers 501, the mock of the API answers.' },
    vendor: {
      value: 'NAMES',
      description: 'Real names in the place of the word vendor: NAME[,header=NAME][,media=NAME][,engine=NAME].',
    },
  },
  notes: [
    'Violations are printed as they come, and are in GET /__specmill/requests?violations=true and, where they',
    'are known before the body, in the header Sl-Violations. Ctrl-C or SIGTERM stops the proxy: it writes recording',
    'and report, and the exit status is 1 where there were violations.',
  ],
  examples: [
    'specmill proxy signing --upstream https://staging.example.com',
    'specmill proxy --spec petstore.yaml --upstream http://127.0.0.1:3000/api --errors',
    'specmill proxy signing --upstream http://127.0.0.1:3000 --record traffic.har --report json=report.json',
  ],
  run: async (args, io) => {
    const options = readOptions(args, io);
    const reports = readReports(args, io);
    const startedAt = new Date().toISOString();
    const started = performance.now();
    const signal = io.stopSignal();
    const { startProxy } = await import('../../entry/mock.js');
    const name = args.positionals[0] ?? 'api';
    const proxy = await startProxy(name, options).catch(explainBusyPort);
    printDiagnostics(proxy.api.diagnostics, io, { withInfos: false });
    printReady({ name, url: proxy.url, upstream: String(options.upstream) }, args, io);
    await untilAborted(signal);
    // A recording that cannot be written is told, but the report is not lost with it.
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

function readOptions(args: ParsedArgs, io: Io): ProxyOptions {
  const upstream = args.value('upstream');
  if (upstream === undefined) throw new UsageError('Say which server it is: --upstream URL.');
  const [api] = args.positionals;
  if (api === undefined && !args.has('spec'))
    throw new UsageError('Say which API it is, or give its spec with --spec FILE.');
  const texts = ['host', 'record', 'timeout', 'vendor', 'config'].flatMap((name) => {
    const value = args.value(name);
    return value === undefined ? [] : [[name, value]];
  });
  const specs = args.values('spec');
  return {
    upstream,
    cwd: io.cwd,
    port: readPort(args),
    errors: args.has('errors'),
    mockMissing: args.has('mock-missing'),
    ...(Object.fromEntries(texts) as Pick<ProxyOptions, 'host' | 'record' | 'timeout' | 'vendor' | 'config'>),
    ...(specs.length === 0 ? {} : { spec: specs }),
    onDiagnostic: (diagnostic) => printDiagnostics([diagnostic], io, { withInfos: false }),
    onCall: (call) => {
      if (args.has('json')) return;
      for (const line of describeCall(call)) io.err(`${line}\n`);
    },
  };
}

function readPort(args: ParsedArgs): number {
  const text = args.value('port');
  if (text !== undefined) {
    if (/^\d{1,6}$/.test(text)) return Number(text);
    throw new UsageError('The option --port must be a whole number.');
  }
  if (args.has('spec')) return FIRST_PORT;
  const [name = ''] = args.positionals;
  return findBuiltInApi(name)?.port ?? FIRST_OTHER_PORT;
}

function explainBusyPort(error: unknown): never {
  if (error instanceof Error && error.name === 'PortBusyError')
    throw new InputError(`${error.message} Choose another with --port.`);
  throw error;
}

interface ReadyProxy {
  readonly name: string;
  readonly url: string;
  readonly upstream: string;
}

/** For programs one line of JSON, which says at the same time that it serves. */
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
