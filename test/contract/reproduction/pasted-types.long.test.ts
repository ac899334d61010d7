import path from 'node:path';

import { expect, test } from 'vitest';

import { runContract } from '../../../entry/contract.js';
import { startMock } from '../../../entry/mock.js';
import { loadApi } from '../../../model/load-api.js';
import { checkPastedTypes } from '../../support/check-pasted-types.js';
import { findMutant, plantMutant } from '../mutants.js';
import { testServer } from '../servers/measure-servers.js';
import { findForeignApi } from '../servers/servers.js';

const SPEC = path.join(import.meta.dirname, '../specs/library.yaml');

/** Faults whose tests have different forms: bodies, headers, lists, pages, responses that are not read. */
const FAULTS = ['a ghost after delete', 'a page that leaves one out', 'no ETag', 'a mistyped number'];

/** Faults of other servers: a header `Location`, filters, totals. */
const FOREIGN_FAULTS = [
  ['warehouse', 'location-wrong'],
  ['museum', 'country-ignored'],
  ['billing', 'has-more-false'],
] as const;

async function findTests(): Promise<string[]> {
  const api = await loadApi(SPEC);
  await using mock = await startMock(api, { noRateLimit: true });
  const tests: string[] = [];
  for (const name of FAULTS) {
    await mock.reset();
    const faulty = plantMutant(findMutant(name), mock.fetch);
    const { findings } = await runContract({ spec: SPEC, url: mock.url, fetch: faulty, maxExamples: 15 });
    tests.push(...findings.map((finding) => finding.test));
  }
  for (const [name, bug] of FOREIGN_FAULTS) {
    const { findings } = await testServer(findForeignApi(name), bug);
    tests.push(...findings.map((finding) => finding.test));
  }
  return tests;
}

test('the tests of many findings, pasted into one file, type-check under the strictest flags', async () => {
  const tests = await findTests();
  expect(tests.filter((code) => code.includes('checkResponse')).length).toBeGreaterThan(1);
  expect(tests.filter((code) => code.includes('item')).length).toBeGreaterThan(3);
  expect(checkPastedTypes(tests)).toBe('');
}, 120_000);
