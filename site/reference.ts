import { readFileSync } from 'node:fs';
import path from 'node:path';

import { type Command, describeCommands } from '../cli/command.js';
import { COMMANDS } from '../cli/commands/index.js';
import { describeDefault, OPTION_SCHEMAS, optionsOf } from '../config/option-schema.js';
import { fillTables } from '../docs/print-options.js';
import { loadApi } from '../model/load-api.js';
import type { Page } from './pages.js';

const root = path.join(import.meta.dirname, '..');

/** The pages that are made from the schema of the options, the schema of the extensions and the spec of the control interface. */
export async function makeReference(): Promise<readonly Page[]> {
  const page = (slug: string, title: string, text: string): Page => ({
    slug: `reference/${slug}`,
    title,
    group: 'Reference',
    text,
    // Descriptions have the links of the guides that show them.
    source: `docs/${slug}`,
  });
  return [
    page('commands', 'Commands', printCommands()),
    page('configuration', 'Configuration', printConfiguration()),
    page('extensions', 'Extensions', printExtensions()),
    page('control', 'Control interface of mocks', await printControl()),
  ];
}

function printCommands(): string {
  const commands = describeCommands();
  const parts = Object.keys(COMMANDS).flatMap((name) => {
    const command = commands.get(name);
    return command === undefined ? [] : [printCommand(command, commands)];
  });
  return [
    '`--json` prints a machine-readable result, `--debug` a stack trace, `--help` explains a command.',
    ...parts,
  ].join('\n\n');
}

function printCommand(
  { name, summary, usage, notes, examples }: Command,
  commands: ReadonlyMap<string, Command>,
): string {
  const table = fillTables(`<!-- options of ${name} -->\n<!-- end of options -->`, commands).replaceAll(
    /<!--.*?-->/g,
    '',
  );
  // The descriptions of options link to headings of the guide that has the same table.
  const linked = table.trim().replaceAll('](#', `](${name === 'mock' ? 'mocks' : name}.md#`);
  const example = `\`\`\`sh\n${examples.map((one) => `npx ${one.replaceAll('&& ', '&& npx ')}`).join('\n')}\n\`\`\``;
  const lines = [
    `## ${name}`,
    summary,
    `\`${`specmill ${name} ${usage}`.trimEnd()}\``,
    example,
    linked,
    ...notes.map(escapeCell),
  ];
  return lines.join('\n\n');
}

function printConfiguration(): string {
  const parts = ['Configuration', 'ApiConfiguration', 'Selection', 'ContractConfiguration', 'DiffConfiguration'].map(
    (name) => {
      const rows = Object.entries(optionsOf(OPTION_SCHEMAS[name] ?? {})).map(
        ([member, schema]) =>
          `| \`${member}\` | ${describeDefault(schema)} | ${escapeCell(schema.description ?? '')} |`,
      );
      return [
        `## ${TITLES[name] ?? name}`,
        ['| member | default | meaning |', '| --- | --- | --- |', ...rows].join('\n'),
      ].join('\n\n');
    },
  );
  const intro =
    '`specmill.config.ts`, or `.js`, `.mjs`, `.cjs`, `.json`, `.yaml`. `defineConfig` types it; in JSON and YAML, `$schema` may name `node_modules/specmill/config/specmill.schema.json`.';
  return [intro, ...parts].join('\n\n');
}

const TITLES: Readonly<Record<string, string>> = {
  Configuration: 'The file',
  ApiConfiguration: 'apis.NAME',
  Selection: 'include and exclude',
  ContractConfiguration: 'contract',
  DiffConfiguration: 'diff',
};

interface Extensions {
  readonly description: string;
  readonly properties: Readonly<Record<string, Extension>>;
}

interface Extension {
  readonly description?: string;
  readonly 'x-on'?: readonly string[];
  readonly examples?: readonly unknown[];
}

function printExtensions(): string {
  const schema = JSON.parse(readFileSync(path.join(root, 'specs/extensions.schema.json'), 'utf8')) as Extensions;
  const parts = Object.entries(schema.properties).map(([name, extension]) => {
    const [example] = extension.examples ?? [];
    const block =
      example === undefined ? '' : `\n\n\`\`\`json\n${JSON.stringify({ [name]: example }, undefined, 2)}\n\`\`\``;
    const places = (extension['x-on'] ?? []).map((place) => `\`${place}\``).join(', ');
    return `## ${name}\n\n${escapeText(extension.description ?? '')}\n\nOn: ${places}.${block}`;
  });
  return [escapeText(schema.description), ...parts].join('\n\n');
}

async function printControl(): Promise<string> {
  const api = await loadApi(path.join(root, 'specs/control/openapi.yaml'));
  const parts = api.operations.map((operation) => {
    const statuses = operation.responses.map(({ status }) => status).join(', ');
    const text = operation.description ?? operation.summary ?? '';
    const line = `\`${operation.method.toUpperCase()} ${operation.path}\` responds with ${statuses}.`;
    return `## ${operation.id}\n\n${line}\n\n${escapeText(text)}`;
  });
  return [escapeText(api.description ?? ''), ...parts].join('\n\n');
}

/** A text of a schema in a cell of a table. */
function escapeCell(text: string): string {
  return escapeText(text)
    .replaceAll('|', String.raw`\|`)
    .replaceAll('\n', ' ');
}

/** Angle brackets outside of code would be markup. */
function escapeText(text: string): string {
  return text
    .split(/(`[^`]*`)/)
    .map((part) => (part.startsWith('`') ? part : part.replaceAll('<', '&lt;')))
    .join('');
}
