import { readFileSync } from 'node:fs';
import path from 'node:path';

import { expect, test } from 'vitest';

import { FORMATS, UNCHECKED_FORMATS } from '../../schema/known-formats.js';
import { runCaptured } from '../support/run-captured.js';
import { tempFolder } from '../support/temp-folder.js';

const page = readFileSync(path.join(import.meta.dirname, '../../docs/validators.md'), 'utf8');

/** The words in backquotes from `start` to the next full stop. */
function readNames(start: string): string[] {
  const rest = page.slice(page.indexOf(start) + start.length);
  return [...rest.slice(0, rest.search(/\.\n/)).matchAll(/`([\w-]+)`/g)].map(([, name = '']) => name);
}

test('docs/validators.md lists all formats: those that are checked, and those that are only documentation', () => {
  expect(readNames('\nChecked: ').toSorted()).toEqual([...FORMATS.keys()].toSorted());
  expect(readNames('get no diagnostic: ').toSorted()).toEqual([...UNCHECKED_FORMATS].toSorted());
});

test('generate --json lists an unknown format, and only --strict refuses it', async () => {
  const spec = { type: 'object', title: 'Car', properties: { colour: { type: 'string', format: 'colour' } } };
  const generate = (...flags: string[]): ReturnType<typeof runCaptured> =>
    runCaptured(tempFolder({ 'car.json': JSON.stringify(spec) }), 'generate', 'car.json', '--out', 'out', ...flags);

  const strict = await generate('--strict');
  expect([strict.status, strict.err]).toEqual([2, expect.stringContaining('[format-unknown]')]);
  const json = await generate('--json');
  expect([json.status, json.out]).toEqual([0, expect.stringContaining('"format-unknown"')]);
  const usual = await generate();
  expect([usual.status, usual.err]).toEqual([0, expect.not.stringContaining('format-unknown')]);
});
