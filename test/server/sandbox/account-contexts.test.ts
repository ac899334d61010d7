import { expect, it } from 'vitest';

import type { HandlerContext } from '../../../server/handler-api.js';
import { AccountContexts } from '../../../server/sandbox/sandbox-view.js';
import { MemoryStore } from '../../../server/stores/memory-store.js';

const CONTEXT = {} as HandlerContext;

it('an account is seeded again if the state had no room for it before', async () => {
  let isFull = true;
  const grow = (): void => {
    if (isFull) throw new Error('The state is full.');
  };
  const seeded: HandlerContext[] = [];
  const contexts = new AccountContexts({
    store: new MemoryStore({ limit: { grow, set: grow } }),
    seed: (context) => void seeded.push(context),
    make: () => CONTEXT,
  });
  await expect(contexts.of('a')).rejects.toThrow('The state is full.');
  isFull = false;
  expect(await contexts.of('a')).toBe(CONTEXT);
  expect(seeded).toEqual([CONTEXT]);
});

it('concurrent calls seed an account once, and wait for it', async () => {
  let count = 0;
  const contexts = new AccountContexts({
    store: new MemoryStore(),
    seed: async () => {
      await new Promise((resolve) => setTimeout(resolve, 5));
      count += 1;
    },
    make: () => CONTEXT,
  });
  const both = await Promise.all([contexts.of('a').then(() => count), contexts.of('a').then(() => count)]);
  expect(both).toEqual([1, 1]);
  expect(await contexts.accounts()).toEqual(['a']);
});
