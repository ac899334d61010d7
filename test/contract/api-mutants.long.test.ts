import { afterAll, describe, expect, test } from 'vitest';

import { sampleOf } from '../support/sample-of.js';
import { MEASURED_APIS, startMeasured } from './measure-mutants.js';
import { CONTROL } from './mutants.js';
import { findWrongTestsOf, testFault, untilFirstFinding } from './replay-findings.js';

/** Faults that a run with default options does not find, and why. */
const NOT_FOUND: Readonly<Record<string, string>> = {
  'tables: no credential is needed': 'the mock needs none without a list of credentials, as an emulator',
  'notifications: a missing member is accepted': 'no operation that the run can call has a required member',
  'notifications: a malformed credential will do': 'the spec has no credential in a header that could be malformed',
};

/** Faults whose printed tests do not tell the server with the fault from the one without it, and why. */
const WITHOUT_TEST: Readonly<Record<string, string>> = {
  'notifications: a stale read': 'the test leaves out the change that the stale read does not show',
};

describe.each(sampleOf(MEASURED_APIS, 2))('in front of the mock of %s', async (name) => {
  const target = await startMeasured(name);
  afterAll(async () => target[Symbol.asyncDispose]());

  test('a run finds nothing without a fault, and at least forty faults are planted', async () => {
    expect((await testFault(target, CONTROL)).findings).toEqual([]);
    expect(target.faults.length).toBeGreaterThanOrEqual(40);
  });

  test.each(sampleOf(target.faults, 32))(
    'a run finds $name, and prints a test that fails with it and passes without it, or it is listed as an exception',
    async (fault) => {
      const key = `${name}: ${fault.name}`;
      const { findings } = await testFault(target, fault, untilFirstFinding());
      if (NOT_FOUND[key] !== undefined) expect(findings).toEqual([]);
      else expect(findings).not.toEqual([]);
      const wrong = await findWrongTestsOf(findings, target, fault);
      if (WITHOUT_TEST[key] === undefined) expect(wrong).toEqual([]);
      else expect(wrong).not.toEqual([]);
    },
    120_000,
  );
});
