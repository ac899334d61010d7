import { describe, expect, it } from 'vitest';

import { type ExpiryRule, isPast, readExpiry } from '../../runtime/helpers.js';

const DAY = 86_400_000;

describe('expiry', () => {
  it.each<[string, object, ExpiryRule, string | undefined]>([
    ['a time with a zone', { at: '2026-01-01T02:00:00+02:00' }, { member: 'at' }, '2026-01-01T00:00:00.000Z'],
    ['a time in nanoseconds', { at: '2026-01-01T00:00:00.123456789Z' }, { member: 'at' }, '2026-01-01T00:00:00.123Z'],
    ['a time without a zone is UTC', { at: '2026-01-01T00:00:00' }, { member: 'at' }, '2026-01-01T00:00:00.000Z'],
    ['a day', { at: '2026-01-01' }, { member: 'at' }, '2026-01-01T00:00:00.000Z'],
    ['milliseconds as text', { at: '1767225600000' }, { member: 'at', unit: 1 }, '2026-01-01T00:00:00.000Z'],
    ['seconds', { at: 1_767_225_600 }, { member: 'at' }, '2026-01-01T00:00:00.000Z'],
    [
      'a duration after another time',
      { id: 7, made: '2026-01-01T00:00:00' },
      { member: 'id', from: 'made', after: DAY },
      '2026-01-02T00:00:00.000Z',
    ],
    ['a missing member', { made: '2026-01-01T00:00:00' }, { member: 'id', from: 'made', after: DAY }, undefined],
    ['a missing start time', { id: 7 }, { member: 'id', from: 'made', after: DAY }, undefined],
    ['no time', {}, { member: 'at' }, undefined],
    ['null', { at: null }, { member: 'at' }, undefined],
    ['nonsense', { at: 'soon' }, { member: 'at' }, undefined],
    ['an inherited member', {}, { member: 'constructor' }, undefined],
  ])('expiry: %s', (_what, value, rule, wanted) => {
    expect(readExpiry(value, rule)?.toISOString()).toBe(wanted);
  });

  it.each([
    ['before', -1, false],
    ['at the moment', 0, true],
    ['after', 1, true],
  ])('expiry: %s', (_when, offset, wanted) => {
    const time = new Date('2026-01-01T00:00:00Z');
    expect([isPast(time, time.getTime() + offset), isPast(time, new Date(time.getTime() + offset))]).toEqual([
      wanted,
      wanted,
    ]);
  });

  it('an item without an expiry never expires', () => {
    expect(isPast(undefined)).toBe(false);
  });
});
