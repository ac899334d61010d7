import path from 'node:path';

import { afterAll, beforeAll, expect, test } from 'vitest';

import { startMock } from '../../entry/mock.js';
import { loadApi } from '../../model/load-api.js';
import { sampleOf } from '../support/sample-of.js';
import { MUTANTS, findMutant } from './mutants.js';
import { type FaultTarget, findWrongTestsOf, testFault } from './replay-findings.js';

/** Faults with a finding whose printed test does not tell the server with the fault from the one without it, and why. */
const WITHOUT_TEST: Readonly<Record<string, string>> = {
  'a leaked write-only member':
    'once the member is shown, the run compares it with what was written, which no server shows',
};

let library: FaultTarget;
let mock: Awaited<ReturnType<typeof startMock>>;

beforeAll(async () => {
  mock = await startMock(await loadApi(path.join(import.meta.dirname, 'specs/library.yaml')), { noRateLimit: true });
  library = { mock, options: {} };
});

afterAll(async () => mock.close());

test.each(sampleOf(MUTANTS, 32).map(({ name }) => name))(
  'prints tests that fail with %s and pass without it for all findings, or it is listed as an exception',
  async (name) => {
    const fault = findMutant(name);
    const { findings } = await testFault(library, fault);
    expect(findings).not.toEqual([]);
    const wrong = await findWrongTestsOf(findings, library, fault);
    if (WITHOUT_TEST[name] === undefined) expect(wrong).toEqual([]);
    else expect(wrong).not.toEqual([]);
  },
  300_000,
);
