import { readFileSync, readdirSync } from 'node:fs';
import path from 'node:path';

import { describe, expect, it } from 'vitest';

import { describeCommands } from '../../cli/command.js';
import { parseCommandArgs } from '../../cli/parse-args.js';
import { optionsOf, OPTION_SCHEMAS } from '../../config/option-schema.js';

const folder = path.join(import.meta.dirname, '../../docs/coming-from');
const commands = describeCommands();

const pages = readdirSync(folder).map((file) => {
  const text = readFileSync(path.join(folder, file), 'utf8');
  const rows = [...text.matchAll(/^\| (.*) \| (.*) \| (.*) \|$/gm)].slice(2);
  return { file, text, rows: rows.map(([, had = '', now = '', different = '']) => ({ had, now, different })) };
});

/** The words of a command as a shell splits them. */
function splitWords(command: string): string[] {
  return [...command.matchAll(/'([^']*)'|(\S+)/g)].map(([, quoted, plain]) => quoted ?? plain ?? '');
}

describe('the pages for users of other tools', () => {
  it('there are ten of them, each with a table of at least six rows', () => {
    expect(pages.map(({ file }) => file.slice(0, -3))).toEqual([
      'dredd',
      'hey-api',
      'json-server',
      'msw',
      'openapi-typescript',
      'optic',
      'orval',
      'prism',
      'schemathesis',
      'wiremock',
    ]);
    for (const { file, rows, text } of pages) {
      expect([file, rows.length]).toEqual([file, expect.toSatisfy((count: number) => count >= 6)]);
      expect(text).toContain('| what you had | what you write now | what is different |');
    }
  });

  const lines = pages.flatMap(({ file, text }) =>
    [...text.matchAll(/`specmill (\w+)([^`]*)`/g)].map(([, name = '', rest = '']) => ({ file, name, rest })),
  );

  it.each(lines)('$file: specmill $name$rest is a command with options that exist', ({ name, rest }) => {
    const command = commands.get(name);
    if (command === undefined) throw new Error(`There is no command ${name}.`);
    expect(() => parseCommandArgs(command, splitWords(rest))).not.toThrow();
  });

  it('each option of startMock on these pages exists', () => {
    const known = Object.keys(optionsOf(OPTION_SCHEMAS['MockOptions'] ?? {}));
    const used = pages.flatMap(({ text }) =>
      [...text.matchAll(/startMock\('[^']*', \{ (\w+):/g)].map(([, name = '']) => name),
    );
    expect(used.length).toBeGreaterThan(0);
    expect(used.filter((name) => !known.includes(name))).toEqual([]);
  });
});
