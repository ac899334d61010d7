import { toLiteral, toShellArgument, toShellWord } from '../../model/identifiers.js';
import { type Flag, flagsOf } from '../../config/option-schema.js';
import type { ResolvedOptions } from '../resolve-options.js';
import { Redaction, variableOf } from './hide-given-secrets.js';
import { PHASES } from '../types.js';

/**
 * The shell command that repeats a run, without secrets; for an API that was passed as an object, the function call.
 */
export function rerunCommand(
  options: Pick<ResolvedOptions, 'source' | 'url' | 'seed' | 'phases' | 'maxExamples' | 'headers' | 'given'>,
  known: readonly Flag[] = FLAGS,
): string {
  const { source, url, seed, phases, maxExamples, headers, given } = options;
  const spec = source.spec ?? [];
  const always = { url: url.href, seed, maxExamples, phases: phases.length === PHASES.length ? undefined : phases };
  const values: Readonly<Record<string, unknown>> = { ...given, ...always, spec, headers };
  const isFunction = source.api === undefined && source.spec === undefined;
  if (isFunction) {
    // Headers may be secret.
    const plain = known.filter((flag) => !isHeaders(flag) && flag.member !== 'spec' && values[flag.member] !== false);
    return `runContract({ api, ...${toLiteral(Object.fromEntries(plain.map(({ member }) => [member, values[member]])))} })`;
  }
  const isSpec = ({ member }: Flag): boolean => member === 'spec';
  // Which spec it is comes first.
  const ordered = [...known.filter(isSpec), ...known.filter((flag) => !isSpec(flag))];
  const flags = ordered.flatMap((flag) => writeFlag(flag, values[flag.member]));
  return ['specmill contract', ...(source.api === undefined ? [] : [toShellArgument(source.api)]), ...flags].join(' ');
}

const FLAGS = flagsOf('ContractOptions');

function isHeaders({ schema }: Flag): boolean {
  return schema.type === 'object';
}

function writeFlag(flag: Flag, value: unknown): string[] {
  if (value === undefined || value === false) return [];
  if (value === true) return [`--${flag.name}`];
  if (isHeaders(flag)) return writeHeaders(flag, value as Readonly<Record<string, string>>);
  if (!Array.isArray(value)) return [option(flag, withUnit(flag, value))];
  return (flag.isRepeated ? value : [value.join(',')]).map((one: string) => option(flag, one));
}

/** A number of milliseconds needs its unit on the command line. */
function withUnit({ value }: Flag, given: unknown): string {
  return typeof given === 'number' && value === 'DURATION' ? `${given}ms` : String(given);
}

function writeHeaders({ name: flag }: Flag, headers: Readonly<Record<string, string>>): string[] {
  const secrets = new Redaction();
  secrets.addHeaders(headers);
  return Object.entries(headers).map(([name, value]) =>
    secrets.hasHeader(name, value)
      ? `--${flag} ${toShellWord(`${name}: `)}"$${variableOf(`${PREFIXES[flag] ?? ''}${name}`)}"`
      : `--${flag} ${toShellWord(`${name}: ${value}`)}`,
  );
}

/** The prefix of the variable of a secret, where a run has several headers of one name. */
const PREFIXES: Readonly<Record<string, string>> = { 'other-header': 'other-', 'spec-header': 'spec-' };

/** A flag and its value. A value with a leading dash would be taken as a flag of its own. */
function option({ name }: Flag, value: string): string {
  return `--${name}${value.startsWith('-') ? '=' : ' '}${toShellArgument(value)}`;
}
