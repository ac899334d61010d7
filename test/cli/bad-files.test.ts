import { mkdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';

import { expect, it } from 'vitest';

import { runCaptured } from '../support/run-captured.js';
import { sampleSpec } from '../support/sample-spec.js';
import { tempFolder } from '../support/temp-folder.js';

const SCHEMA = '{ "type": "object" }';
const UTF16 = Buffer.from('\uFEFF{ "openapi": "3.1.0" }', 'utf16le');
const UTF16_WITHOUT_MARK = Buffer.from('{ "openapi": "3.1.0" }', 'utf16le');
const LATIN1 = Buffer.from('openapi: 3.1.0\ninfo: { title: Café }\n', 'latin1');
const HTML = Buffer.from('\n<!DOCTYPE html>\n<html><body>Sign in</body></html>');
const COMMAND_OF = {
  spec: ['generate', './file.yaml', '--out', 'out'],
  configuration: ['generate', '--config', './file.yaml'],
  data: ['validate', 'schema.json', './file.yaml'],
  credentials: ['mock', 'pets.yaml', '--credentials', './file.yaml'],
  journal: ['coverage', 'pets.yaml', '--journal', './file.yaml'],
  baseline: ['contract', 'pets.yaml', '--url', 'http://127.0.0.1:9', '--baseline', './file.yaml'],
} as const;

it.each<[keyof typeof COMMAND_OF, string, Buffer, string]>([
  ['spec', 'UTF-16', UTF16, 'file.yaml:1:1 error The spec cannot be read: it is written in UTF-16; save it as UTF-8.'],
  [
    'spec',
    'UTF-16 without a mark',
    UTF16_WITHOUT_MARK,
    'file.yaml:1:1 error The spec cannot be read: this line has a NUL byte',
  ],
  [
    'spec',
    'Latin-1',
    LATIN1,
    'file.yaml:2:1 error The spec cannot be read: this line is not written in UTF-8; save the file as UTF-8.',
  ],
  ['spec', 'an HTML page', HTML, 'file.yaml:1:1 error The spec cannot be read: it is an HTML page.'],
  ['spec', 'a comment alone', Buffer.from('# nothing\n'), 'nor a JSON Schema. It is empty.'],
  ['spec', 'a list', Buffer.from('- a\n'), 'nor a JSON Schema. It is a list.'],
  ['configuration', 'UTF-16', UTF16, 'specmill: file.yaml:1 The configuration cannot be read: it is written in UTF-16'],
  ['configuration', 'Latin-1', LATIN1, 'file.yaml:2 The configuration cannot be read: this line is not written in'],
  ['configuration', 'nothing', Buffer.from('\n'), 'file.yaml The configuration cannot be read: the file is empty.'],
  [
    'data',
    'UTF-16',
    UTF16,
    'specmill: file.yaml:1 The file cannot be read: it is written in UTF-16; save it as UTF-8.',
  ],
  ['data', 'Latin-1', LATIN1, 'specmill: file.yaml:2 The file cannot be read: this line is not written in UTF-8'],
  ['credentials', 'nothing', Buffer.from(''), 'file.yaml The credentials cannot be read: the file is empty.'],
  ['journal', 'broken JSON', Buffer.from('[\n,]'), 'file.yaml:2:1 The journal is not JSON: a value is expected'],
  ['baseline', 'broken JSON', Buffer.from('{\n"a" 1}'), 'file.yaml:2:5 The baseline is not JSON: a colon is expected'],
])('the error says what is wrong with a %s that is %s', async (role, _what, bytes, message) => {
  const folder = tempFolder({ 'pets.yaml': sampleSpec(), 'schema.json': SCHEMA });
  writeFileSync(path.join(folder, 'file.yaml'), bytes);
  const { status, err } = await runCaptured(folder, ...COMMAND_OF[role]);
  expect(err).toContain(message);
  expect(status).toBe(2);
});

it.each([
  [['generate', '--config', './folder'], 'specmill: folder The configuration cannot be read: it is a folder.'],
  [['generate', 'folder/', '--out', 'out'], 'folder error The spec cannot be read: it is a folder.'],
  [
    ['generate', 'pets.yaml', '--out', 'schema.json'],
    'specmill: schema.json The output cannot be written: there is a file where its folder should be.',
  ],
  [
    ['generate', 'pets.yaml', './folder/pets.yaml', '--out', 'out'],
    'specmill: The specs pets.yaml and ./folder/pets.yaml would both be the API pets; generate each with its own --out.',
  ],
  [['validate', 'empty.json', 'schema.json'], 'The spec of empty.json has no schema with a name to validate against.'],
  [['mock', 'pets.yaml', '--state', 'pets.yaml'], 'cannot be created: a part of its path is not a folder.'],
  [
    ['generate', 'ftp://example.com/a.yaml', '--out', 'out'],
    'ftp://example.com/a.yaml error The spec cannot be read: its address must begin with http:, https: or file:.',
  ],
  [
    ['mock', 'pets.yaml', '--allowed-host', 'http://mock.example'],
    'The option allowed-host must be a host name without scheme and port, such as mock.example, not "http://mock.example".',
  ],
  [['proxy', 'pets.yaml', '--upstream', 'http://127.0.0.1:9', '--allowed-host', 'a:80'], 'must be a host name'],
])('the error of %j says what is wrong', async (argv, message) => {
  const empty = '{ "openapi": "3.1.0", "info": { "title": "A", "version": "1" }, "paths": {} }';
  const folder = tempFolder({ 'pets.yaml': sampleSpec(), 'schema.json': SCHEMA, 'empty.json': empty });
  mkdirSync(path.join(folder, 'folder'));
  const { status, err } = await runCaptured(folder, ...argv);
  expect(err).toContain(message);
  expect(status).toBe(2);
});
