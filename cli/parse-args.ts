import { parseArgs as parseNodeArgs } from 'node:util';

import type { Flag } from '../config/option-schema.js';
import { suggestName } from '../model/diagnostics/closest-name.js';
import { getOrInsert } from '../model/maps.js';
import type { Command } from './command.js';
import { UsageError } from './usage-error.js';
import { stringifyExactJson } from '../runtime/json-integers.js';

/** The arguments of a command as texts. */
export interface ParsedArgs {
  readonly words: readonly string[];
  /** The values of each given flag, by name; empty texts for a switch. */
  readonly texts: ReadonlyMap<string, readonly string[]>;
}

/**
 * Reads the arguments of a command (without its name).
 *
 * @throws UsageError for an unknown option, a missing or superfluous value, or a wrong number of arguments.
 */
export function parseCommandArgs(command: Command, argv: readonly string[]): ParsedArgs {
  const flags = new Map(command.flags.map((flag) => [flag.name, flag]));
  const options = Object.fromEntries(
    command.flags.map(({ name, value }) => [
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
  const words: string[] = [];
  const texts = new Map<string, string[]>();
  for (const token of tokens) {
    if (token.kind === 'positional') words.push(token.value);
    if (token.kind !== 'option') continue;
    const flag = flags.get(token.name);
    if (flag === undefined)
      throw new UsageError(
        `There is no option ${token.rawName} of "specmill ${command.name}".${suggestName(token.name, flags.keys(), (name) => `--${name}`)}`,
      );
    const given = getOrInsert(texts, token.name, () => []);
    given.push(checkValue(flag, token.value, given.length > 0));
  }
  if (!texts.has('help')) checkArity(command, words);
  return { words, texts };
}

function checkValue({ name, value, isRepeated }: Flag, given: string | undefined, isRepeat: boolean): string {
  if (value === undefined) {
    if (given !== undefined) throw new UsageError(`The option --${name} takes no value.`);
    return '';
  }
  if (given === undefined || given === '' || given.startsWith('--'))
    throw new UsageError(`The option --${name} needs a value: --${name} ${value}.`);
  if (isRepeat && !isRepeated) throw new UsageError(`The option --${name} is given twice.`);
  return given;
}

function checkArity({ name, usage, least, most }: Command, words: readonly string[]): void {
  const problem =
    words.length < least
      ? 'Missing argument'
      : words.length > most
        ? `Unexpected argument ${stringifyExactJson(words[most])}`
        : undefined;
  if (problem !== undefined)
    throw new UsageError(`${problem}; the usage is "${`specmill ${name} ${usage}`.trimEnd()}".`);
}

/** `-h` is the only short option. */
function expandShort(argv: readonly string[]): string[] {
  const end = argv.indexOf('--');
  return argv.map((arg, index) => (arg === '-h' && (end === -1 || index < end) ? '--help' : arg));
}
