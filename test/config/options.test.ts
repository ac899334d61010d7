import { readFileSync } from 'node:fs';
import path from 'node:path';

import { expect, test } from 'vitest';

import { describeCommands } from '../../cli/command.js';
import { parseCommandArgs } from '../../cli/parse-args.js';
import { printCommandHelp } from '../../cli/print-help.js';
import { readFlags } from '../../cli/read-flags.js';
import { importModule } from '../../config/import-module.js';
import { describeProblem, flagsOf, type OptionSchemas } from '../../config/option-schema.js';
import { applyDefaults } from '../../config/read-options.js';
import { rerunCommand } from '../../contract/findings/rerun-command.js';
import { PHASES } from '../../contract/types.js';
import { fillTables, printOptionFiles, readProjectFile } from '../../docs/print-options.js';
import { generate } from '../../entry/specmill.js';
import { readConfig } from '../../generator/generate-options.js';
import { packageRoot } from '../../model/package-info.js';
import { tempFolder } from '../support/temp-folder.js';

test.each([...printOptionFiles()])('%s lists the current options (npm run docs updates it)', (file, text) => {
  expect(readProjectFile(file)).toBe(text);
});

test('an option that is added to the schema is in types, defaults, checks, flags, help, guides and the line that repeats a run', async () => {
  const schema = JSON.parse(readFileSync(path.join(packageRoot, 'config/options.schema.json'), 'utf8')) as {
    $defs: Record<string, { properties: Record<string, object> }>;
  };
  const pace = {
    description: 'The pace of the run. A slow run is gentle.',
    'x-flag': '--run-pace PACE',
    enum: ['slow', 'fast'],
    default: 'slow',
  };
  schema.$defs['ContractOptions']!.properties['pace'] = pace;
  const extensions = 'specs/extensions.schema.json';
  const folder = tempFolder({
    'config/options.schema.json': JSON.stringify(schema),
    [extensions]: readProjectFile(extensions),
  });
  const { config } = await readConfig(packageRoot, undefined);
  const { emitters = [] } = config.apis['options'] ?? {};
  const api = { spec: 'config/options.schema.json', root: '.', output: 'out', only: ['types', 'validators'], emitters };
  await generate({ cwd: folder, config: { apis: { options: api } } });
  const load = (file: string): Promise<unknown> =>
    importModule(path.join(folder, 'out', file), { subject: 'The output', virtualModules: {} });
  const { SCHEMAS: schemas } = (await load('schemas.ts')) as { SCHEMAS: OptionSchemas };
  const { validateContractOptions: validate } = (await load('validators.ts')) as {
    validateContractOptions: (value: unknown) => { readonly errors?: Parameters<typeof describeProblem>[0] };
  };
  const command = describeCommands(schemas).get('contract')!;
  const argv = ['shop', '--url', 'http://127.0.0.1:1', '--run-pace', 'fast'];

  // It is a member of the type.
  const types = readFileSync(path.join(folder, 'out/types.ts'), 'utf8');
  expect(types).toContain("  pace?: 'slow' | 'fast';");

  // It has its default.
  expect(applyDefaults('ContractOptions', {}, schemas)).toMatchObject({ pace: 'slow' });

  // It is checked, and the message names what it must be.
  expect(validate({ url: '', pace: 'fast' })).toMatchObject({ ok: true });
  const { errors = [] } = validate({ url: '', pace: 'swift' });
  expect(describeProblem(errors, 'ContractOptions', (pointer) => `The option ${pointer.slice(1)}`, schemas)).toEqual({
    pointer: '/pace',
    message: 'The option pace must be one of slow, fast.',
  });

  // It is a flag of the command.
  expect(await readFlags(command, parseCommandArgs(command, argv), folder)).toMatchObject({ pace: 'fast' });
  expect(() => parseCommandArgs(command, [...argv, '--run-pac', 'x'])).toThrow('Did you mean --run-pace?');

  // It is in the help.
  expect(printCommandHelp(command)).toMatch(/^ {2}--run-pace PACE +The pace of the run \(default: slow\)\.$/m);

  // It is in the table of the guide.
  const page = '<!-- options of contract -->\n<!-- end of options -->\n';
  expect(fillTables(page, new Map([['contract', command]]))).toContain(
    '\n| `--run-pace PACE` | slow | The pace of the run. A slow run is gentle. |\n',
  );

  // It is in the command that repeats a run.
  const url = new URL('http://127.0.0.1:1');
  const given = { url: url.href, pace: 'fast' };
  const run = { source: { api: 'shop' }, url, seed: 1, phases: PHASES, maxExamples: 60, headers: {}, given };
  expect(rerunCommand(run, flagsOf('ContractOptions', schemas))).toContain(' --run-pace fast');
});
