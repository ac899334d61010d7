import type { SpecOptions } from '../config/option-checks.js';
import { InputError } from '../model/diagnostics/input-error.js';
import type { Flags } from './command.js';
import type { ParsedArgs } from './parsed-args.js';
import { UsageError } from './usage-error.js';

/** `--vendor`, for all commands that read a spec. */
export const VENDOR_FLAG: Flags = {
  vendor: {
    value: 'NAMES',
    description: 'Real names for the word vendor: NAME[,header=NAME][,media=NAME][,engine=NAME].',
  },
};

/** Options for reading a spec, for all commands that take one. */
export const READ_FLAGS: Flags = {
  header: { value: "'K: V'", repeated: true, description: 'Sent when a spec is fetched from a URL.' },
  'allow-remote': { description: "Follow references to other hosts than the spec's." },
  root: {
    value: 'DIR',
    description: 'The folder that local references may not leave (default: the spec’s folder).',
  },
};

/** `--spec`, for commands whose argument names an API. */
export const SPEC_FLAG: Flags = {
  spec: {
    value: 'FILE|URL',
    repeated: true,
    description: 'A spec without a configuration; several make one API. An argument may also be a path or URL.',
  },
};

/** Reads {@link READ_FLAGS}. */
export function readReadOptions(args: ParsedArgs): SpecOptions {
  return {
    ...(args.has('header') ? { headers: readHeaders('header', args) } : {}),
    ...readSwitches({ allowRemote: 'allow-remote' }, args),
    ...readTexts(['root'], args),
  };
}

/** @throws UsageError if a value is not a header. */
export function readHeaders(flag: string, args: ParsedArgs): Record<string, string> {
  return parseHeaders(flag, args.values(flag));
}

/** @throws UsageError if a line is not a header. */
export function parseHeaders(flag: string, lines: readonly string[]): Record<string, string> {
  return Object.fromEntries(
    lines.map((line) => {
      const { name, value } = /^(?<name>[!#$%&'*+.^_`|~\w-]+):(?<value>[\t\u0020-\u007e]*)$/.exec(line)?.groups ?? {};
      if (name === undefined || value === undefined)
        throw new UsageError(`The option --${flag} is written 'Name: value'.`);
      return [name.toLowerCase(), value.trim()];
    }),
  );
}

/** @throws UsageError if the value is not a whole number. */
export function readWholeNumber(flag: string, args: ParsedArgs): number {
  const text = args.value(flag) ?? '';
  if (/^-?\d+$/.test(text) && Number.isSafeInteger(Number(text))) return Number(text);
  throw new UsageError(`The option --${flag} must be a whole number.`);
}

/** @throws UsageError if the value is not one of the choices. */
export function readChoice<const Choice extends string>(
  flag: string,
  choices: readonly Choice[],
  args: ParsedArgs,
): Choice | undefined {
  const text = args.value(flag);
  const choice = choices.find((one) => one === text);
  if (text !== undefined && choice === undefined)
    throw new UsageError(`The option --${flag} must be one of ${choices.join(', ')}.`);
  return choice;
}

/** The values of the given options, by the names that the package's functions use for them. */
export function readTexts<const Name extends string>(
  names: readonly Name[],
  args: ParsedArgs,
): Partial<Record<Name, string>> {
  const flags = Object.fromEntries(names.map((name): [string, string] => [name, name])) as Record<Name, string>;
  return readGiven(flags, args, (flag) => args.value(flag) ?? '');
}

/** `true` for each given flag. */
export function readSwitches<Name extends string>(
  flags: Readonly<Record<Name, string>>,
  args: ParsedArgs,
): Partial<Record<Name, true>> {
  return readGiven(flags, args, () => true);
}

/** The options whose flags were given. */
export function readGiven<Name extends string, Value>(
  flags: Readonly<Record<Name, string>>,
  args: ParsedArgs,
  read: (flag: string) => Value,
): Partial<Record<Name, Value>> {
  const given = Object.entries<string>(flags).filter(([, flag]) => args.has(flag));
  return Object.fromEntries(given.map(([name, flag]) => [name, read(flag)])) as Partial<Record<Name, Value>>;
}

/** Adds the flag that selects another port to the error for a port in use. */
export function explainBusyPort(error: unknown): never {
  if (error instanceof Error && error.name === 'PortBusyError')
    throw new InputError(`${error.message} Choose another with --port.`);
  throw error;
}
