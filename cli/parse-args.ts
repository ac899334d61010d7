import { parseArgs as parseNodeArgs } from 'node:util';

import { suggestName } from '../model/diagnostics/closest-name.js';
import { COMMON_FLAGS, type Command, type Flag, type Flags } from './command.js';
import { ParsedArgs } from './parsed-args.js';
import { UsageError } from './usage-error.js';

/**
 * Reads the arguments of a command (without its name).
 *
 * @throws UsageError for an unknown option, a missing or superfluous value, or a wrong number of arguments.
 */
export function parseCommandArgs(command: Command, argv: readonly string[]): ParsedArgs {
  const flags: Flags = { ...command.flags, ...COMMON_FLAGS };
  const options = Object.fromEntries(
    Object.entries(flags).map(([name, { value }]) => [
      name,
      { type: value === undefined ? ('boolean' as const) : ('string' as const) },
    ]),
  );
  const { tokens } = parseNodeArgs({
    args: expandShort(argv),
    options,
    strict: false,
    allowPositionals: true,
    tokens: true,
  });
  const positionals: string[] = [];
  const values = new Map<string, string[]>();
  for (const token of tokens) {
    if (token.kind === 'positional') positionals.push(token.value);
    if (token.kind !== 'option') continue;
    const flag = Object.hasOwn(flags, token.name) ? flags[token.name] : undefined;
    if (flag === undefined)
      throw new UsageError(
        `There is no option ${token.rawName} of "specmill ${command.name}".${suggestName(token.name, Object.keys(flags), (name) => `--${name}`)}`,
      );
    const given = values.get(token.name) ?? [];
    values.set(token.name, [
      ...given,
      checkValue(token.name, flag, { value: token.value, isRepeat: given.length > 0 }),
    ]);
  }
  const args = new ParsedArgs(positionals, values);
  if (!args.has('help')) checkArity(command, positionals);
  return args;
}

function checkValue(
  name: string,
  flag: Flag,
  given: { readonly value: string | undefined; readonly isRepeat: boolean },
): string {
  if (flag.value === undefined) {
    if (given.value !== undefined) throw new UsageError(`The option --${name} takes no value.`);
    return '';
  }
  if (given.value === undefined || given.value === '' || given.value.startsWith('--'))
    throw new UsageError(`The option --${name} needs a value: --${name} ${flag.value}.`);
  if (given.isRepeat && flag.repeated !== true) throw new UsageError(`The option --${name} is given twice.`);
  return given.value;
}

function checkArity({ name, usage, arity }: Command, positionals: readonly string[]): void {
  const problem =
    positionals.length < arity.least
      ? 'Missing argument'
      : positionals.length > arity.most
        ? `Unexpected argument ${JSON.stringify(positionals[arity.most])}`
        : undefined;
  if (problem !== undefined)
    throw new UsageError(`${problem}; the usage is "${`specmill ${name} ${usage}`.trimEnd()}".`);
}

/** `-h` is the only short option. */
function expandShort(argv: readonly string[]): string[] {
  const end = argv.indexOf('--');
  return argv.map((arg, index) => (arg === '-h' && (end === -1 || index < end) ? '--help' : arg));
}
