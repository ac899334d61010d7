import path from 'node:path';

import { afterAll, beforeAll, expect, test } from 'vitest';

import { startMock } from '../../entry/mock.js';
import { loadApi } from '../../model/load-api.js';
import { CONTROL, MUTANTS, findMutant } from './mutants.js';
import { type FaultTarget, findWrongTestsOf, testFault, untilFirstFinding } from './replay-findings.js';

/** The faults that are looked for here. All of them, and all findings of each: mutants.long.test.ts. */
const SOME = ['a stale read', 'a lost update', 'a page that echoes markup'];

const SPEC = path.join(import.meta.dirname, 'specs/library.yaml');

let library: FaultTarget;
let mock: Awaited<ReturnType<typeof startMock>>;

beforeAll(async () => {
  mock = await startMock(await loadApi(SPEC), { noRateLimit: true });
  library = { mock, options: { maxTime: '60s' } };
});

afterAll(async () => mock.close());

test('finds nothing without a fault', async () => {
  expect((await testFault({ ...library, options: { maxExamples: 5 } }, CONTROL)).findings).toEqual([]);
  expect(MUTANTS.length).toBeGreaterThanOrEqual(40);
});

test.each(SOME)('finds the fault "%s", and prints a test that fails with it and passes without it', async (name) => {
  const fault = findMutant(name);
  const { findings } = await testFault(library, fault, untilFirstFinding());
  expect(findings).not.toEqual([]);
  expect(await findWrongTestsOf(findings, library, fault)).toEqual([]);
});
