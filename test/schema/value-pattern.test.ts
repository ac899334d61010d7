import { describe, expect, it } from 'vitest';

import { isCostlyPattern, makePatternText, matchesPattern } from '../../schema/sample/pattern.js';
import { Random } from '../../schema/sample/random.js';

const PATTERNS = [
  '^abc$',
  '',
  '^$',
  'a|b|cd',
  '^(?:foo|bar)+$',
  '^[a-z]$',
  '^[^a-z]$',
  '^[^\\w\\s]$',
  '^\\d{3}-\\d{4}$',
  '^\\w+@\\w+\\.com$',
  '^.{5}$',
  '^[\\u4e00-\\u9fff]{2}$',
  '^\\u{1F600}$',
  '^\\p{L}+$',
  '^\\p{Lu}\\p{Ll}*$',
  '^\\P{L}$',
  '^\\p{Script=Greek}{3}$',
  '^(a)(b)\\2\\1$',
  '^(?<x>[ab])\\k<x>$',
  '^\\x41\\t\\n\\/$',
  '^a?b*c+d{2}e{1,}f{0,2}$',
  '^a+?b$',
  '^[-a-z_.]+$',
  '^[\\]\\[]$',
  '^\\$\\{x\\}$',
  '^(?!bad)[a-z]{3,6}$',
  '^(?=.*\\d).{4}$',
  '\\bword\\b',
  '^[0-9a-f]{8}-([0-9a-f]{4}-){3}[0-9a-f]{12}$',
  '^(https?):\\/\\/[^\\s/$.?#].[^\\s]*$',
  '^([01]\\d|2[0-3]):[0-5]\\d$',
  '^#(?:[0-9a-fA-F]{3}){1,2}$',
  '^\\s*$',
  '^[\\s\\S]{3}$',
  '^(?:[A-Za-z0-9+/]{4})*(?:[A-Za-z0-9+/]{2}==)?$',
  '^[a-z]+(-[a-z]+)*$',
  '^\\cA$',
  '^[\\d\\-]+$',
  '^\\-$',
];

describe('a text for a pattern', () => {
  it.each(PATTERNS)('matches %s', (pattern) => {
    for (let seed = 0; seed < 20; seed += 1) {
      const text = makePatternText(
        pattern,
        { min: 0, max: Infinity },
        { random: new Random(seed), accepts: (made) => matchesPattern(pattern, made) },
      );
      expect(text).toBeDefined();
      expect(matchesPattern(pattern, text ?? '')).toBe(true);
    }
  });

  it.each([
    ['^[a-z]+$', 10, 10],
    ['^[a-z]*\\d*$', 40, 41],
    ['^(ab)+$', 20, 21],
    ['^x[a-z]{0,5}(-[a-z]+)?$', 1, 1],
    ['^\\p{Emoji_Presentation}+$', 4, 4],
  ])('a text for %s has %i to %i characters', (pattern, min, max) => {
    for (let seed = 0; seed < 20; seed += 1) {
      const text = makePatternText(
        pattern,
        { min, max },
        { random: new Random(seed), accepts: (made) => [...made].length >= min && [...made].length <= max },
      );
      expect(text).toBeDefined();
    }
  });
});

describe('a pattern that can take exponential time', () => {
  it.each([
    ['^(a+)+$', true],
    ['^(a|aa)*$', true],
    ['^((a{1,9}){1,9}){1,9}$', true],
    ['^[a-z]+(-[a-z]+)*$', false],
    ['^([a-z]+\\.)+[a-z]+$', false],
    ['^(foo|bar)*$', false],
    ['^[a-z]{1,20}\\d+$', false],
    ['^(?:[A-Za-z0-9+/]{4})*$', false],
  ])('whether a pattern can take exponential time: %s: %s', (pattern, isCostly) => {
    expect(isCostlyPattern(pattern)).toBe(isCostly);
  });

  it('a pattern that can take exponential time is matched against short texts only', () => {
    expect(matchesPattern('^(a+)+$', `${'a'.repeat(60)}!`)).toBe(false);
  });
});
