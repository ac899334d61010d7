import path from 'node:path';

import { describe, expect, it } from 'vitest';

import { runCaptured } from '../support/run-captured.js';
import { sampleSpec } from '../support/sample-spec.js';
import { tempFolder } from '../support/temp-folder.js';

const PROJECT = {
  'specmill.config.yaml': 'apis: { pets: { spec: pets.yaml, output: out } }',
  'pets.yaml': sampleSpec(),
};

describe('specmill validate', () => {
  const cases: readonly (readonly [string, string, string, 0 | 1 | 2, RegExp])[] = [
    ['a valid JSON document', 'a.json', '{ "name": "Rex" }', 0, /a\.json is valid/],
    ['a valid YAML document', 'a.yaml', 'name: Rex\n', 0, /a\.yaml is valid/],
    ['a wrong JSON member', 'a.json', '{\n  "name": "Rex",\n  "age": "old"\n}', 1, /a\.json:3:10 \/age error /],
    ['a wrong YAML member', 'a.yaml', 'name: Rex\nage: old\n', 1, /a\.yaml:2:6 \/age error /],
    ['a missing member', 'a.json', '\n{}', 1, /a\.json:2:1 error .*name/],
    ['several, in the order of the text', 'a.json', '{\n  "age": "old",\n  "name": 7\n}', 1, /:2:10 [^]*:3:11 /],
    [
      'JSON with a comment',
      'a.json',
      '{\n  // why\n  "name": "Rex"\n}',
      2,
      /a\.json:2:3 The file is not JSON: .*comment/,
    ],
    ['YAML with a comment', 'a.yaml', '# why\nname: Rex\n', 0, /is valid/],
    ['an empty file', 'a.json', ' \n', 2, /a\.json The file is empty/],
    ['text that is neither', 'a.yaml', 'a: [', 2, /a\.yaml:1:\d+ The file is neither JSON nor YAML/],
  ];
  it.each(cases)('specmill validate: %s', async (_name, file, text, ...[status, output]) => {
    const run = await runCaptured(tempFolder({ ...PROJECT, [file]: text }), 'validate', 'pets#Pet', file);
    expect(run.out + run.err).toMatch(output);
    expect(run.status).toBe(status);
  });

  it.each([
    ['pets.yaml#/components/schemas/Pet', 1, 'a.json:1:1 error must have required property'],
    ['pets.yaml#Pet', 1, 'a.json:1:1 error must have required property'],
    [
      'pets.yaml#/components/schemas/Pat',
      2,
      'The API has no schema with a name at "/components/schemas/Pat". Did you mean /components/schemas/Pet?',
    ],
    ['pets.yaml#/info', 2, 'The API has no schema with a name at "/info".'],
    ['pets.yaml#Pat', 2, 'The API has no schema named "Pat". Did you mean Pet?'],
    ['pets.yaml#', 2, 'The spec of pets.yaml is not a single schema; name the one you mean, such as pets.yaml#Pet.'],
    ['pet.json#', 1, 'a.json:1:1 error must have required property'],
    ['pet.json#/$defs/Name', 1, 'a.json:1:1 error must be a string, not an object'],
  ])('validates against the schema that %s names', async (target, status, message) => {
    const schema = {
      $defs: { Name: { type: 'string' } },
      required: ['name'],
      properties: { name: { $ref: '#/$defs/Name' } },
    };
    const folder = tempFolder({ 'pets.yaml': sampleSpec(), 'pet.json': JSON.stringify(schema), 'a.json': '{}' });
    const run = await runCaptured(folder, 'validate', target, 'a.json');
    expect(run.err).toContain(message);
    expect(run.status).toBe(status);
  });

  it('validates several files, and exits 2 if one of them is unreadable', async () => {
    const folder = tempFolder({ ...PROJECT, 'good.json': '{"name":"Rex"}', 'bad.json': '{}' });
    expect((await runCaptured(folder, 'validate', 'pets#Pet', 'good.json', 'bad.json')).status).toBe(1);
    const run = await runCaptured(folder, 'validate', 'pets#Pet', 'bad.json', 'none.json', 'good.json', '--json');
    expect(run.status).toBe(2);
    expect(JSON.parse(run.out)).toMatchObject({
      files: [
        { file: 'bad.json', valid: false, errors: [{ line: 1, column: 1, pointer: '', keyword: 'required' }] },
        { file: 'none.json', valid: false, error: { message: expect.any(String) } },
        { file: 'good.json', valid: true, errors: [] },
      ],
    });
  });

  describe('an engine configuration, without a configuration of specmill', () => {
    const source = '"data-source": {\n    "database-type": "mssql",\n    "connection-string": "@env(\'DB\')"\n  }';
    it.each<[string, string, 0 | 1, RegExp]>([
      ['a valid one', `{\n  ${source}\n}`, 0, /is valid/],
      [
        'an unknown member',
        `{\n  ${source},\n  "runtmie": {}\n}`,
        1,
        /engine\.json:6:\d+ \/runtmie error is not a known member; did you mean "runtime"\?/,
      ],
      [
        'a wrong value',
        `{\n  ${source.replace('mssql', 'oracle')}\n}`,
        1,
        /engine\.json:3:22 \/data-source\/database-type error/,
      ],
    ])(
      'an engine configuration is validated without a configuration of specmill: %s',
      async (_name, text, status, output) => {
        const run = await runCaptured(tempFolder({ 'engine.json': text }), 'validate', 'engine', 'engine.json');
        expect(run.out + run.err).toMatch(output);
        expect(run.status).toBe(status);
      },
    );
  });

  it('an engine configuration may use the real names of the configuration or the command line', async () => {
    const vendor = 'acme,engine=turbine';
    const spec = path.resolve('specs/engine/config.schema.json');
    const telemetry = {
      'acme-app-insights': { 'connection-string': 'x' },
      'acme-log-analytics': { 'turbine-identifier': 'y' },
    };
    const folder = tempFolder({
      'specmill.config.json': JSON.stringify({ apis: { turbine: { spec, output: 'out', vendor } } }),
      'own.json': JSON.stringify({ runtime: { telemetry } }),
    });
    for (const argv of [['turbine'], ['engine', '--vendor', vendor], ['turbine', '--vendor', vendor]])
      expect(await runCaptured(folder, 'validate', ...argv, 'own.json')).toMatchObject({ status: 0, err: '' });
    const other = await runCaptured(folder, 'validate', 'turbine', '--vendor', 'umbra', 'own.json');
    expect([other.status, other.err]).toEqual([1, expect.stringContaining('umbra-app-insights')]);
  });
});
