import { readFileSync } from 'node:fs';
import path from 'node:path';

import { Ajv } from 'ajv';
import { describe, expect, it } from 'vitest';

import { CONFIG_SCHEMA, readProjectFile } from '../../docs/print-options.js';
import { runCaptured } from '../support/run-captured.js';
import { sampleSpec } from '../support/sample-spec.js';
import { tempFolder } from '../support/temp-folder.js';

const isConfig = new Ajv({ allowUnionTypes: true }).compile(JSON.parse(readProjectFile(CONFIG_SCHEMA)) as object);

describe('the JSON schema of the configuration', { timeout: 60_000 }, () => {
  it('the JSON schema of the configuration is in the package', () => {
    const root = path.join(import.meta.dirname, '../..');
    const { files } = JSON.parse(readFileSync(path.join(root, 'package.json'), 'utf8')) as { files: string[] };
    expect(files).toContain(CONFIG_SCHEMA);
  });

  it.each([
    [
      'every member',
      {
        apis: {
          a: {
            spec: ['a.yaml'],
            output: 'out',
            include: ['x'],
            helpers: { get: { 'x-y': 1 } },
            overlays: ['o.yaml'],
            headers: { a: 'b' },
          },
        },
        diff: { waivers: [{ reason: 'x' }] },
      },
      true,
    ],
    ['a typo', { apis: { a: { spec: 'a.yaml', output: 'out', inclde: [] } } }, false],
    ['an API without an output', { apis: { a: { spec: 'a.yaml' } } }, false],
    [
      'a helper that is not an extension',
      { apis: { a: { spec: 'a', output: 'b', helpers: { get: { paging: 1 } } } } },
      false,
    ],
    ['a level that does not exist', { apis: {}, diff: { levels: { 'member-added': 'bad' } } }, false],
  ])('accepts or rejects %s as it should', (_, config, want) => expect(isConfig(config)).toBe(want));

  it.each(['specmill.config.json', 'specmill.config.yaml'])(
    'the JSON schema of the configuration may be named by $schema in %s',
    async (name) => {
      const config = {
        $schema: './node_modules/specmill/config/specmill.schema.json',
        apis: { pets: { spec: 'pets.yaml', output: 'out' } },
      };
      const folder = tempFolder({ 'pets.yaml': sampleSpec(), [name]: JSON.stringify(config) });
      expect(await runCaptured(folder, 'generate', '--only', 'types')).toMatchObject({ status: 0, err: '' });
    },
  );
});
