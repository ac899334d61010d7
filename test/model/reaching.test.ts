import { describe, expect, it } from 'vitest';

import { Reaching } from '../../model/reaching.js';

/** `c` has the property; `a` and `b` lead to each other and to it; `d` and `e` lead to each other only. */
const GRAPH: Readonly<Record<string, readonly string[]>> = { a: ['b'], b: ['a', 'c'], c: [], d: ['e'], e: ['d'] };

function createReaching(): { readonly reaching: Reaching; readonly asked: string[] } {
  const asked: string[] = [];
  const holds = (name: string): boolean => {
    asked.push(name);
    return name === 'c';
  };
  return { reaching: new Reaching(holds, (name) => GRAPH[name] ?? []), asked };
}

describe('a search for a property in a graph', () => {
  it.each(['abcde', 'edcba', 'badce'])('gives the same result for each order of questions: %s', (order) => {
    const { reaching } = createReaching();
    const found = [...order].filter((name) => reaching.has(name));
    expect(found.toSorted()).toEqual(['a', 'b', 'c']);
  });

  it('asks each name once, and only those that the start leads to', () => {
    const { reaching, asked } = createReaching();
    expect([reaching.has('d'), reaching.has('e'), reaching.has('d')]).toEqual([false, false, false]);
    expect(asked).toEqual(['d', 'e']);
    expect([reaching.has('b'), reaching.has('a')]).toEqual([true, true]);
    expect(asked).toEqual(['d', 'e', 'b', 'a', 'c']);
  });
});
