import { expect, test } from 'vitest';

import { type MeasuredApi, measureMutants } from './measure-mutants.js';

test.each<MeasuredApi>(['signing', 'tables', 'generation', 'notifications'])(
  'nearly every fault in front of the mock of %s is found, and none where there is none',
  async (name) => {
    const { planted, missed, alarms } = await measureMutants(name, 20);
    const found = planted - missed.length;
    console.log(`${name}: ${found} of ${planted} found${missed.length === 0 ? '' : `, not: ${missed.join('; ')}`}`);
    expect(alarms).toBe(0);
    expect(planted).toBeGreaterThanOrEqual(40);
    expect(found / planted).toBeGreaterThanOrEqual(0.9);
  },
  900_000,
);
