import { describe, expect, it } from 'vitest';

import { sampleOf } from '../support/sample-of.js';
import { PUBLIC_APIS, findBrokenPromises, listFindings, runOnOwnMock, specOf } from './public-apis.js';

/** The largest API takes about a minute of CPU time; other tests may run beside it. */
const TIMEOUT = 1_200_000;

describe.each(sampleOf(PUBLIC_APIS, 2))('the mock of $name', (api) => {
  const spec = specOf(api);
  if (spec === undefined) console.warn(`${api.name} is skipped: ${api.spec} is missing`);

  it.skipIf(spec === undefined)('keeps what its map promises', { timeout: TIMEOUT }, async () => {
    expect(await findBrokenPromises(spec ?? '', api)).toEqual([]);
  });

  it.skipIf(spec === undefined)('passes a contract run that reaches its operations', { timeout: TIMEOUT }, async () => {
    const report = await runOnOwnMock(spec ?? '', api);
    expect(listFindings(report, api)).toEqual([]);
    const { succeeded } = report.reach;
    expect(succeeded.length / report.operations, JSON.stringify(report.unreached)).toBeGreaterThanOrEqual(0.95);
  });
});
