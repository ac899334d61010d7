import { expect, test } from 'vitest';

import { measureMutants } from './measure-mutants.js';

test('nearly every fault in front of the mock of signing is found, and none where there is none', async () => {
  const { planted, missed, alarms } = await measureMutants('signing', 20);
  const found = planted - missed.length;
  console.log(`signing: ${found} of ${planted} found${missed.length === 0 ? '' : `, not: ${missed.join('; ')}`}`);
  expect(alarms).toBe(0);
  expect(planted).toBeGreaterThanOrEqual(40);
  expect(found / planted).toBeGreaterThanOrEqual(0.9);
}, 900_000);
