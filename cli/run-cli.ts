import { suggestName } from '../model/diagnostics/closest-name.js';
import { readPackageVersion } from '../model/package-info.js';
import { describeCommands } from './command.js';
import { COMMANDS } from './commands/index.js';
import { EXIT, type ExitStatus, type Io } from './io.js';
import { parseCommandArgs } from './parse-args.js';
import { printError } from './print-error.js';
import { printCommandHelp, printOverview } from './print-help.js';
import { readFlags } from './read-flags.js';
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
  const commands = describeCommands();
  if (name === undefined || name === '--help' || name === '-h' || name === 'help') {
    const print = name === undefined ? io.err : io.out;
    print(printOverview(Object.keys(COMMANDS).flatMap((one) => commands.get(one) ?? [])));
    // A failure if the help was not requested, because nothing was done.
    return name === undefined ? EXIT.failed : EXIT.done;
  }
  if (name === '--version' || name === '-v') {
    io.out(`${readPackageVersion()}\n`);
    return EXIT.done;
  }
  const load = Object.hasOwn(COMMANDS, name) ? COMMANDS[name] : undefined;
  const command = commands.get(name);
  if (load === undefined || command === undefined) throw unknownCommand(name);
  const args = parseCommandArgs(command, rest);
  if (args.texts.has('help')) {
    io.out(printCommandHelp(command));
    return EXIT.done;
  }
  const flags = await readFlags(command, args, io.cwd);
  const run = await load();
  // Cast: the flags fit the schema of the command.
  return run(args.words, flags as never, io);
}

function unknownCommand(name: string): UsageError {
  const what = name.startsWith('-') ? 'option' : 'command';
  const suggestion = suggestName(name, what === 'option' ? ['--help', '--version'] : Object.keys(COMMANDS));
  return new UsageError(`There is no ${what} ${name}.${suggestion || ' "specmill --help" lists the commands.'}`);
}
