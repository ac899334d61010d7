import { expect, test } from 'vitest';

import { type MeasuredApi, measureMutants } from './measure-mutants.js';

/** Faults that default runs do not find, by API. */
const MISSED: Readonly<Record<MeasuredApi, readonly string[]>> = {
  signing: [],
  tables: [],
  generation: [],
  notifications: ['a missing member is accepted', 'a malformed credential will do'],
};

test.each<MeasuredApi>(['signing', 'tables', 'generation', 'notifications'])(
  'every fault in front of the mock of %s is found but the known ones, and none where there is no fault',
  async (name) => {
    const { planted, missed, alarms } = await measureMutants(name, 20);
    expect(alarms).toBe(0);
    expect(planted).toBeGreaterThanOrEqual(40);
    expect(missed).toEqual(MISSED[name]);
  },
  900_000,
);
