import { expect, it } from 'vitest';

import { sampleOf } from '../support/sample-of.js';
import { ALL, harmOf, noHarm, run } from './existing-data-runs.js';

it.each(ALL.flatMap((style) => sampleOf([1, 2, 3], 3).map((seed) => [style.title, seed, style] as const)))(
  'data from before the run stays as it was on a server with %s, with seed %i',
  async (_title, seed, style) => expect(await harmOf(style, seed)).toEqual(noHarm(style)),
);

it.each(sampleOf(ALL, 4).map((style) => [style.title, style] as const))(
  'data from before the run is changed by --touch-existing on a server with %s, and the report says by which requests',
  async (_title, style) => {
    const { kept, report } = await run(style, { seed: 1, touchExisting: true });
    expect(kept).not.toEqual(style.data());
    expect(report.changed).not.toEqual([]);
  },
);
