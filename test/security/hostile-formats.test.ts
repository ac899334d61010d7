import { existsSync, readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';

import { describe, expect, it } from 'vitest';

import { packageRoot } from '../../model/package-info.js';
import { parseXml } from '../../runtime/parse-xml.js';
import { LINEAR, growthOf } from '../support/growth.js';
import { attackText, HOSTILE_FORMATS } from '../support/hostile-formats.js';

describe.each(HOSTILE_FORMATS)('$name', ({ attacks, parse }) => {
  it.each(Object.entries(attacks))('is parsed in linear time if it has many %s', async (_what, attack) => {
    const texts = new Map([4_000, 32_000].map((size) => [size, attackText(attack, size)]));
    expect(await growthOf((size) => parse(texts.get(size) ?? ''), 4_000)).toBeLessThan(LINEAR);
  });
});

it('no comment, section, attribute or text of XML overflows the stack', () => {
  for (const text of ['<a><!--x--></a>', '<a><![CDATA[x]]></a>', '<a b="x"/>', '<a>x</a>', '<?x?><a/>'])
    expect(parseXml(text.replace('x', '\u{1f469}'.repeat(6_000_000))).name).toBe('a');
});

it('XML has a limited number of elements, attributes, entities and names', () => {
  for (const what of ['elements', 'attributes', 'entities', 'namespaces', 'elements of different names']) {
    const attack = HOSTILE_FORMATS.find(({ name }) => name === 'XML')?.attacks[what];
    expect(() => parseXml(attackText(attack ?? ['', () => '', ''], 1_500_000)), what).toThrow(
      /must NOT have more than/,
    );
  }
});

it('every source that spends from the budget of a document is attacked', () => {
  const files = ['runtime', 'http', 'server', 'proxy', 'contract', 'model', 'mocks'].flatMap((room) =>
    readdirSync(path.join(packageRoot, room), { recursive: true, encoding: 'utf8' }).map((file) => `${room}/${file}`),
  );
  const attacked = new Set(HOSTILE_FORMATS.flatMap((one) => one.files));
  const parsers = files.filter(
    (file) =>
      file.endsWith('.ts') &&
      file !== 'runtime/parse-budget.ts' &&
      readFileSync(path.join(packageRoot, file), 'utf8').includes('/parse-budget.js'),
  );
  expect([...attacked].filter((file) => !existsSync(path.join(packageRoot, file)))).toEqual([]);
  expect(parsers.filter((file) => !attacked.has(file) && !OTHERS.has(file))).toEqual([]);
});

/** They parse nothing themselves. */
const OTHERS = new Set(['http/request/decode-error.ts']);
