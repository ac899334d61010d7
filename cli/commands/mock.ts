import path from 'node:path';

import {
  BUILT_IN_APIS,
  FIRST_OTHER_PORT,
  FIRST_PORT,
  findApisWithOption,
  findBuiltInApi,
} from '../../config/built-in-apis.js';
import { hasConfig } from '../../config/load-config.js';
import { InputError } from '../../model/diagnostics/input-error.js';
import { packageRoot } from '../../model/package-info.js';
import type { Mock, MockOptions } from '../../entry/mock.js';
import type { Command } from '../command.js';
import { EXIT, type Io, toJsonText, toTerminalText } from '../io.js';
import type { ParsedArgs } from '../parsed-args.js';
import { printDiagnostics } from '../print-diagnostics.js';
import { printError } from '../print-error.js';
import { UsageError } from '../usage-error.js';
import { watchFiles } from '../watch-files.js';

/** `specmill mock`. */
export const mockCommand: Command = {
  name: 'mock',
  summary: 'Serve mocks of APIs, with state and behaviour.',
  usage: '[api...]',
  arity: { least: 0, most: Infinity },
  flags: {
    port: {
      value: 'N',
      description: 'The port of the first; the others follow. 0: any free one (default: 4010 and on).',
    },
    host: { value: 'HOST', description: 'The address to listen on (default: 127.0.0.1).' },
    spec: {
      value: 'FILE',
      repeated: true,
      description: 'Any spec, without a configuration. An argument names the API.',
    },
    seed: { value: 'N', description: 'The same seed and the same calls give the same values (default: 1).' },
    stateless: { description: 'Plain Prism answers, without state and behaviour.' },
    validate: {
      value: 'off|warn|error',
      description: 'What becomes of a request that breaks the spec (default: error).',
    },
    credentials: { value: 'FILE', description: 'A YAML list of the only credentials that are accepted.' },
    'no-rate-limit': { description: 'Switch rate limits off.' },
    latency: { value: 'DURATION', description: 'Add a delay to every answer, such as 250ms.' },
    callbacks: { value: 'loopback|any', description: 'Where callbacks may go (default: loopback, this machine only).' },
    vendor: {
      value: 'NAMES',
      description: 'Real names in the place of the word vendor: NAME[,header=NAME][,media=NAME][,engine=NAME].',
    },
    words: { value: 'FILE', description: 'More words for the dictionary.' },
  },
  examples: [
    'specmill mock',
    'specmill mock signing --port 8080',
    'specmill mock --spec petstore.yaml --port 0 --json',
  ],
  run: async (args, io) => {
    const signal = io.stopSignal();
    const { startMock } = await import('../../entry/mock.js');
    const options = mockOptions(args, io);
    const names = await chooseNames(args, io);
    refuseUselessOptions(args, names);
    const running: RunningMock[] = [];
    try {
      for (const [index, name] of names.entries()) {
        const port = portOf(name, { index, names, args });
        running.push({ name, mock: await startMock(name, { ...options, port }).catch(explainBusyPort) });
      }
      printReady(running, args, io);
      await Promise.all(running.map((one) => restartOnChange(one, signal, io)));
      return EXIT.done;
    } finally {
      await Promise.all(running.map(({ mock }) => mock.close()));
    }
  },
};

/** @throws UsageError for an option that none of the mocks to serve takes. */
function refuseUselessOptions(args: ParsedArgs, names: readonly string[]): void {
  for (const option of ['words']) {
    const takers = args.has(option) ? findApisWithOption(option) : undefined;
    if (takers === undefined || takers.some((taker) => names.includes(taker))) continue;
    const apis = takers.join(' and ');
    throw new UsageError(`The option --${option} is for the mock of ${apis}, which is not among those to serve.`);
  }
}

interface RunningMock {
  readonly name: string;
  readonly mock: Mock<object>;
}

async function chooseNames(args: ParsedArgs, io: Io): Promise<readonly string[]> {
  const names = [...new Set(args.positionals)];
  if (args.has('spec')) {
    if (names.length > 1) throw new UsageError('With --spec there is one API, so at most one name.');
    return names.length === 0 ? ['api'] : names;
  }
  if (names.length > 0) return names;
  const configFile = args.value('config');
  if (configFile === undefined && !hasConfig(io.cwd)) return BUILT_IN_APIS.filter(isServedAlone);
  const { readConfig } = await import('../../generator/generate-options.js');
  const { config, folder } = await readConfig(io.cwd, configFile);
  return Object.entries(config.apis)
    .filter(([name, { spec }]) => isServedAlone(name) && !isControlSpec([spec].flat(), folder))
    .map(([name]) => name);
}

/** Whether a mock of its own serves the API, rather than that of another one. */
function isServedAlone(name: string): boolean {
  return findBuiltInApi(name)?.servedBy === undefined;
}

/** The control interface is beside every mock, and none of its own. */
function isControlSpec(specs: readonly string[], folder: string): boolean {
  return specs.some((spec) => path.resolve(folder, spec) === path.join(packageRoot, 'specs/control/openapi.yaml'));
}

interface PortChoice {
  readonly index: number;
  readonly names: readonly string[];
  readonly args: ParsedArgs;
}

function portOf(name: string, { index, names, args }: PortChoice): number {
  const first = args.has('port') ? readNumber('port', args) : undefined;
  if (first !== undefined) return first === 0 ? 0 : first + index;
  if (args.has('spec')) return FIRST_PORT;
  const others = names.filter((other) => findBuiltInApi(other)?.port === undefined);
  return findBuiltInApi(name)?.port ?? FIRST_OTHER_PORT + others.indexOf(name);
}

function readNumber(flag: string, args: ParsedArgs): number {
  const text = args.value(flag) ?? '';
  if (/^-?\d+$/.test(text) && Number.isSafeInteger(Number(text))) return Number(text);
  throw new UsageError(`The option --${flag} must be a whole number.`);
}

function mockOptions(args: ParsedArgs, io: Io): MockOptions {
  const texts = ['host', 'latency', 'vendor', 'words', 'credentials'].flatMap((name) => {
    const value = args.value(name);
    return value === undefined ? [] : [[name, value]];
  });
  const config = args.value('config');
  const specs = args.values('spec');
  return {
    ...(Object.fromEntries(texts) as Pick<MockOptions, 'host' | 'latency' | 'vendor' | 'words' | 'credentials'>),
    cwd: io.cwd,
    onDiagnostic: (diagnostic) => printDiagnostics([diagnostic], io, { withInfos: false }),
    stateless: args.has('stateless'),
    noRateLimit: args.has('no-rate-limit'),
    ...(args.has('seed') ? { seed: readNumber('seed', args) } : {}),
    ...(args.has('validate') ? { validate: readChoice('validate', ['off', 'warn', 'error'], args) } : {}),
    ...(args.has('callbacks') ? { callbacks: readChoice('callbacks', ['loopback', 'any'], args) } : {}),
    ...(config === undefined ? {} : { config }),
    ...(specs.length === 0 ? {} : { spec: specs }),
  };
}

function readChoice<const Choice extends string>(flag: string, choices: readonly Choice[], args: ParsedArgs): Choice {
  const value = choices.find((choice) => choice === args.value(flag));
  if (value === undefined) throw new UsageError(`The option --${flag} must be one of ${choices.join(', ')}.`);
  return value;
}

function explainBusyPort(error: unknown): never {
  if (error instanceof Error && error.name === 'PortBusyError')
    throw new InputError(`${error.message} Choose another with --port.`);
  throw error;
}

/** The table of URLs; for programs one line of JSON, which says at the same time that all of them serve. */
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

/** Until the user stops it. A version that cannot be read is reported, and the one before serves on. */
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
