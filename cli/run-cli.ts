import { suggestName } from '../model/diagnostics/closest-name.js';
import { readPackageVersion } from '../model/package-info.js';
import { type Command, COMMON_FLAGS, type Flags } from './command.js';
import { COMMANDS } from './commands/index.js';
import { EXIT, type ExitStatus, type Io } from './io.js';
import { parseCommandArgs } from './parse-args.js';
import { printError } from './print-error.js';
import { UsageError } from './usage-error.js';

/**
 * Runs specmill with its arguments and returns the exit status. Prints only through `io`; never throws.
 *
 * @example const status = await runCli(['generate', '--check'], io);
 */
export async function runCli(argv: readonly string[], io: Io): Promise<ExitStatus> {
  const isDebug = argv.includes('--debug');
  const isJson = argv.includes('--json');
  try {
    return await dispatch(argv, io);
  } catch (error) {
    printError(error, io, { isDebug, isJson });
    return EXIT.failed;
  }
}

async function dispatch(argv: readonly string[], io: Io): Promise<ExitStatus> {
  const [name, ...rest] = argv;
  const [topic] = rest;
  if (name === 'help' && topic !== undefined) return dispatch([topic, '--help'], io);
  if (name === undefined || name === '--help' || name === '-h' || name === 'help')
    return printHelp(name === undefined ? io.err : io.out, name === undefined);
  if (name === '--version' || name === '-v') {
    io.out(`${readPackageVersion()}\n`);
    return EXIT.done;
  }
  const command = await findCommand(name);
  const args = parseCommandArgs(command, rest);
  if (!args.has('help')) return command.run(args, io);
  io.out(printCommandHelp(command));
  return EXIT.done;
}

async function findCommand(name: string): Promise<Command> {
  const load = Object.hasOwn(COMMANDS, name) ? COMMANDS[name] : undefined;
  if (load !== undefined) return load();
  const what = name.startsWith('-') ? 'option' : 'command';
  const suggestion = suggestName(name, what === 'option' ? ['--help', '--version'] : Object.keys(COMMANDS));
  throw new UsageError(`There is no ${what} ${name}.${suggestion || ' "specmill --help" lists the commands.'}`);
}

/** Prints the help. Returns a failure if it was not requested, because nothing was done. */
async function printHelp(print: (text: string) => void, isWrongUse: boolean): Promise<ExitStatus> {
  const commands = await Promise.all(Object.values(COMMANDS).map((load) => load()));
  print(printOverview(commands));
  return isWrongUse ? EXIT.failed : EXIT.done;
}

function printOverview(commands: readonly Command[]): string {
  const rows = commands.map(({ name, summary }) => [name, summary] as const);
  return [
    'specmill: from OpenAPI and JSON Schema to typed clients, validators, fixtures, mock servers,',
    'contract tests, a validating proxy and a diff of specs',
    '',
    'Usage: specmill <command> [options]',
    '',
    'Commands:',
    ...columns(rows),
    '',
    '"specmill <command> --help" explains a command; "specmill --version" prints the version.',
    'Exit status: 0 done; 1 the check found something; 2 wrong use or broken input.',
    '',
  ].join('\n');
}

function printCommandHelp({ name, usage, summary, flags, notes = [], examples }: Command): string {
  return [
    summary,
    '',
    `Usage: specmill ${name} ${usage}`.trimEnd(),
    '',
    'Options:',
    ...columns(flagRows({ ...flags, ...COMMON_FLAGS })),
    ...(notes.length === 0 ? [] : ['', ...notes]),
    ...(examples.length === 0 ? [] : ['', 'Examples:', ...examples.map((example) => `  ${example}`)]),
    '',
  ].join('\n');
}

function flagRows(flags: Flags): (readonly [string, string])[] {
  return Object.entries(flags).map(([name, { value, description }]) => [
    `--${name}${value === undefined ? '' : ` ${value}`}`,
    description,
  ]);
}

function columns(rows: readonly (readonly [string, string])[]): string[] {
  const width = Math.max(...rows.map(([left]) => left.length));
  return rows.map(([left, right]) => `  ${left.padEnd(width)}  ${right}`);
}
