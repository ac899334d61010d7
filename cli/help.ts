import { COMMON_FLAGS, type Command, type Flags } from './command.js';

/** The help of specmill as a whole. */
export function printOverview(commands: readonly Command[]): string {
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

/** The help of one command. */
export function printCommandHelp({ name, usage, summary, flags, notes = [], examples }: Command): string {
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
