import path from 'node:path';

import { describeProblem, type Flag, optionsOf, OPTION_SCHEMAS } from '../config/option-schema.js';
import { findOptionErrors } from '../config/read-options.js';
import type { SpecOptions } from '../config/option-checks.js';
import type { ContractOptions, CoverageOptions } from '../entry/contract.js';
import type { MockOptions, ProxyOptions } from '../entry/mock.js';
import type { ExplainOptions, GenerateOptions } from '../entry/specmill.js';
import { readTextFile } from '../model/document/read-input-file.js';
import type { Command } from './command.js';
import type { ParsedArgs } from './parse-args.js';
import { UsageError } from './usage-error.js';

/**
 * Reads the values of flags as the schema of the command describes them.
 *
 * @throws UsageError if a value does not fit the schema, or a required flag is missing.
 */
export async function readFlags(command: Command, { texts }: ParsedArgs, cwd: string): Promise<object> {
  const given: [string, unknown][] = [];
  for (const flag of command.flags) {
    const own = texts.get(flag.name);
    if (own !== undefined) given.push([flag.member, await readValue(flag, own, cwd)]);
  }
  const flags = Object.fromEntries(given);
  checkFlags(command, flags);
  return flags;
}

function checkFlags(command: Command, flags: object): void {
  const errors = findOptionErrors(command.schema, flags);
  const named = (pointer: string): Flag | undefined =>
    command.flags.find(({ member }) => member === pointer.split('/')[1]);
  const missing = errors[0]?.params['missingProperty'];
  const flag = named(`/${String(missing)}`);
  if (flag !== undefined) throw new UsageError(`Missing --${flag.name} ${flag.value}: ${flag.schema['x-missing']}.`);
  const problem = describeProblem(errors, command.schema, (pointer) => `The option --${named(pointer)?.name}`);
  if (problem !== undefined) throw new UsageError(problem.message);
}

/** The value that the texts of a flag stand for. A text that is no number stays one, which the schema then refuses. */
async function readValue(
  { name, value, isRepeated, schema }: Flag,
  texts: readonly string[],
  cwd: string,
): Promise<unknown> {
  const [text = ''] = texts;
  if (value === undefined) return true;
  if (schema.type === 'object')
    return parseHeaders(name, value.includes('@FILE') ? await readLines(texts, cwd) : texts);
  if (isRepeated) return texts;
  if (schema.type === 'integer')
    return /^-?\d+$/.test(text) && Number.isSafeInteger(Number(text)) ? Number(text) : text;
  if (schema.type !== 'array') return text;
  return text
    .split(',')
    .map((item) => item.trim())
    .filter((item) => item !== '');
}

/** The given lines and those in files (`@FILE`), which keep credentials out of the process list. */
async function readLines(texts: readonly string[], cwd: string): Promise<readonly string[]> {
  const lines: string[] = [];
  for (const text of texts) {
    const file = text.startsWith('@') ? await readTextFile(path.resolve(cwd, text.slice(1))) : text;
    lines.push(...file.split(/\r?\n/).filter((line) => line.trim() !== ''));
  }
  return lines;
}

/** @throws UsageError if a line is not a header. */
function parseHeaders(flag: string, lines: readonly string[]): Record<string, string> {
  return Object.fromEntries(
    lines.map((line) => {
      const { name, value } = /^(?<name>[!#$%&'*+.^_`|~\w-]+):(?<value>[\t\u0020-\u007e]*)$/.exec(line)?.groups ?? {};
      if (name === undefined || value === undefined)
        throw new UsageError(`The option --${flag} is written 'Name: value'.`);
      return [name.toLowerCase(), value.trim()];
    }),
  );
}

/** The options of functions that commands pass on, by the names of their schemas. */
interface PassedOptions {
  readonly GenerateOptions: GenerateOptions;
  readonly MockOptions: MockOptions;
  readonly ProxyOptions: ProxyOptions;
  readonly ContractOptions: ContractOptions;
  readonly CoverageOptions: CoverageOptions;
  readonly ExplainOptions: ExplainOptions;
  readonly ReadingOptions: SpecOptions;
}

/** The flags that are options of a function. */
export function pickOptions<Name extends keyof PassedOptions>(name: Name, flags: object): PassedOptions[Name] {
  const members = optionsOf(OPTION_SCHEMAS[name] ?? {});
  // Cast: the flags fit the schema of the command, which extends that of the options.
  return Object.fromEntries(
    Object.entries(flags).filter(([member]) => Object.hasOwn(members, member)),
  ) as PassedOptions[Name];
}
