import { expect, test } from 'vitest';

import { runCaptured } from '../support/run-captured.js';
import { sampleSpec } from '../support/sample-spec.js';
import { tempFolder } from '../support/temp-folder.js';

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

test('--format json is --json, and --all adds changes of words', async () => {
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

test('names that mean harm are escaped in the terminal', async () => {
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
  for (const format of ['text', 'markdown', 'json']) {
    const run = await runCaptured(folder, 'diff', 'old.json', 'new.json', '--all', '--format', format);
    expect(run.status).toBe(0);
    expect(run.out).toContain('\\u001b[2J');
    expect(run.out).not.toMatch(/[\u0000-\u0009\u000b-\u001f]/);
    expect(run.out).not.toMatch(/[\u007f-\u009f\u202a-\u202e]/);
    if (format === 'json') expect(JSON.stringify(JSON.parse(run.out))).toContain(JSON.stringify(`/${name}`));
  }
});
