import { afterAll, describe, expect, test } from 'vitest';

import { MEASURED_APIS, startMeasured } from './measure-mutants.js';
import { CONTROL } from './mutants.js';
import { findWrongTestsOf, testFault, untilFirstFinding } from './replay-findings.js';

/** All faults: api-mutants.long.test.ts. */
const ONE_OF = 24;

describe.each(MEASURED_APIS)('in front of the mock of %s', async (name) => {
  const target = await startMeasured(name);
  const faults = target.faults.filter((_, index) => index % ONE_OF === 0);
  afterAll(async () => target[Symbol.asyncDispose]());

  test('a run finds nothing without a fault', async () => {
    expect((await testFault(target, CONTROL)).findings).toEqual([]);
    expect(faults.length).toBeGreaterThanOrEqual(2);
  });

  test.each(faults)('a run finds $name, and prints a test that fails with it and passes without it', async (fault) => {
    const { findings } = await testFault(target, fault, untilFirstFinding());
    expect(findings).not.toEqual([]);
    expect(await findWrongTestsOf(findings, target, fault)).toEqual([]);
  });
});
