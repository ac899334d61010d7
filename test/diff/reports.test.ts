import { describe, expect, test } from 'vitest';

import { type ApiDiff, diffApis, diffToMarkdown, diffToText, selectChanges } from '../../diff/index.js';
import { toTerminalText } from '../../cli/io.js';
import { loadDocument } from '../support/load-document.js';
import { documentOf } from './diff-documents.js';

const STYLE = { showFile: (): string => 'spec.yaml' };

async function diffBetween(old: object, next: object): Promise<ApiDiff> {
  const [oldApi, api] = await Promise.all([loadDocument(old), loadDocument(next)]);
  return diffApis(oldApi, api);
}

function thing(properties: object, required: readonly string[] = []): object {
  return documentOf({ type: 'object', properties, required });
}

describe('the text', () => {
  test('the text lists the worst changes first, each with kind, levels, operations and both positions', async () => {
    const diff = await diffBetween(
      thing({ a: { type: 'string' }, b: { type: 'string', enum: ['x'] } }),
      thing({ a: { type: 'string' }, b: { type: 'string', enum: ['x', 'y'] }, c: { type: 'string' } }, ['a']),
    );
    const lines = diffToText(diff, STYLE).map((line) => line.replaceAll(/:\d+:\d+/g, ':LINE:COLUMN'));
    expect(lines).toEqual([
      'BREAKING',
      '  "Thing.a" is required now.',
      '    member-became-required · request breaking, response safe · POST /things',
      '    spec.yaml:LINE:COLUMN  was spec.yaml:LINE:COLUMN',
      '',
      'RISKY',
      '  "Thing.b" may also be "y" now.',
      '    enum-value-added · request safe, response risky · POST /things',
      '    spec.yaml:LINE:COLUMN  was spec.yaml:LINE:COLUMN',
      '',
      'SAFE',
      '  "Thing.c" is new.',
      '    member-added · request safe, response safe · POST /things',
      '    spec.yaml:LINE:COLUMN  was spec.yaml:LINE:COLUMN',
      '',
      '1 breaking, 1 risky, 1 safe changes.',
    ]);
  });

  test.each<[string, object, object, string]>([
    ['nothing', thing({}), thing({}), 'No changes.'],
    ['one change', thing({}), thing({ a: {} }), '1 safe change.'],
    [
      'documentation only',
      thing({ a: { description: 'x' } }),
      thing({ a: { description: 'y' } }),
      '1 documentation change (--all shows them).',
    ],
  ])('the text ends with the number of changes: %s', async (_name, old, next, last) => {
    const diff = selectChanges(await diffBetween(old, next), {});
    expect(diffToText(diff, STYLE).at(-1)).toBe(last);
  });
});

test('the Markdown report prints texts of specs as code', async () => {
  const diff = await diffBetween(thing({ a: { type: 'string' } }), thing({ a: { type: 'string', maxLength: 5 } }));
  expect(diffToMarkdown(diff, STYLE).replaceAll(/:\d+:\d+/g, ':LINE:COLUMN')).toBe(
    [
      '**1 breaking change.**',
      '',
      '### Breaking',
      '',
      '- The maxLength of `Thing.a` is 5, was not there.<br>`length-tightened` · request breaking, response safe · `POST /things` · `spec.yaml:LINE:COLUMN`, was `spec.yaml:LINE:COLUMN`',
      '',
    ].join('\n'),
  );
});

const HOSTILE_NAMES = [
  'a`b',
  '``',
  '` code`',
  'a|b',
  '<script>alert(1)</script>',
  '@everyone [x](javascript:alert)',
  'a"b\\"c\\',
  'a\nb\r\n# heading',
  '\u001b[2J\u001b[31mred',
  '\u202egnp.exe',
  '\u009b31m',
  '\u200bhidden\u2060',
  '__proto__',
  'constructor',
  '${process.exit()}',
  'x'.repeat(5_000),
];

describe('a hostile name of a spec is escaped in text, terminal and Markdown', () => {
  const all = async (name: string): Promise<ApiDiff> => {
    const of = (more: object): object => ({
      ...(documentOf(object(name, more)) as Record<string, unknown>),
      paths: {
        ...(documentOf({}) as { paths: object }).paths,
        [`/${name}`]: {
          get: {
            operationId: `get${name}`,
            tags: [name],
            responses: { 200: { description: name } },
            ...parameters(name, more),
          },
        },
      },
    });
    return diffBetween(of({ type: 'string', default: name }), of({ type: 'integer', enum: [1], pattern: name }));
  };
  const object = (name: string, member: object): object => ({
    type: 'object',
    properties: Object.fromEntries([[name, member]]),
  });
  const parameters = (name: string, schema: object): object => ({
    parameters: [{ name: `q${name}`, in: 'query', schema }],
  });
  const CONTROL = /[\u0000-\u0009\u000b-\u001f\u007f-\u009f\u202a-\u202e\u2066-\u2069\u200b-\u200f]/;

  test.each(HOSTILE_NAMES.map((name): [string, string] => [JSON.stringify(name).slice(0, 40), name]))(
    '%s',
    async (_label, name) => {
      const diff = await all(name);
      expect(diff.changes.length).toBeGreaterThan(3);
      for (const { message } of diff.changes) {
        expect(message).not.toMatch(CONTROL);
        expect(message).not.toContain('\n');
        expect(message.length).toBeLessThan(800);
      }
      for (const line of diffToText(diff, STYLE)) expect(toTerminalText(line)).not.toMatch(CONTROL);
      const markdown = diffToMarkdown(diff, STYLE);
      expect(markdown).not.toMatch(CONTROL);
      expect(outsideOfCode(markdown)).not.toMatch(/[`<@[|]/);
      expect(JSON.parse(JSON.stringify(diff))).toEqual(diff);
    },
  );

  /** What is left of Markdown without its code spans (CommonMark 6.1) and our own line breaks. */
  function outsideOfCode(markdown: string): string {
    return markdown.replaceAll(/(?<!`)(`+)(?!`)[^\n]*?(?<!`)\1(?!`)/g, '').replaceAll('<br>', '');
  }
});
