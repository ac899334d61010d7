import { describeDefault, type Flag } from '../config/option-schema.js';
import type { Command } from './command.js';

/** The help of specmill: its commands. */
export function printOverview(commands: Iterable<Command>): string {
  return [
    'specmill: from OpenAPI and JSON Schema to typed clients, validators, fixtures, mock servers,',
    'contract tests, a validating proxy and a diff of specs',
    '',
    'Example: specmill mock openapi.yaml',
    'Usage: specmill <command> [options]',
    '',
    'Commands:',
    ...columns([...commands].map(({ name, summary }) => [name, summary])),
    '',
    '"specmill <command> --help" explains a command; "specmill --version" prints the version.',
    'Exit status: 0 done; 1 the check found something; 2 wrong use or broken input.',
    '',
  ].join('\n');
}

/** The help of a command, which starts with one example. */
export function printCommandHelp({ name, usage, summary, flags, notes, examples }: Command): string {
  const [example = '', ...more] = examples;
  return [
    `Example: ${example}`,
    '',
    summary,
    '',
    `Usage: specmill ${name} ${usage}`.trimEnd(),
    '',
    'Options:',
    ...columns(flags.map((flag) => [showFlag(flag), describeFlag(flag)])),
    ...(notes.length === 0 ? [] : ['', ...notes]),
    '',
    'More examples:',
    ...more.map((one) => `  ${one}`),
    '',
  ].join('\n');
}

function showFlag({ name, value }: Flag): string {
  return `--${name}${value === undefined ? '' : ` ${value}`}`;
}

/** The first sentence of the description, and the default. */
function describeFlag({ schema }: Flag): string {
  const [sentence = ''] = (schema.description ?? '').replaceAll('`', '').split(/(?<=\.) (?=[A-Z*])/);
  const value = describeDefault(schema);
  return value === '' ? sentence : `${sentence.replace(/\.$/, '')} (default: ${value}).`;
}

function columns(rows: readonly (readonly [string, string])[]): string[] {
  const width = Math.max(...rows.map(([left]) => left.length));
  return rows.map(([left, right]) => `  ${left.padEnd(width)}  ${right}`);
}
