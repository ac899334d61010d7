import path from 'node:path';

import { noApis } from '../../config/resolve-config.js';
import { BUILT_IN_APIS, findApisWithOption, findBuiltInApi, findBuiltInSpecs } from '../../config/built-in-apis.js';
import { hasConfig } from '../../config/load-config.js';
import { readApiWord } from '../../model/document/address.js';
import { withoutUndefined } from '../../model/document/records.js';
import { packageRoot } from '../../model/package-info.js';
import type { Mock, MockOptions } from '../../entry/mock.js';
import { type ChosenApi, chooseApi, defaultPort } from '../choose-api.js';
import type { Command } from '../command.js';
import { EXIT, type Io, toJsonText, toTerminalText } from '../io.js';
import {
  READ_FLAGS,
  SPEC_FLAG,
  VENDOR_FLAG,
  explainBusyPort,
  readChoice,
  readGiven,
  readReadOptions,
  readTexts,
  readWholeNumber,
} from '../options.js';
import type { ParsedArgs } from '../parsed-args.js';
import { printDiagnostics } from '../print-diagnostics.js';
import { formatCall, formatCallAsJson, formatWork, printOperations } from '../mock-log.js';
import { printError } from '../print-error.js';
import { UsageError } from '../usage-error.js';
import { watchFiles } from '../watch-files.js';

export const mockCommand: Command = {
  name: 'mock',
  summary: 'Serve mocks of APIs, with state and behaviour.',
  usage: '[api...]',
  arity: { least: 0, most: Infinity },
  flags: {
    port: {
      value: 'N',
      description: 'The port of the first mock; others use the next ones. 0: free ports (default: from 4010).',
    },
    host: { value: 'HOST', description: 'The address to listen on (default: 127.0.0.1).' },
    ...SPEC_FLAG,
    ...READ_FLAGS,
    seed: { value: 'N', description: 'The same seed and the same calls give the same values (default: 1).' },
    items: { value: 'N', description: 'Fill each collection with N valid items (default: 0).' },
    stateless: { description: "Without state and behaviours: Prism's mocker selects every response from the spec." },
    validate: {
      value: 'off|warn|error',
      description: 'What happens to a request that violates the spec (default: error).',
    },
    credentials: { value: 'FILE', description: 'A YAML list of the only credentials that are accepted.' },
    'no-rate-limit': { description: 'Switch rate limits off.' },
    latency: { value: 'DURATION', description: 'Add a delay to every response, such as 250ms.' },
    callbacks: {
      value: 'loopback|any',
      description: 'Hosts that may receive callbacks (default: loopback, this machine only).',
    },
    cors: {
      value: 'loopback|any|none|ORIGIN',
      repeated: true,
      description: 'Which web pages may read responses (default: loopback, those of this machine).',
    },
    'allowed-host': {
      value: 'NAME',
      repeated: true,
      description: 'Another host name for the control API, besides the bound address.',
    },
    ...VENDOR_FLAG,
    watch: { description: 'Restart a mock when its files change. This is the default.' },
    quiet: { description: 'List no operations and log no calls.' },
    log: { value: 'text|json', description: 'How each call is logged, in one line (default: text).' },
    replay: { value: 'FILE', description: 'A HAR file: requests in it get their recorded responses.' },
    words: { value: 'FILE', description: 'More words for the dictionary.' },
    'engine-config': { value: 'FILE', description: "The configuration of the engine's mock." },
    state: { value: 'DIR', description: 'Keep the state in this directory, so that it outlives the process.' },
    store: {
      value: 'URL',
      description: 'Keep the state in Redis, for any number of processes: redis://HOST:PORT[/DB][?prefix=P].',
    },
  },
  examples: [
    'specmill mock',
    'specmill mock signing --port 8080',
    'specmill mock engine --engine-config engine.json',
    'specmill mock petstore.yaml --port 0 --json',
    'specmill mock https://example.com/openapi.json',
  ],
  run: async (args, io) => {
    const signal = io.stopSignal();
    const { startMock } = await import('../../entry/mock.js');
    const options = mockOptions(args, io);
    const apis = await chooseApis(args, io);
    refuseUselessOptions(args, apis);
    const running: RunningMock[] = [];
    try {
      for (const [index, api] of apis.entries()) {
        const port = choosePort(api, { index, apis, args });
        const { name, spec } = api;
        const own = { ...options, port, ...(spec === undefined ? {} : { spec }) };
        running.push({ name, mock: await startMock(name, own).catch(explainBusyPort) });
      }
      printReady(running, args, io);
      if (!args.has('json') && !args.has('quiet'))
        for (const { mock } of running) printOperations(mock, running.length, io);
      await Promise.all(running.map((one) => restartOnChange(one, signal, io)));
      return EXIT.done;
    } finally {
      await Promise.all(running.map(({ mock }) => mock.close()));
    }
  },
};

/** @throws UsageError if none of the mocks supports an option. */
function refuseUselessOptions(args: ParsedArgs, apis: readonly ChosenApi[]): void {
  for (const option of ['words', 'engine-config']) {
    const owners = args.has(option) ? findApisWithOption(option) : undefined;
    if (owners === undefined || apis.some(({ name }) => owners.includes(name))) continue;
    throw new UsageError(
      `The option --${option} is for the mock of ${owners.join(' and ')}, which is not among those to serve.`,
    );
  }
}

interface RunningMock {
  readonly name: string;
  readonly mock: Mock<object>;
}

async function chooseApis(args: ParsedArgs, io: Io): Promise<readonly ChosenApi[]> {
  const names = [...new Set(args.positionals)];
  if (args.has('spec')) {
    if (names.length > 1) throw new UsageError('With --spec there is one API, so at most one name.');
    return [chooseApi(args)];
  }
  if (names.length > 0) return names.map(readApiWord);
  const configFile = args.value('config');
  if (configFile === undefined && !hasConfig(io.cwd)) {
    io.err(NO_CONFIGURATION);
    return BUILT_IN_APIS.filter((name) => isServedAlone(name)).map((name) => ({ name }));
  }
  const { readConfig } = await import('../../generator/generate-options.js');
  const { config, folder } = await readConfig(io.cwd, configFile);
  const served = Object.entries(config.apis)
    .filter(([name, { spec }]) => isServedAlone(name, [spec].flat(), folder) && !isInternalSpec([spec].flat(), folder))
    .map(([name]) => ({ name }));
  if (served.length === 0) throw noApis();
  return served;
}

const NO_CONFIGURATION =
  'specmill: there is no configuration here, so the example APIs are served; ' +
  '"specmill mock openapi.yaml" serves your own spec, "specmill init --spec openapi.yaml" writes a configuration for it\n';

/** Whether an API has a mock of its own, rather than being served by another one. */
function isServedAlone(name: string, specs?: readonly string[], folder = ''): boolean {
  if (findBuiltInApi(name)?.servedBy === undefined) return true;
  const builtIn = findBuiltInSpecs(name) ?? [];
  return specs !== undefined && !specs.some((spec) => builtIn.includes(path.resolve(folder, spec)));
}

/** Whether the spec is one of our own that has no mock: the control interface, which every mock serves, or our options. */
function isInternalSpec(specs: readonly string[], folder: string): boolean {
  const internal = ['specs/control/openapi.yaml', 'config/options.schema.json'];
  return specs.some((spec) => internal.some((file) => path.resolve(folder, spec) === path.join(packageRoot, file)));
}

interface PortChoice {
  readonly index: number;
  readonly apis: readonly ChosenApi[];
  readonly args: ParsedArgs;
}

function choosePort(api: ChosenApi, { index, apis, args }: PortChoice): number {
  if (!args.has('port')) return defaultPort(api, apis);
  const first = readWholeNumber('port', args);
  return first === 0 ? 0 : first + index;
}

function mockOptions(args: ParsedArgs, io: Io): MockOptions {
  const cors = args.values('cors');
  const allowedHost = args.values('allowed-host');
  const log = readChoice('log', ['text', 'json'], args) ?? 'text';
  // With --json, stdout has a single line, which announces that the mocks are ready.
  const print = args.has('json') ? io.err : io.out;
  return {
    ...(cors.length === 0 ? {} : { cors }),
    ...(allowedHost.length === 0 ? {} : { allowedHost }),
    ...(args.has('quiet') || (args.has('json') && !args.has('log'))
      ? {}
      : {
          onCall: (call) => print(`${log === 'json' ? formatCallAsJson(call) : formatCall(call, io.isTerminal)}\n`),
          onWork: (work) => print(`${log === 'json' ? toJsonText(work) : formatWork(work)}\n`),
        }),
    ...readTexts(['host', 'latency', 'vendor', 'words', 'state', 'store', 'credentials', 'config', 'replay'], args),
    ...readReadOptions(args),
    ...readGiven({ engineConfig: 'engine-config' }, args, (flag) => args.value(flag) ?? ''),
    cwd: io.cwd,
    onDiagnostic: (diagnostic) => printDiagnostics([diagnostic], io, { withInfos: false }),
    stateless: args.has('stateless'),
    noRateLimit: args.has('no-rate-limit'),
    ...readGiven({ seed: 'seed', items: 'items' }, args, (flag) => readWholeNumber(flag, args)),
    ...withoutUndefined({
      validate: readChoice('validate', ['off', 'warn', 'error'], args),
      callbacks: readChoice('callbacks', ['loopback', 'any'], args),
    }),
  };
}

/** Prints the table of URLs; with --json, one line that announces that all mocks are ready. */
function printReady(running: readonly RunningMock[], args: ParsedArgs, io: Io): void {
  for (const { mock } of running) printDiagnostics(mock.api.diagnostics, io, { withInfos: false });
  if (args.has('json')) {
    io.out(`${toJsonText({ mocks: running.map(({ name, mock }) => ({ name, url: mock.url })) })}\n`);
    return;
  }
  const rows = running.map(({ name, mock }) => [name, mock.url, mock.api.title] as const);
  const all = [['API', 'URL', 'title'] as const, ...rows];
  const widths = [0, 1].map((column) => Math.max(...all.map((row) => (row[column] ?? '').length)));
  for (const [name, url, title] of all) {
    io.out(`${toTerminalText(`${name.padEnd(widths[0] ?? 0)}  ${url.padEnd(widths[1] ?? 0)}  ${title}`)}\n`);
  }
}

/**
 * Restarts a mock on each change until the user stops it. If the new version cannot be loaded, the error is printed and
 * the old one keeps running.
 */
async function restartOnChange({ name, mock }: RunningMock, signal: AbortSignal, io: Io): Promise<void> {
  let since = Date.now();
  while (await watchFiles({ files: new Set(mock.files), since, signal })) {
    since = Date.now();
    try {
      await mock.reload();
      io.err(`specmill: ${name} has changed and is served anew, its state kept\n`);
    } catch (error) {
      printError(error, io, { isDebug: false, isJson: false });
    }
  }
}
