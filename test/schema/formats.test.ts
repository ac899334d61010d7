import { fullFormats } from 'ajv-formats/dist/formats.js';
import fc from 'fast-check';
import { expect, it } from 'vitest';

import { FORMATS } from '../../schema/known-formats.js';
import { LINEAR, growthOf } from '../support/growth.js';

const PIECES = [
  'a',
  'Z',
  '7',
  ':',
  '/',
  '//',
  '?',
  '#',
  '[',
  ']',
  '@',
  '%',
  '%4f',
  '.',
  '_',
  '~',
  '-',
  '!',
  ' ',
  'é',
  '{',
  '"',
  '::1',
  '[::1]',
  '[1:2:3:4:5:6:7:8]',
  '[v1.a:b]',
  '1.2.3.4',
  '/@',
];
const LIKE_URIS = fc
  .tuple(fc.constantFrom('', 'https://a.b', 'urn:', 'h', '//', 'a+b://x:80/'), fc.array(fc.constantFrom(...PIECES)))
  .map(([start, pieces]) => start + pieces.join(''));

it.each(['uri', 'uri-reference'] as const)(
  'the check of a %s by parts accepts the same texts as the whole grammar',
  (name) => {
    const format = fullFormats[name] as ((text: string) => boolean) | RegExp;
    const whole = (text: string): boolean => (format instanceof RegExp ? format.test(text) : format(text));
    fc.assert(
      fc.property(LIKE_URIS, (text) => {
        expect(FORMATS.get(name)?.string?.(text)).toBe(whole(text));
      }),
      { numRuns: 20_000 },
    );
  },
);

it.each([
  ['2026-02-28T23:59:59Z', true],
  ['2026-02-29T00:00:00Z', false],
  ['2024-02-29t00:00:00.123z', true],
  ['2026-12-31T23:59:60Z', true],
  ['2026-12-31T22:59:60Z', false],
  ['2026-01-01T24:00:00Z', false],
  ['2026-01-01T00:00:00+23:59', true],
  ['2026-01-01T00:00:00+24:00', false],
  ['2026-01-01T00:00:00', false],
  ['2026-01-01 00:00:00Z', false],
  ['2026-13-01T00:00:00Z', false],
])('whether %s is a date-time: %s', (text, want) => {
  expect(FORMATS.get('date-time')?.string?.(text)).toBe(want);
});

it.each(['uri', 'uri-reference', 'duration', 'email'])('a hostile %s is checked in linear time', async (name) => {
  const check = (size: number): void => {
    const texts = [
      `A:/3.${'3.'.repeat(size)}${'0/.'.repeat(size)}\0`,
      `/@${'5/@'.repeat(size)}\0`,
      `P${'0'.repeat(size)}\0`,
      `${'a.'.repeat(size)}@\0`,
    ];
    for (const text of texts) expect(FORMATS.get(name)?.string?.(text)).toBe(false);
  };
  expect(await growthOf(check, 12_000)).toBeLessThan(LINEAR);
});
