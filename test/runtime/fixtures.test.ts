import { describe, expect, it } from 'vitest';

import { derive, makeFixture, mergeOverrides } from '../../runtime/fixtures.js';

describe('mergeOverrides', () => {
  const blob = new Blob(['x']);
  it.each<[string, unknown, unknown, unknown]>([
    ['nothing to change', { a: 1 }, {}, { a: 1 }],
    ['a member', { a: 1, b: 2 }, { b: 3 }, { a: 1, b: 3 }],
    ['a new member', { a: 1 }, { b: 2 }, { a: 1, b: 2 }],
    ['a member deep inside', { a: { b: { c: 1, d: 2 } } }, { a: { b: { c: 3 } } }, { a: { b: { c: 3, d: 2 } } }],
    ['undefined removes a member', { a: 1, b: 2 }, { a: undefined }, { b: 2 }],
    ['undefined deep inside', { a: { b: 1, c: 2 } }, { a: { b: undefined } }, { a: { c: 2 } }],
    ['undefined in a new member', {}, { a: { b: undefined } }, { a: {} }],
    ['null replaces', { a: { b: 1 } }, { a: null }, { a: null }],
    ['an array replaces', { a: [1, 2, 3] }, { a: [9] }, { a: [9] }],
    ['an object replaces a scalar', { a: 1 }, { a: { b: 2 } }, { a: { b: 2 } }],
    ['a scalar replaces an object', { a: { b: 2 } }, { a: 1 }, { a: 1 }],
    ['a scalar as a whole', 'a', 'b', 'b'],
    ['a blob is a value', { a: blob }, { b: blob }, { a: blob, b: blob }],
  ])('mergeOverrides: %s', (_name, value, overrides, merged) => {
    expect(mergeOverrides(value, overrides)).toEqual(merged);
  });

  it('shares nothing with its arguments', () => {
    const value = { a: { b: [1] } };
    const overrides = { c: [{ d: 1 }] };
    const merged = mergeOverrides(value, overrides) as {
      a: { b: number[] };
      c: { d: number }[];
    };
    merged.a.b.push(2);
    merged.c.push({ d: 2 });
    if (merged.c[0] !== undefined) merged.c[0].d = 9;
    expect([value, overrides]).toEqual([{ a: { b: [1] } }, { c: [{ d: 1 }] }]);
  });

  it('never touches a prototype', () => {
    const merged = mergeOverrides(
      {},
      JSON.parse('{ "__proto__": { "polluted": 1 }, "constructor": { "prototype": { "polluted": 1 } } }'),
    );
    expect(Object.keys(merged as object)).toEqual(['__proto__', 'constructor']);
    expect({}).not.toHaveProperty('polluted');
  });
});

describe('makeFixture', () => {
  const variants = [(): string => 'a', (): string => 'b', (): string => 'c'];
  it.each([
    [undefined, 'a'],
    [1, 'b'],
    [5, 'c'],
    [-4, 'b'],
    [1.9, 'b'],
  ])('makeFixture with seed %s returns %s', (seed, variant) => {
    expect(makeFixture(variants, undefined, seed === undefined ? {} : { seed })).toBe(variant);
  });
});

describe('derive', () => {
  it('gives a variant that is a list as it is', () => {
    const rows = [() => [[1], []], () => []];
    expect([derive(rows, 0), derive(rows, 1)]).toEqual([[[1], []], []]);
  });

  it('changes members of a variant that is an object', () => {
    expect(derive([() => ({ a: { b: 1, c: 2 } })], 0, { a: { b: 3 } })).toEqual({ a: { b: 3, c: 2 } });
  });
});
