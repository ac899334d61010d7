import { expect, test } from 'vitest';

import { type MeasuredApi, measureMutants } from './measure-mutants.js';

// All faults: api-mutants.long.test.ts.
test.each<MeasuredApi>(['signing', 'tables', 'generation', 'notifications'])(
  'each of a sample of faults in front of the mock of %s is found, and none where there is no fault',
  async (name) => {
    const { planted, missed, alarms } = await measureMutants(name, 20, 8);
    expect(alarms).toBe(0);
    expect(planted).toBeGreaterThanOrEqual(5);
    expect(missed).toEqual([]);
  },
  300_000,
);
