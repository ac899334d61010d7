import { toLiteral, toShellWord } from '../../model/identifiers.js';
import type { RepeatedOption, ResolvedOptions } from '../resolve-options.js';
import { Redaction, variableOf } from './hide-given-secrets.js';
import { PHASES } from '../types.js';

/**
 * The shell command that repeats a run, without secrets; for an API that was passed as an object, the function call.
 */
export function rerunCommand(
  options: Pick<ResolvedOptions, 'source' | 'url' | 'seed' | 'phases' | 'maxExamples' | 'headers' | 'given'>,
): string {
  const { source, url, seed, phases, maxExamples, headers, given } = options;
  const isWhole = phases.length === PHASES.length;
  if (source.api === undefined && source.spec === undefined) {
    const names = Object.keys(FLAGS) as RepeatedOption[];
    const own = {
      ...(isWhole ? {} : { phases }),
      ...Object.fromEntries(names.filter((name) => isGiven(given[name])).map((name) => [name, given[name]])),
    };
    return `runContract({ api, ...${toLiteral({ url: url.href, seed, maxExamples, ...own })} })`;
  }
  const secrets = new Redaction();
  secrets.addHeaders(headers);
  const words = [
    'specmill contract',
    ...(source.api === undefined ? [] : [word(source.api)]),
    ...(source.spec ?? []).map((file) => option('--spec', file)),
    `--url ${word(url.href)}`,
    `--seed ${seed}`,
    ...(isWhole ? [] : [`--phase ${phases.join(',')}`]),
    `--max-examples ${maxExamples}`,
    ...Object.entries(FLAGS).flatMap(([name, flag]) => writeFlag(flag, given[name as RepeatedOption])),
    ...Object.entries(headers).map(([name, value]) =>
      secrets.hasHeader(name, value)
        ? `--header ${toShellWord(`${name}: `)}"$${variableOf(name)}"`
        : `--header ${toShellWord(`${name}: ${value}`)}`,
    ),
  ];
  return words.join(' ');
}

/** The command-line flags of options, which are repeated if they were given. */
const FLAGS: Readonly<Record<RepeatedOption, string>> = {
  timeLimit: '--time-limit',
  maxTime: '--max-time',
  concurrency: '--concurrency',
  vendor: '--vendor',
  config: '--config',
  includeOperations: '--include',
  excludeOperations: '--exclude',
  shard: '--shard',
  insecure: '--insecure',
  readOnly: '--read-only',
  touchExisting: '--touch-existing',
};

const TIMES: ReadonlySet<string> = new Set([FLAGS.timeLimit, FLAGS.maxTime]);

function isGiven(value: unknown): boolean {
  return value !== undefined && value !== false;
}

function writeFlag(flag: string, value: ResolvedOptions['given'][RepeatedOption]): string[] {
  if (value === undefined || value === false) return [];
  if (value === true) return [flag];
  if (Array.isArray(value)) return value.map((one: string) => option(flag, one));
  // A number of milliseconds needs its unit on the command line.
  const text = typeof value === 'number' && TIMES.has(flag) ? `${value}ms` : String(value);
  return [option(flag, text)];
}

/** A flag and its value. A value with a leading dash would be taken as a flag of its own. */
function option(flag: string, value: string): string {
  return `${flag}${value.startsWith('-') ? '=' : ' '}${word(value)}`;
}

/** Quotes a text for a shell unless it is one plain word. */
function word(text: string): string {
  return /^[\w./:@%+,-]+$/.test(text) ? text : toShellWord(text);
}
