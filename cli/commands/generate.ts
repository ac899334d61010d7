import path from 'node:path';

import { type GenerateResult, generate } from '../../generator/generate.js';
import type { GenerateOptions } from '../../generator/generate-options.js';
import { toFileName } from '../../model/identifiers.js';
import type { Command } from '../command.js';
import { reportRun, runStatus } from '../generate-report.js';
import type { Io } from '../io.js';
import type { ParsedArgs } from '../parsed-args.js';
import { createProgress } from '../progress.js';
import { UsageError } from '../usage-error.js';

/** `specmill generate`. */
export const generateCommand: Command = {
  name: 'generate',
  summary: 'Generate types, clients, validators and fixtures from specs.',
  usage: '[api...]',
  arity: { least: 0, most: Infinity },
  flags: {
    check: { description: 'Write nothing; exit 1 where the output is out of date.' },
    watch: { description: 'Generate again whenever a spec or the configuration changes.' },
    spec: {
      value: 'FILE',
      repeated: true,
      description: 'A spec without a configuration; needs --out. An argument names the API.',
    },
    out: { value: 'DIR', description: 'The output folder for --spec.' },
    only: { value: 'PARTS', description: 'Some of types,client,validators,fixtures (default: all).' },
    vendor: {
      value: 'NAMES',
      description: 'Real names in the place of the word vendor: NAME[,header=NAME][,media=NAME][,engine=NAME].',
    },
    strict: { description: 'Take any diagnostic as an error.' },
    'allow-remote': { description: 'Follow references to http: and https: addresses.' },
  },
  examples: [
    'specmill generate',
    'specmill generate signing --check',
    'specmill generate --spec petstore.yaml --out src/petstore --only types,client',
  ],
  run: async (args, io) => {
    if (args.has('watch') && args.has('check')) throw new UsageError('--watch and --check cannot be used together.');
    const options = generateOptions(args, io);
    if (!args.has('watch')) return runStatus(await runOnce(options, args, io));
    const { watchRuns } = await import('../watch-generate.js');
    return watchRuns(() => runOnce(options, args, io), { io, configFile: args.value('config') });
  },
};

async function runOnce(options: GenerateOptions, args: ParsedArgs, io: Io): Promise<GenerateResult> {
  const progress = createProgress(io);
  try {
    const result = await generate({ ...options, onProgress: progress.show });
    progress.clear();
    reportRun(result, args, io);
    return result;
  } finally {
    progress.clear();
  }
}

function generateOptions(args: ParsedArgs, io: Io): GenerateOptions {
  const only = args.list('only');
  if (only?.length === 0)
    throw new UsageError('The option --only needs at least one part, such as --only types,client.');
  const vendor = args.value('vendor');
  const options = {
    cwd: io.cwd,
    check: args.has('check'),
    strict: args.has('strict'),
    allowRemote: args.has('allow-remote'),
    ...(only === undefined ? {} : { only }),
    ...(vendor === undefined ? {} : { vendor }),
  };
  const configFile = args.value('config');
  const specs = args.values('spec');
  if (specs.length > 0) return { ...options, config: { apis: specConfig(specs, args) } };
  if (args.has('out'))
    throw new UsageError('The option --out goes with --spec; the configuration names the output of its APIs.');
  return { ...options, apis: args.positionals, ...(configFile === undefined ? {} : { configFile }) };
}

function specConfig(
  specs: readonly string[],
  args: ParsedArgs,
): Record<string, { spec: readonly string[]; output: string }> {
  const output = args.value('out');
  if (output === undefined) throw new UsageError('The option --spec needs --out DIR.');
  const [name, ...others] = args.positionals;
  if (others.length > 0) throw new UsageError('With --spec there is one API, so at most one name.');
  return { [name ?? nameOfSpec(specs[0] ?? '', output)]: { spec: specs, output } };
}

/** The name of the file, or of the output folder where the file's says nothing. */
function nameOfSpec(spec: string, output: string): string {
  const file = path.basename(spec).replace(/(\.(json|ya?ml|schema|openapi|swagger))+$/i, '');
  const isTelling = !/^(open-?api|swagger|api|index|spec|schema|root|main)?$/i.test(file);
  const name = toFileName(isTelling ? file : path.basename(path.resolve(output)));
  return /^[a-z]/.test(name) ? name : `api-${name}`;
}
