import { expect, it } from 'vitest';

import { PAYLOADS, findInPath, findInTexts, plantAnywhere } from './hostile-specs.js';

/** All of them: hostile-specs.long.test.ts. */
const SAMPLE = PAYLOADS.filter((_, index) => index % 48 === 0);

it.each(SAMPLE)('%j in a description, summary or title does not become code', async (payload) => {
  expect(await findInTexts(payload)).toEqual([]);
});

it.each(SAMPLE)('%j in a path does not become code', async (payload) => {
  expect(await findInPath(payload)).toEqual([]);
});

it('a hostile text anywhere in a spec does not become code', { timeout: 600_000 }, async () => {
  await expect(plantAnywhere(3)).resolves.toBeUndefined();
});
