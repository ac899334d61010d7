import { expect, it } from 'vitest';

import { sampleOf } from '../support/sample-of.js';
import { PAYLOADS, findInPath, findInTexts, plantAnywhere } from './hostile-specs.js';

it.each(sampleOf(PAYLOADS, 6))('%j in a description, summary or title does not become code', async (payload) => {
  expect(await findInTexts(payload)).toEqual([]);
});

it.each(sampleOf(PAYLOADS, 6))('%j in a path does not become code', async (payload) => {
  expect(await findInPath(payload)).toEqual([]);
});

it('a hostile text anywhere in a spec does not become code', { timeout: 600_000 }, async () => {
  await expect(plantAnywhere(Number(process.env['FUZZ_RUNS'] ?? 30))).resolves.toBeUndefined();
});
