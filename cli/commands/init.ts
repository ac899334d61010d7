import { existsSync } from 'node:fs';
import path from 'node:path';

import { renderTemplate } from '../../generator/templates.js';
import { type SpecOptions, resolveLoading } from '../../config/option-checks.js';
import { isUrl, nameOfSpec, resolveAddress } from '../../model/document/address.js';
import { toFileName, toShellArgument } from '../../model/identifiers.js';
import { CONFIG_FILES } from '../../config/load-config.js';
import { InputError } from '../../model/diagnostics/input-error.js';
import { countOf } from '../../reports/counts.js';
import type { CommonFlags, InitCommand } from '../../generated/options/types.js';
import type { RunCommand } from '../command.js';
import { correctionLines, literal } from '../correction-lines.js';
import { EXIT, type ExitStatus, type Io, printJson, toTerminalText } from '../io.js';
import { pickOptions } from '../read-flags.js';
import { refuseExisting, writeNew } from '../write-new.js';
import { printDiagnostics } from '../print-diagnostics.js';
import type { SuggestedCorrection } from '../../resources/suggest-corrections.js';
import type { HelperProposal } from '../propose-helpers.js';

/** Relative to the folder of the configuration, which names it. */
const SAMPLE_SPEC = 'specs/tasks/openapi.yaml';

export const runInit: RunCommand<InitCommand> = async (_words, flags, io) => {
  const { spec } = flags;
  if (spec !== undefined) return initForSpec(spec, flags, io);
  const config = chooseConfig(flags, io);
  const sample = path.join(path.dirname(config), SAMPLE_SPEC);
  const files = { [sample]: 'init-spec', [config]: 'init-config' };
  const texts = Object.entries(files).map(
    ([file, template]) => [path.join(io.cwd, file), renderTemplate(template, {})] as const,
  );
  await writeNew(new Map(texts), 'init');
  if (flags.json === true) printJson(io, { written: Object.keys(files) });
  else io.out(explainSample({ sample, config }, flags));
  return EXIT.done;
};

/**
 * Returns the configuration to write, relative to the working directory.
 *
 * @throws InputError if there is one already, or `--config` names no TypeScript file.
 */
function chooseConfig({ config: given }: InitCommand, io: Io): string {
  if (given !== undefined && !given.endsWith('.ts'))
    throw new InputError('init writes a configuration in TypeScript: name a file that ends with .ts.');
  for (const file of given === undefined ? CONFIG_FILES : [given])
    refuseExisting(path.resolve(io.cwd, file), existsSync(path.resolve(io.cwd, file)), 'init');
  return path.relative(io.cwd, path.resolve(io.cwd, given ?? 'specmill.config.ts'));
}

/** What was written and why, and the commands that come next. */
function explainSample(
  { sample, config }: { readonly sample: string; readonly config: string },
  flags: InitCommand,
): string {
  const [shownSample, shownConfig] = [toTerminalText(sample), toTerminalText(config)];
  const width = Math.max(shownSample.length, shownConfig.length);
  return [
    'Wrote two files:',
    `  ${shownSample.padEnd(width)}  a sample spec: tasks that are created, read, listed, changed and deleted; replace it by your own`,
    `  ${shownConfig.padEnd(width)}  the APIs of this project: here tasks, with its spec and the folder of its code`,
    ...nextSteps('tasks', flags),
  ].join('\n');
}

function nextSteps(api: string, { config: given }: InitCommand): string[] {
  const option = given === undefined ? '' : ` --config ${toShellArgument(given)}`;
  const output = path.posix.join(path.dirname(given ?? '.').replaceAll('\\', '/'), 'generated', api);
  const steps = [
    [`npx specmill generate${option}`, `writes types, a client, validators and fixtures to ${toTerminalText(output)}`],
    [`npx specmill mock ${api}${option}`, 'serves a mock that keeps what clients create'],
  ] as const;
  const width = Math.max(...steps.map(([command]) => command.length));
  return ['Next:', ...steps.map(([command, does]) => `  ${command.padEnd(width)}  ${does}`), ''];
}

/** Writes a configuration for an existing spec. */
async function initForSpec(spec: string, flags: InitCommand & CommonFlags, io: Io): Promise<ExitStatus> {
  const file = chooseConfig(flags, io);
  const { loadApi } = await import('../../model/load-api.js');
  const options = resolveLoading(pickOptions('ReadingOptions', flags), io.cwd);
  const [{ proposeHelpers }, { suggestCorrections }, { checkCorrections }] = await Promise.all([
    import('../propose-helpers.js'),
    import('../../resources/suggest-corrections.js'),
    import('../../resources/check-corrections.js'),
  ]);
  const api = await checkCorrections(await loadApi(resolveAddress(io.cwd, spec), options));
  const parts = { proposals: proposeHelpers(api), resources: suggestCorrections(api) };
  const { proposals, resources } = parts;
  const text = printConfig(fromConfig(spec, file), { ...options, ...parts });
  await writeNew(new Map([[path.join(io.cwd, file), text]]), 'init');
  printDiagnostics(api.diagnostics, io, { withInfos: false });
  const operations = api.operations.length;
  if (flags.json === true) printJson(io, { written: [file], operations, proposals, resources });
  else {
    const unsure = resources.length === 0 ? '' : ` and ${countOf(resources.length, 'correction')}`;
    const found = `${countOf(operations, 'operation')}, with ${countOf(proposals.length, 'helper')}${unsure} to choose from`;
    io.out([`Wrote ${toTerminalText(file)} for ${found}.`, ...nextSteps(keyOf(spec), flags)].join('\n'));
  }
  return EXIT.done;
}

/** A spec as its configuration names it: paths in a configuration are relative to it. */
function fromConfig(spec: string, config: string): string {
  const folder = path.dirname(config);
  return folder === '.' || isUrl(spec) || spec.startsWith('file:') || path.isAbsolute(spec)
    ? spec
    : path.relative(folder, spec);
}

/** The name of the API in the configuration. */
function keyOf(spec: string): string {
  const name = toFileName(nameOfSpec(spec));
  return /^[a-z]/.test(name) ? name : `api-${name}`;
}

interface ConfigParts extends SpecOptions {
  readonly proposals: readonly HelperProposal[];
  readonly resources: readonly SuggestedCorrection[];
}

/**
 * Prints proposals as comments, each after its reason. Headers may be secret, so their values come from the
 * environment.
 */
function printConfig(spec: string, { headers = {}, root, proposals, resources }: ConfigParts): string {
  const key = keyOf(spec);
  const header = (one: string): string =>
    `${literal(one)}: process.env[${literal(one.toUpperCase().replaceAll(/[^A-Z0-9]+/g, '_'))}] ?? ''`;
  return [
    "import { defineConfig } from 'specmill';",
    '',
    'export default defineConfig({',
    '  apis: {',
    `    ${literal(key)}: {`,
    `      spec: ${literal(spec)},`,
    `      output: ${literal(`generated/${key}`)},`,
    ...(root === undefined ? [] : [`      root: ${literal(root)},`]),
    ...(Object.keys(headers).length === 0
      ? []
      : [`      headers: { ${Object.keys(headers).map(header).join(', ')} },`]),
    ...printProposals(proposals),
    ...printCorrections(resources),
    '    },',
    '  },',
    '});',
    '',
  ].join('\n');
}

function printProposals(proposals: readonly HelperProposal[]): string[] {
  if (proposals.length === 0) return [];
  const lines = proposals.flatMap(({ key, extension, value, reason }) => [
    `  // ${toTerminalText(`${key}: ${reason}`)}`,
    ...(value === undefined ? [] : [`  ${literal(key)}: { ${literal(extension)}: ${literal(value)} },`]),
  ]);
  return [
    '// Helpers that seem to fit, by names and types alone; check each before you use it.',
    'helpers: {',
    ...lines,
    '},',
  ].map((line) => `      // ${line}`);
}

function printCorrections(corrections: readonly SuggestedCorrection[]): string[] {
  if (corrections.length === 0) return [];
  const lines = correctionLines(corrections, { comment: '//', end: ',' }).map((line) => `  ${line}`);
  return ['// What could only be guessed about resources; keep what is true.', 'resources: {', ...lines, '},'].map(
    (line) => `      // ${line}`,
  );
}
