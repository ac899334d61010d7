import { describe, expect, it } from 'vitest';

import type { Violation } from '../../http/messages.js';
import { KnownBodies } from '../../proxy/known-bodies.js';

const JSON_TYPE = 'application/json';

/** Checks bodies, and counts how many are read. */
function createChecks() {
  const bodies = new KnownBodies();
  const counts = { read: 0 };
  const check = (description: object, text: string, type: string = JSON_TYPE): readonly Violation[] =>
    bodies.check(description, { bytes: Buffer.from(text), type }, () => {
      counts.read += 1;
      return [{ in: 'response', pointer: '', message: `has ${text.length} characters` }];
    });
  return { check, counts };
}

const text = (letter: string, length = 2_000): string => letter.repeat(length);

describe('a body of a response', () => {
  it('is read once as long as the same bytes come, and has the same violations', () => {
    const { check, counts } = createChecks();
    const media = {};
    const [first, second] = [check(media, text('a')), check(media, text('a'))];
    expect(counts.read).toBe(1);
    expect(second).toEqual(first);
  });

  it.each([
    ['another byte', {}, `${text('a', 1_999)}b`, JSON_TYPE],
    ['another media type', {}, text('a'), `${JSON_TYPE}; charset=utf-16`],
  ])('is read again for %s', (_what, media, other, type) => {
    const { check, counts } = createChecks();
    check(media, text('a'));
    expect(check(media, other, type)[0]?.message).toBe(`has ${other.length} characters`);
    expect(counts.read).toBe(2);
  });

  it('is read for each description', () => {
    const { check, counts } = createChecks();
    check({}, text('a'));
    check({}, text('a'));
    expect(counts.read).toBe(2);
  });

  it('is not changed by a client of the buffer that it came in', () => {
    const bodies = new KnownBodies();
    const bytes = Buffer.from(text('a'));
    const media = {};
    bodies.check(media, { bytes, type: JSON_TYPE }, () => []);
    bytes.fill('b');
    const violation: Violation = { in: 'response', pointer: '', message: 'is read again' };
    expect(bodies.check(media, { bytes, type: JSON_TYPE }, () => [violation])).toEqual([violation]);
  });

  it('is forgotten if others need its memory, the oldest first', () => {
    const { check, counts } = createChecks();
    const media = [{}, {}, {}];
    const large = text('a', 7 * 1024 * 1024);
    for (const one of media) check(one, large);
    check(media[2] ?? {}, large);
    check(media[1] ?? {}, large);
    expect(counts.read).toBe(3);
    check(media[0] ?? {}, large);
    expect(counts.read).toBe(4);
  });
});
