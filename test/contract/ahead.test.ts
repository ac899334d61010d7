import { expect, test } from 'vitest';

import { Prefetcher } from '../../contract/execute/prefetch.js';

/** Counts up to a number, and says what it has made. */
function* count(end: number, made: number[]): Generator<number> {
  for (let item = 1; item <= end; item += 1) {
    made.push(item);
    yield item;
  }
}

test('items are returned in their order, prefetched or not', () => {
  const ahead = new Prefetcher(count(3, []));
  expect(ahead.take()).toBe(1);
  ahead.fill();
  expect([ahead.take(), ahead.take(), ahead.take(), ahead.take()]).toEqual([2, 3, undefined, undefined]);
});

test('at most one item is prefetched', () => {
  const made: number[] = [];
  const ahead = new Prefetcher(count(9, made));
  ahead.fill();
  ahead.fill();
  expect(made).toEqual([1]);
});

test('a failure of a prefetched item is thrown when the item is requested', () => {
  const ahead = new Prefetcher(
    (function* fail(): Generator<number> {
      yield 1;
      throw new Error('no more');
    })(),
  );
  ahead.take();
  expect(() => ahead.fill()).not.toThrow();
  expect(() => ahead.take()).toThrow('no more');
});
