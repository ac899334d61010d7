import { execFileSync } from 'node:child_process';
import { readdirSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';

import { describe, expect, test } from 'vitest';

import { runCaptured } from '../support/run-captured.js';
import { sampleSpec } from '../support/sample-spec.js';
import { tempFolder, writeTo } from '../support/temp-folder.js';

const FILES = {
  'old/pets.yaml': sampleSpec(),
  'new/pets.yaml': sampleSpec({ description: 'Some pet.' }).replace('age: { type: integer }', 'age: { type: string }'),
};

test('--json prints everything that the other formats say, with short paths', async () => {
  const run = await runCaptured(tempFolder(FILES), 'diff', 'old/pets.yaml', 'new/pets.yaml', '--json');
  expect(run).toMatchObject({ status: 1, err: '' });
  expect(JSON.parse(run.out)).toEqual({
    old: { file: 'old/pets.yaml', title: 'Pets', version: '1.0.0' },
    new: { file: 'new/pets.yaml', title: 'Pets', version: '1.0.0' },
    counts: { breaking: 1, risky: 0, safe: 0, wordsOnly: 1 },
    waived: 0,
    notes: [],
    changes: [
      {
        kind: 'type-changed',
        level: 'breaking',
        response: 'breaking',
        wordsOnly: false,
        message: '"Pet.age" is a string, was an integer.',
        old: {
          file: 'old/pets.yaml',
          line: 25,
          column: 58,
          pointer: '/components/schemas/Pet/properties/age/type',
        },
        new: {
          file: 'new/pets.yaml',
          line: 25,
          column: 58,
          pointer: '/components/schemas/Pet/properties/age/type',
        },
        operations: [{ id: 'getPet', method: 'get', path: '/pets/{id}', directions: ['response'] }],
      },
    ],
  });
});

test('--format json is --json, and --all adds documentation changes', async () => {
  const folder = tempFolder(FILES);
  const run = await runCaptured(folder, 'diff', 'old/pets.yaml', 'new/pets.yaml', '--format', 'json', '--all');
  const { changes } = JSON.parse(run.out) as { changes: { kind: string }[] };
  expect(changes.map(({ kind }) => kind)).toEqual(['type-changed', 'description-changed']);
});

test('errors of a spec are data with --json', async () => {
  const folder = tempFolder({ ...FILES, 'bad.yaml': 'a: [' });
  const run = await runCaptured(folder, 'diff', 'old/pets.yaml', 'bad.yaml', '--json');
  expect(run.status).toBe(2);
  expect(JSON.parse(run.out)).toMatchObject({ error: { diagnostics: [{ code: 'document-syntax', line: 1 }] } });
});

test('a spec that generate refuses ends diff with its places and status 2', async () => {
  const schemas = { A: { allOf: [{ $ref: '#/components/schemas/Gone' }] }, B: { type: 'string' } };
  const spec = { openapi: '3.1.0', info: { title: 't', version: '1' }, components: { schemas } };
  const folder = tempFolder({ ...FILES, 'refused.json': JSON.stringify(spec, null, 2) });
  for (const pair of [
    ['old/pets.yaml', 'refused.json'],
    ['refused.json', 'old/pets.yaml'],
  ]) {
    const run = await runCaptured(folder, 'diff', ...pair);
    expect(run).toMatchObject({ status: 2, out: '' });
    expect(run.err).toMatch(/refused\.json:12:\d+ .*ref-unresolved/);
  }
});

test('a schema whose condition depends on itself is compared like any other', async () => {
  const document = (b: object): string => {
    const schemas = { A: { not: { $ref: '#/components/schemas/B' } }, B: b };
    const content = { 'application/json': { schema: { type: 'array', items: { $ref: '#/components/schemas/A' } } } };
    const paths = { '/a': { get: { responses: { 200: { description: 'ok', content } } } } };
    return JSON.stringify({ openapi: '3.1.0', info: { title: 't', version: '1' }, paths, components: { schemas } });
  };
  const endless = document({ if: { $ref: '#/components/schemas/A' }, then: { type: 'string' } });
  const folder = tempFolder({ 'old.json': document({ type: 'string' }), 'endless.json': endless });
  const run = await runCaptured(folder, 'diff', 'old.json', 'endless.json');
  expect(run).toMatchObject({ status: 0, err: '' });
});

test('hostile names are escaped in the terminal', async () => {
  const name = '\u001b[2J\u202e\u009b31m';
  const files = {
    'old.json': JSON.stringify({ openapi: '3.1.0', info: { title: name, version: '1' }, paths: {} }),
    'new.json': JSON.stringify({
      openapi: '3.1.0',
      info: { title: name, version: name },
      paths: { [`/${name}`]: { get: { responses: { 200: { description: name } } } } },
    }),
  };
  const folder = tempFolder(files);
  for (const format of ['text', 'markdown', 'github', 'junit', 'html', 'json']) {
    const run = await runCaptured(folder, 'diff', 'old.json', 'new.json', '--all', '--format', format);
    expect(run.status).toBe(0);
    expect(run.out).toContain('\\u001b[2J');
    expect(run.out).not.toMatch(/[\u0000-\u0009\u000b-\u001f]/);
    expect(run.out).not.toMatch(/[\u007f-\u009f\u202a-\u202e]/);
    if (format === 'json') expect(JSON.stringify(JSON.parse(run.out))).toContain(JSON.stringify(`/${name}`));
  }
});

const NEW_TYPE = 'age: { type: string }';
const BREAKING = sampleSpec().replace('age: { type: integer }', NEW_TYPE);

describe('formats', () => {
  const run = async (format: string): Promise<string> => {
    const folder = tempFolder({ 'old.yaml': sampleSpec(), 'specs/new.yaml': BREAKING });
    return (await runCaptured(folder, 'diff', 'old.yaml', 'specs/new.yaml', '--format', format)).out;
  };

  test('--format github writes annotations at the places in the new spec', async () => {
    expect(await run('github')).toBe(
      '::error file=specs/new.yaml,line=25,col=58,title=breaking change%3A type-changed::' +
        '"Pet.age" is a string, was an integer. (response breaking · GET /pets/{id})\n1 breaking change.\n',
    );
  });

  test('--format junit writes a case for each change, failed if the change fails the command', async () => {
    const xml = await run('junit');
    expect(xml).toContain('tests="1" failures="1"');
    expect(xml).toContain('<failure type="breaking" message="&quot;Pet.age&quot; is a string, was an integer.">');
  });

  test('--format html writes one page', async () => {
    const page = await run('html');
    expect(page).toMatch(/^<!doctype html>/);
    expect(page).toContain('&quot;Pet.age&quot; is a string, was an integer.');
    expect(page).toContain('<article class="breaking">');
  });
});

describe('a revision of git', () => {
  const git = (folder: string, ...args: string[]): string =>
    execFileSync('git', ['-c', 'user.name=t', '-c', 'user.email=t@example.com', '-C', folder, ...args], {
      encoding: 'utf8',
    });

  /** A repository in which the spec and a file that it refers to have changed since the first commit. */
  function repository(): string {
    const spec = sampleSpec({ schemas: "    Failure: { $ref: 'parts/failure.yaml' }\n" });
    const folder = tempFolder({ 'specs/pets.yaml': spec, 'specs/parts/failure.yaml': 'type: object\n' });
    git(folder, 'init', '-q', '-b', 'main');
    git(folder, 'add', '.');
    git(folder, 'commit', '-q', '-m', 'first');
    writeTo(folder, 'specs/pets.yaml', spec.replace('age: { type: integer }', NEW_TYPE));
    return folder;
  }

  test('diff reads a spec of a git revision with the files that it refers to', async () => {
    const folder = repository();
    const run = await runCaptured(folder, 'diff', 'main:specs/pets.yaml', 'specs/pets.yaml');
    expect(run).toMatchObject({ status: 1, err: '' });
    expect(run.out).toContain('"Pet.age" is a string, was an integer.');
    expect(run.out).toMatch(/specs\/pets\.yaml:\d+:\d+ {2}was main:specs\/pets\.yaml:\d+:\d+/);
  });

  test('--from-git compares a revision with a file, also from a folder inside of the repository', async () => {
    const folder = repository();
    for (const [cwd, file] of [
      [folder, 'specs/pets.yaml'],
      [path.join(folder, 'specs'), 'pets.yaml'],
    ] as const) {
      const run = await runCaptured(cwd, 'diff', '--from-git', 'HEAD', file);
      expect(run).toMatchObject({ status: 1, err: '' });
      expect(run.out).toContain('was HEAD:specs/pets.yaml');
    }
  });

  test('reading a git revision leaves nothing in the temporary folder', async () => {
    const left = (): string[] => readdirSync(tmpdir()).filter((name) => name.startsWith('specmill-diff-'));
    const before = left();
    await runCaptured(repository(), 'diff', '--from-git', 'HEAD', 'specs/pets.yaml');
    expect(left().filter((name) => !before.includes(name))).toEqual([]);
  });

  test.each([
    ['an unknown revision', ['--from-git', 'nothing', 'specs/pets.yaml'], /has no revision "nothing"/],
    ...['-x', '--output=stolen', '-Ostolen', '--ext-diff', '--upload-pack=id', '@{-1}', '../..', 'main\nid'].map(
      (revision): [string, string[], RegExp] => [
        `the revision ${JSON.stringify(revision)}`,
        [`--from-git=${revision}`, 'specs/pets.yaml'],
        /has no revision "|needs a value/,
      ],
    ),
    ['a file like an option', ['main:--output=stolen', 'specs/pets.yaml'], /has no file "--output=stolen"/],
    [
      'an unknown file',
      ['main:specs/dogs.yaml', 'specs/pets.yaml'],
      /The revision main has no file "specs\/dogs\.yaml"/,
    ],
    ['a file outside', ['main:../pets.yaml', 'specs/pets.yaml'], /is not inside the repository/],
    ['two files with --from-git', ['--from-git', 'main', 'a.yaml', 'b.yaml'], /With --from-git there is one file/],
    ['one file without it', ['a.yaml'], /Missing NEW/],
  ])('a git revision is refused for %s', async (_, args, message) => {
    const run = await runCaptured(repository(), 'diff', ...args);
    expect(run.status).toBe(2);
    expect(run.err).toMatch(message);
    expect(run.err).not.toContain('bug of specmill');
  });

  test('a git revision is refused outside of a repository', async () => {
    const run = await runCaptured(tempFolder({ 'a.yaml': sampleSpec() }), 'diff', '--from-git', 'HEAD', 'a.yaml');
    expect(run.status).toBe(2);
    expect(run.err).toMatch(/Git cannot read the revision: not a git repository/);
  });
});

describe('the configuration', () => {
  const files = { 'old.yaml': sampleSpec(), 'new.yaml': BREAKING };
  const run = async (diff: unknown): ReturnType<typeof runCaptured> => {
    const folder = tempFolder({ ...files, 'specmill.config.json': JSON.stringify({ apis: {}, diff }) });
    return runCaptured(folder, 'diff', 'old.yaml', 'new.yaml');
  };

  test('the configuration accepts a change by a waiver', async () => {
    const waiver = { kind: 'type-changed', operation: 'GET /pets/{id}', reason: 'agreed with all clients' };
    expect(await run({ waivers: [waiver] })).toMatchObject({ status: 0, out: '1 accepted by waivers.\n' });
  });

  test('a waiver that matches no change is reported', async () => {
    const { status, out } = await run({ waivers: [{ operation: 'addOwner', reason: 'old' }] });
    expect(status).toBe(1);
    expect(out).toContain('The waiver "old" fits no change.');
  });

  test('the diff configuration of an API applies to its spec only', async () => {
    const waivers = [{ kind: 'type-changed', reason: 'agreed' }];
    const api = { output: 'out', diff: { waivers, levels: { 'type-changed': 'risky' } } };
    const apis = { pets: { ...api, spec: './new.yaml' } };
    const config = JSON.stringify({ apis, diff: { levels: { 'type-changed': 'safe' } } });
    const folder = tempFolder({ ...files, 'other.yaml': BREAKING, 'specmill.config.json': config });
    expect(await runCaptured(folder, 'diff', 'old.yaml', 'new.yaml')).toMatchObject({
      status: 0,
      out: '1 accepted by waivers.\n',
    });
    const other = await runCaptured(folder, 'diff', 'old.yaml', 'other.yaml', '--json');
    expect(JSON.parse(other.out)).toMatchObject({ waived: 0, counts: { safe: 1, risky: 0 } });
  });

  test('the configuration gives kinds of change its own levels', async () => {
    expect((await run({ levels: { 'type-changed': 'risky' } })).status).toBe(0);
  });

  test.each([
    [
      { levels: { 'type-chnged': 'risky' } },
      /There is no kind of change named type-chnged\. Did you mean type-changed\?/,
    ],
    [{ levels: { 'type-changed': 'bad' } }, /must be breaking, risky or safe/],
    [{ waivers: [{ kind: 'type-changed' }] }, /has no reason/],
    [{ waivers: [{ reason: 'x', until: 'soon' }] }, /a day such as 2027-01-31/],
    [{ waiver: [] }, /has no member waiver\. Did you mean waivers\?/],
  ])('the configuration is refused for %j', async (diff, message) => {
    const { status, err } = await run(diff);
    expect(status).toBe(2);
    expect(err).toMatch(message);
  });
});
