import { fullFormats } from 'ajv-formats/dist/formats.js';
import fc from 'fast-check';
import { expect, it } from 'vitest';

import { FORMATS } from '../../schema/formats.js';

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
];
const LIKE_URIS = fc
  .tuple(fc.constantFrom('', 'https://a.b', 'urn:', 'h', '//', 'a+b://x:80/'), fc.array(fc.constantFrom(...PIECES)))
  .map(([start, pieces]) => start + pieces.join(''));

it.each(['uri', 'uri-reference'] as const)(
  'the short way to a %s takes nothing that the whole grammar refuses',
  (name) => {
    const format = fullFormats[name] as ((text: string) => boolean) | RegExp;
    const whole = (text: string): boolean => (format instanceof RegExp ? format.test(text) : format(text));
    fc.assert(
      fc.property(LIKE_URIS, (text) => {
        expect(FORMATS.get(name)?.string?.(text)).toBe(whole(text));
      }),
      { numRuns: 5_000 },
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
])('a date-time: %s is one: %s', (text, want) => {
  expect(FORMATS.get('date-time')?.string?.(text)).toBe(want);
});
