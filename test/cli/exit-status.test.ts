import { describe, expect, it } from 'vitest';

import { runCaptured } from '../support/run-captured.js';
import { sampleSpec } from '../support/sample-spec.js';
import { tempFolder } from '../support/temp-folder.js';

const CONFIG = 'apis: { pets: { spec: pets.yaml, output: out } }\n';
const PROJECT = { 'specmill.config.yaml': CONFIG, 'pets.yaml': sampleSpec() };

const PET =
  '    Pet:\n      type: object\n      description: "A pet."\n      required: [name]\n      properties: { name: { type: string }, age: { type: integer } }\n';
const GET = /  \/pets\/\{id\}:\n(    .*\n)+/;
const DIFF = {
  'old.yaml': sampleSpec(),
  'safe.yaml': sampleSpec().replace(
    'Owner:\n      type: object\n      properties: {',
    'Owner:\n      type: object\n      properties: { age: {},',
  ),
  'risky.yaml': sampleSpec().replace('operationId: getPet', 'operationId: readPet'),
  'broken.yaml': sampleSpec().replace(GET, '').replace(PET, ''),
};

describe('the exit status of the command line', () => {
  const cases: readonly (readonly [string, Record<string, string>, string[], 0 | 1 | 2, RegExp])[] = [
    ['help', {}, ['--help'], 0, /Usage: specmill <command>/],
    ['draft without a recording', {}, ['draft'], 2, /Missing argument; the usage is "specmill draft FILE\.\.\."/],
    [
      'diff with --affected alone',
      DIFF,
      ['diff', 'old.yaml', 'safe.yaml', '--affected'],
      2,
      /--affected needs --traffic/,
    ],
    ['help of a command', {}, ['generate', '--help'], 0, /--watch/],
    ['short help of a command', {}, ['validate', '-h'], 0, /<api>\[#Schema\] FILE/],
    ['version', {}, ['--version'], 0, /^\d+\.\d+\.\d+\n$/],
    ['no command', {}, [], 2, /Usage/],
    ['unknown command', {}, ['genrate'], 2, /There is no command genrate\. Did you mean generate\?/],
    [
      'unknown option instead of a command',
      {},
      ['--versoin'],
      2,
      /There is no option --versoin\. Did you mean --version\?/,
    ],
    [
      'unknown option',
      PROJECT,
      ['generate', '--chekc'],
      2,
      /no option --chekc of "specmill generate"\. Did you mean --check\?/,
    ],
    ['option without its value', PROJECT, ['generate', '--only'], 2, /--only needs a value/],
    ['option with an option for value', PROJECT, ['generate', '--config', '--check'], 2, /--config needs a value/],
    ['value of an option that has none', PROJECT, ['generate', '--check=yes'], 2, /--check takes no value/],
    ['option given twice', PROJECT, ['generate', '--only', 'types', '--only', 'client'], 2, /--only is given twice/],
    [
      'argument missing',
      PROJECT,
      ['validate', 'pets'],
      2,
      /Missing argument; the usage is "specmill validate <api>\[#Schema\] FILE\.\.\."\.\n$/,
    ],
    [
      'argument too many',
      PROJECT,
      ['init', 'here'],
      2,
      /Unexpected argument "here"; the usage is "specmill init"\.\n$/,
    ],
    ['no configuration', {}, ['generate'], 2, /There is no specmill\.config\.ts/],
    ['unknown API', PROJECT, ['generate', 'pest'], 2, /no API named "pest"\. Did you mean pets\?/],
    ['unknown emitter', PROJECT, ['generate', '--only', 'tpyes'], 2, /no emitter named "tpyes"\. Did you mean types\?/],
    ['empty --only', PROJECT, ['generate', '--only', ','], 2, /--only needs at least one part/],
    ['--spec without --out', PROJECT, ['generate', '--spec', 'pets.yaml'], 2, /Missing --out DIR/],
    [
      'words for an API that takes none',
      {},
      ['mock', 'signing', '--words', 'x'],
      2,
      /--words needs the mock of dictionary/,
    ],
    [
      'a folder as the spec',
      PROJECT,
      ['generate', '.', '--out', 'x'],
      2,
      /error The spec cannot be read: it is a folder/,
    ],
    [
      '--out without --spec',
      PROJECT,
      ['generate', '--out', 'x'],
      2,
      /--out goes with a spec: name its path or URL, such as \.\/openapi\.yaml/,
    ],
    ['--watch with --check', PROJECT, ['generate', '--watch', '--check'], 2, /cannot be used together/],
    ['generate', PROJECT, ['generate', '--only', 'types'], 0, /pets +\d+ +\d+ +\d+\n/],
    [
      'generate without a configuration',
      PROJECT,
      ['generate', '--spec', 'pets.yaml', '--out', 'x', '--only', 'types'],
      0,
      /pets/,
    ],
    [
      'check of what is not there',
      PROJECT,
      ['generate', '--check', '--only', 'types'],
      1,
      /out is out of date:\n.*missing {2}types\.ts/s,
    ],
    [
      'a spec that is not there',
      { 'specmill.config.yaml': CONFIG },
      ['generate'],
      2,
      /pets\.yaml error .*cannot be read/,
    ],
    ['a spec that is broken', { ...PROJECT, 'pets.yaml': 'a: [' }, ['generate'], 2, /pets\.yaml:1:\d+ error/],
    ['a missing new spec', DIFF, ['diff', 'old.yaml'], 2, /Missing NEW: specmill diff OLD NEW/],
    ['no change', DIFF, ['diff', 'old.yaml', 'old.yaml'], 0, /^No changes\.\n$/],
    ['a safe change', DIFF, ['diff', 'old.yaml', 'safe.yaml'], 0, /^SAFE\n.*"Owner\.age" is new/s],
    ['a risky change', DIFF, ['diff', 'old.yaml', 'risky.yaml'], 0, /^RISKY\n/],
    [
      'a risky change with --fail-on risky',
      DIFF,
      ['diff', 'old.yaml', 'risky.yaml', '--fail-on', 'risky'],
      1,
      /^RISKY\n/,
    ],
    ['a breaking change', DIFF, ['diff', 'old.yaml', 'broken.yaml'], 1, /^BREAKING\n.*"GET \/pets\/\{id\}" is gone/s],
    [
      'a breaking change with --fail-on none',
      DIFF,
      ['diff', 'old.yaml', 'broken.yaml', '--fail-on', 'none'],
      0,
      /^BREAKING\n/,
    ],
    [
      'a breaking change that is accepted',
      DIFF,
      ['diff', 'old.yaml', 'broken.yaml', '--ignore', 'operation-removed,schema-removed'],
      0,
      /^No changes\.\n$/,
    ],
    [
      'a breaking change that is not listed',
      DIFF,
      ['diff', 'old.yaml', 'broken.yaml', '--only', 'safe'],
      1,
      /^1 breaking/,
    ],
    [
      'a kind that is not there',
      DIFF,
      ['diff', 'old.yaml', 'old.yaml', '--ignore', 'member-aded'],
      2,
      /no kind of change named member-aded\. Did you mean member-added\?/,
    ],
    [
      'a format that is not there',
      DIFF,
      ['diff', 'old.yaml', 'old.yaml', '--format', 'pdf'],
      2,
      /--format must be one of text, markdown, github, junit, html, json/,
    ],
    [
      'two formats',
      DIFF,
      ['diff', 'old.yaml', 'old.yaml', '--format', 'text', '--json'],
      2,
      /--json and --format text cannot be used together/,
    ],
    [
      'a level that is not there',
      DIFF,
      ['diff', 'old.yaml', 'old.yaml', '--only', 'bad'],
      2,
      /--only must be one of breaking, risky, safe/,
    ],
    ['an old spec that is not there', DIFF, ['diff', 'none.yaml', 'old.yaml'], 2, /none\.yaml error .*cannot be read/],
    [
      'a new spec that is broken',
      { ...DIFF, 'new.yaml': 'a: [' },
      ['diff', 'old.yaml', 'new.yaml'],
      2,
      /new\.yaml:1:\d+ error/,
    ],
    [
      'a new spec with a reference that leads nowhere',
      { ...DIFF, 'new.yaml': sampleSpec().replace('schemas/Pet', 'schemas/Pot') },
      ['diff', 'old.yaml', 'new.yaml'],
      2,
      /new\.yaml:\d+:\d+ .* error .*schemas\/Pot/,
    ],
    [
      'a schema against an OpenAPI document',
      { ...DIFF, 'new.json': '{ "type": "object" }' },
      ['diff', 'old.yaml', 'new.json'],
      2,
      /An OpenAPI document cannot be compared with a JSON Schema/,
    ],
    ['unknown API to validate', PROJECT, ['validate', 'pest', 'x'], 2, /no API named "pest"/],
    ['no root schema to validate', PROJECT, ['validate', 'pets', 'x'], 2, /such as pets#Pet/],
    [
      'unknown schema to validate',
      PROJECT,
      ['validate', 'pets#Pets', 'x'],
      2,
      /no schema named "Pets"\. Did you mean Pet\?/,
    ],
    [
      'unreadable document',
      PROJECT,
      ['validate', 'pets#Pet', 'x.json'],
      2,
      /x\.json The file cannot be read: there is no such file/,
    ],
  ];
  it.each(cases)('the exit status of the command line: %s', async (_name, files, argv, ...[status, text]) => {
    const run = await runCaptured(tempFolder(files), ...argv);
    expect(run.out + run.err).toMatch(text);
    expect(run.status).toBe(status);
    expect(run.err).not.toMatch(/\n\s+at /);
  });

  it('an error is one sentence on stderr, and with --json the same as data on stdout', async () => {
    const run = await runCaptured(tempFolder(PROJECT), 'generate', 'pest', '--json');
    expect(run.err.trim().split('\n')).toHaveLength(1);
    expect(JSON.parse(run.out)).toEqual({ error: { message: expect.stringContaining('"pest"') } });
  });

  it('an error has a stack trace with --debug', async () => {
    expect((await runCaptured(tempFolder(PROJECT), 'generate', 'pest', '--debug')).err).toMatch(/\n\s+at /);
  });
});
