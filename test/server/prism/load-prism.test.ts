import { createRequire } from 'node:module';

import { expect, test } from 'vitest';

import { loadPrismMock } from '../../../server/prism/load-prism.js';

const { cache } = createRequire(import.meta.url);

test('Prism is loaded in several turns of the event loop, without the words of its random generator', async () => {
  let turns = 0;
  let isLoading = true;
  const count = (): void => {
    turns += 1;
    if (isLoading) setImmediate(count);
  };
  setImmediate(count);
  const mock = await loadPrismMock();
  isLoading = false;
  expect(mock).toBeTypeOf('function');
  expect(turns).toBeGreaterThan(5);
  expect(Object.keys(cache).some((file) => file.includes('prism-http'))).toBe(true);
  expect(Object.keys(cache).filter((file) => file.includes('@faker-js'))).toEqual([]);
  expect(await loadPrismMock()).toBe(mock);
});
