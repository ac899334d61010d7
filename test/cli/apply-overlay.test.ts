import { mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';

import { runCaptured } from '../support/run-captured.js';

const SPEC = `# Pets: the main spec.
openapi: 3.0.3   # not 3.1 yet
info: {title: Pets, version: "1.0"}

paths:
    /pets/{id}:
        # Reads one pet.
        get:
            operationId: getPet
            tags:
            - pets     # the only tag
            - old
            responses:
                default: {description: Other.}
                "200":
                    description: |
                        A pet.
                        Two lines.
components:
    schemas:
        # The pet itself.
        Pet:
            type: object
            required: [id, name] # both
            properties:
                id: {type: string}
                name: {type: 'string'} # any name
                size: {type: integer, maximum: 9007199254740993}
`;

const OVERLAY = `overlay: 1.0.0
info: { title: Fix, version: 1.0.0 }
actions:
  - target: $.paths['/pets/{id}'].get
    update: { responses: { '404': { description: Unknown. } }, tags: [new] }
  - target: $.components.schemas.Pet.required[?@ == 'name']
    remove: true
  - target: $.components.schemas.Pet.properties.name
    update: { nullable: true }
  - target: $.info
    update: { version: '2.0' }
  - target: $.paths['/pets/{id}'].get.tags[?@ == 'old']
    remove: true
`;

const CHANGED = SPEC.replace('version: "1.0"', 'version: "2.0"')
  .replace('            - old\n', '            - new\n')
  .replace('[id, name]', '[id]')
  .replace("{type: 'string'}", "{type: 'string', nullable: true}")
  .replace('Two lines.\n', 'Two lines.\n                "404":\n                    description: Unknown.\n');

let folder: string;

beforeAll(async () => {
  folder = await mkdtemp(path.join(tmpdir(), 'specmill-apply-'));
  await writeFile(path.join(folder, 'pets.yaml'), SPEC);
  await writeFile(path.join(folder, 'fix.yaml'), OVERLAY);
});

afterAll(async () => {
  await rm(folder, { recursive: true });
});

describe('apply-overlay', () => {
  it('writes YAML with comments, order, quotes and indentation of what did not change', async () => {
    const run = await runCaptured(folder, 'apply-overlay', 'pets.yaml', 'fix.yaml');
    expect(run).toMatchObject({ status: 0, err: '' });
    expect(run.out).toBe(CHANGED);
  });

  it('keeps the lines of folded texts that did not change', async () => {
    const folded = SPEC.replace(
      'description: |\n',
      'summary: >-\n                        Some words,\n                        and   more of them.\n\n                        The end.\n                    description: |\n',
    ).replace(
      'operationId: getPet\n',
      'operationId: getPet\n            summary: a plain text\n              of two lines\n            description: "one\n              more"\n',
    );
    await writeFile(path.join(folder, 'folded.yaml'), folded);
    const { out } = await runCaptured(folder, 'apply-overlay', 'folded.yaml', 'fix.yaml');
    const added = out.split('\n').filter((line) => !folded.includes(line));
    const removed = folded.split('\n').filter((line) => !out.includes(line));
    expect(added).toEqual(CHANGED.split('\n').filter((line) => !SPEC.includes(line)));
    expect(removed).toEqual(SPEC.split('\n').filter((line) => !CHANGED.includes(line)));
  });

  it('writes the text itself if nothing changes', async () => {
    await writeFile(
      path.join(folder, 'same.yaml'),
      OVERLAY.slice(0, OVERLAY.indexOf('actions:')) + 'actions: [{ target: $.info, update: { title: Pets } }]\n',
    );
    const run = await runCaptured(folder, 'apply-overlay', 'pets.yaml', 'same.yaml', '--out', 'out/pets.yaml');
    expect(run).toMatchObject({ status: 0, out: '', err: '' });
    expect(await readFile(path.join(folder, 'out/pets.yaml'), 'utf8')).toBe(SPEC);
  });

  it('writes JSON in its order, also of statuses, with its numbers', async () => {
    const json = `{\n   "openapi": "3.0.3", "info": {"title": "Pets", "version": "1"},\n   "paths": {"/p": {"get": {"responses": {"default": {"description": "a"}, "200": {"description": "b"}}}}},\n   "x-big": 9007199254740993, "x-float": 1.0\n}\n`;
    await writeFile(path.join(folder, 'pets.json'), json);
    const overlay = {
      overlay: '1.0.0',
      info: { title: 'Fix', version: '1' },
      actions: [{ target: "$.paths['/p'].get", update: { summary: 'Reads' } }],
    };
    await writeFile(path.join(folder, 'fix.json'), JSON.stringify(overlay));
    const { out, status } = await runCaptured(folder, 'apply-overlay', 'pets.json', 'fix.json');
    expect(status).toBe(0);
    expect(out.indexOf('"default"')).toBeLessThan(out.indexOf('"200"'));
    expect(out).toContain('\n   "x-big": 9007199254740993,\n   "x-float": 1.0\n}\n');
    expect(JSON.parse(out)).toMatchObject({
      paths: { '/p': { get: { summary: 'Reads', responses: { 200: { description: 'b' } } } } },
    });
  });

  it('refuses an overlay with a wrong action, with its place, and writes nothing', async () => {
    await writeFile(path.join(folder, 'bad.yaml'), OVERLAY.replace('$.info\n', '$.info[\n'));
    const before = await readdir(folder);
    const run = await runCaptured(folder, 'apply-overlay', 'pets.yaml', 'bad.yaml', '--out', 'changed.yaml');
    expect(run).toMatchObject({ status: 2, out: '' });
    expect(run.err).toMatch(/bad\.yaml:10:\d+ .*The JSONPath "\$\.info\[" of the overlay cannot be read/);
    expect(await readdir(folder)).toEqual(before);
  });

  it('warns of a target that the spec does not have', async () => {
    await writeFile(path.join(folder, 'missing.yaml'), OVERLAY.replace('$.info\n', '$.inof\n'));
    const run = await runCaptured(folder, 'apply-overlay', 'pets.yaml', 'missing.yaml');
    expect(run.status).toBe(0);
    expect(run.err).toMatch(
      /missing\.yaml:10:\d+ .*warning The target "\$\.inof" of the overlay matches nothing in the spec/,
    );
  });

  it('changes one place of a YAML alias only', async () => {
    await writeFile(
      path.join(folder, 'alias.yaml'),
      `openapi: 3.1.0\ninfo: &info\n  title: A # first\n  version: '1'\nx-info: *info\npaths: {}\n`,
    );
    await writeFile(
      path.join(folder, 'alias-fix.yaml'),
      OVERLAY.slice(0, OVERLAY.indexOf('actions:')) + 'actions: [{ target: "$[\'x-info\']", update: { title: B } }]\n',
    );
    const { out } = await runCaptured(folder, 'apply-overlay', 'alias.yaml', 'alias-fix.yaml');
    expect(out).toBe(
      `openapi: 3.1.0\ninfo: &info\n  title: A # first\n  version: '1'\nx-info:\n  title: B\n  version: "1"\npaths: {}\n`,
    );
  });
});
